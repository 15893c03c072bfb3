import { divideRoundHalfAwayFromZero } from "./money.ts";
import type { Address, TaxId } from "./organization.ts";

/**
 * A tax of the place where the buyer is, in basis points (1900 is 19 %): on top of prices, or inside them. `region` null: the rest of
 * the country. `reverseCharge`: a buyer with a tax id accounts for it themselves.
 */
export type TaxRate = {
  country: string;
  region: string | null;
  basisPoints: number;
  inclusive: boolean;
  name: string;
  reverseCharge: boolean;
};

/** The rate as it was when a line was made; `reverseCharge`: this buyer accounts for the tax, so that the line bears none. */
export type LineTax = TaxRate;

/** Where a buyer is, and under which number they pay taxes themselves. */
export type Billing = { address: Address | null; taxId: TaxId | null };

const BASIS = 10_000n;

/** What an invoice says where the buyer accounts for the tax. */
export const REVERSE_CHARGE_NOTE = "Reverse charge: the tax is to be accounted for by the recipient.";

/** The rate for a buyer's place: that of their region where there is one, else their country's; null where nothing is taxed (rule X3). */
export function taxFor(rates: readonly TaxRate[], { address, taxId }: Billing): LineTax | null {
  if (!address) return null;
  const state = address.state?.trim().toLowerCase() ?? null;
  const there = rates.filter((rate) => rate.country === address.country);
  const rate =
    there.find(({ region }) => region !== null && region.trim().toLowerCase() === state) ?? there.find(({ region }) => region === null);
  return rate ? { ...rate, reverseCharge: rate.reverseCharge && taxId !== null } : null;
}

/** The tax of a line whose price after discount is `net` (minor units), rounded alone; inside it where the rate is inclusive (rule X3). */
export function taxOf(net: number, tax: LineTax | null): number {
  if (!tax || tax.reverseCharge) return 0;
  const points = BigInt(tax.basisPoints);
  return divideRoundHalfAwayFromZero(BigInt(net) * points, tax.inclusive ? BASIS + points : BASIS);
}
