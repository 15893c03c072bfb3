import type { Settings, TaxLocation } from "./history.ts";
import { share } from "./reference-math.ts";
import type { Customer, Shop, Sub, Tax } from "./reference-model.ts";

// The tax of a price (docs/rules.md: X3).

/** The texts of the histories that name a region, in small letters and without accents (rule X3b). */
const REGIONS: Record<string, string> = { quebec: "qc", "ca-qc": "qc", "new york": "ny", "us-ny": "ny" };

function sameRegion(one: string | null, other: string | null | undefined): boolean {
  const [first, second] = [one, other].map((text) => {
    const plain = text
      ?.normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase();
    return plain && (REGIONS[plain] ?? plain);
  });
  return first === second;
}

/**
 * The tax rate of the buyer's region, else of the rest of their country. Under reverse charge there is no tax: the
 * tax id is of the buyer's own country, and the seller is in another one (rule X3).
 */
export function taxAt({ taxRates, country: seller }: Settings, location: TaxLocation | null): Tax {
  const there = taxRates.filter(({ country }) => country === location?.country);
  const rate =
    there.find(({ region }) => region !== null && sameRegion(region, location?.region)) ??
    there.find(({ region }) => region === null);
  if (!rate) return null;
  const { basisPoints, inclusive } = rate;
  const reversed = rate.reverseCharge && location?.taxId === "own" && seller !== null && seller !== rate.country;
  return reversed
    ? { basisPoints: 0, inclusive: false, out: inclusive ? basisPoints : 0 }
    : { basisPoints, inclusive, out: 0 };
}

export const taxOfSub = ({ settings }: Shop, customer: Customer, sub: Sub): Tax =>
  taxAt(settings, sub.location ?? customer.location);

/** The tax of an amount: the part of it that is tax, or the tax on top. */
export const taxIn = (net: number, tax: Tax) =>
  tax ? share(net, tax.basisPoints, tax.inclusive ? 10_000 + tax.basisPoints : 10_000) : 0;
/** The billed part of a price: all of it, or under reverse charge the price without the contained tax. */
export const billed = (price: number, tax: Tax) => (tax ? price - share(price, tax.out, 10_000 + tax.out) : price);
/** The amount with the tax on top, not rounded. */
export const withTax = (net: number, tax: Tax) => (tax && !tax.inclusive ? net * (1 + tax.basisPoints / 10_000) : net);
