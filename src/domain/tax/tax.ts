import type { Address } from "./address.ts";
import { divideRoundHalfAwayFromZero } from "../money.ts";
import { regionKey } from "./region.ts";
import { checkTaxId, type TaxId } from "./tax-id.ts";

/**
 * A tax rate at the buyer's place, in basis points (1900 is 19 %): on top of prices, or contained in them. `region`
 * null: the rest of the country. `reverseCharge`: a buyer with a tax id accounts for the tax.
 */
export type TaxRate = {
  country: string;
  region: string | null;
  basisPoints: number;
  inclusive: boolean;
  name: string;
  reverseCharge: boolean;
};

/**
 * The rate as it was when a line was made. `reverseCharge`: this buyer accounts for the tax, so the line bears no
 * tax. `takenOut`: the price contained the tax, and the line's amounts are without it.
 */
export type LineTax = TaxRate & { takenOut?: true };

/**
 * The buyer's billing address, the buyer's own tax id, and the buyer's company. `companyName`: absent on rows from
 * before companies were asked for.
 */
export type Billing = { address: Address | null; taxId: TaxId | null; companyName?: string | null };

/** The Organization's tax rates and its address. */
export type Seller = { taxRates: TaxRate[]; address: Address | null };

const BASIS = 10_000n;

/**
 * Whether the buyer accounts for the tax (rule X3e): the tax id fits and is of the address's country, and the seller is
 * in another country.
 */
function accountsForTax(seller: Seller, address: Address, taxId: TaxId | null): boolean {
  if (taxId === null || seller.address === null || seller.address.country === address.country) return false;
  return checkTaxId(taxId).country === address.country;
}

/** The rate of a place: the region's if there is one, else the country's (rules X3a, X3b). */
export function rateAt(
  rates: readonly TaxRate[],
  { country, state }: Pick<Address, "country" | "state">,
): TaxRate | null {
  const there = rates.filter((rate) => rate.country === country);
  const wanted = state === null || there.every(({ region }) => region === null) ? null : regionKey(country, state);
  const isThere = ({ region }: TaxRate) => region !== null && regionKey(country, region) === wanted;
  return there.find(isThere) ?? there.find(({ region }) => region === null) ?? null;
}

/** The rate for a buyer's place: the region's if there is one, else the country's; null: there is no tax (rule X3d). */
export function taxFor(seller: Seller, { address, taxId }: Billing): LineTax | null {
  if (!address) return null;
  const rate = rateAt(seller.taxRates, address);
  if (!rate) return null;
  if (!rate.reverseCharge || !accountsForTax(seller, address, taxId)) return { ...rate, reverseCharge: false };
  return rate.inclusive ? { ...rate, inclusive: false, takenOut: true } : rate;
}

/**
 * The tax of a line with the price `net` after discount (minor units), rounded alone. If the rate is inclusive, `net`
 * contains the tax (rule X3c).
 */
export function taxOf(net: number, tax: LineTax | null): number {
  if (!tax || tax.reverseCharge) return 0;
  const points = BigInt(tax.basisPoints);
  return tax.inclusive ? containedIn(net, points) : divideRoundHalfAwayFromZero(BigInt(net) * points, BASIS);
}

function containedIn(price: number, points: bigint): number {
  return divideRoundHalfAwayFromZero(BigInt(price) * points, BASIS + points);
}

/** The billed part of a price: all of it, or without its contained tax if the buyer accounts for the tax (rule X3h). */
export function billedOf(price: number, tax: LineTax | null): number {
  return tax?.takenOut ? price - containedIn(price, BigInt(tax.basisPoints)) : price;
}

/**
 * A price and the amount `off` it, as a line shows them: `amount` less `discountAmount` is the billed part of the
 * price after discount, rounded once (rules X1, X3).
 */
export function billedLine(
  price: number,
  off: number,
  tax: LineTax | null,
): { amount: number; discountAmount: number } {
  const amount = billedOf(price, tax);
  return { amount, discountAmount: amount - billedOf(price - off, tax) };
}
