import type { Address } from "./address.ts";
import { rateAt, type TaxRate } from "./tax.ts";

type Rated = Pick<TaxRate, "region" | "name" | "basisPoints">;

/**
 * Customers of a country with a changed rate, because regions are compared as regions (rule X3b). `customers`: their
 * number; `customerIds`: the first ones.
 */
export type RegionChange = {
  country: string;
  before: Rated | null;
  after: Rated;
  customers: number;
  customerIds: string[];
};

/** The ids that a notice lists for each change. */
const MOST_IDS = 20;

/** The rate by the comparison of earlier releases, which took regions as texts. */
function rateByText(rates: readonly TaxRate[], { country, state }: Address): TaxRate | null {
  const text = state?.trim().toLowerCase() ?? null;
  const there = rates.filter((rate) => rate.country === country);
  const isThere = ({ region }: TaxRate) => region !== null && region.trim().toLowerCase() === text;
  return there.find(isThere) ?? there.find(({ region }) => region === null) ?? null;
}

const rated = ({ region, name, basisPoints }: TaxRate): Rated => ({ region, name, basisPoints });

/** Collects the Customers with a changed rate by country and by the rates before and after. */
export class RegionReview {
  readonly #rates: readonly TaxRate[];
  readonly #found = new Map<string, { change: RegionChange; last: string }>();

  constructor(rates: readonly TaxRate[]) {
    this.#rates = rates;
  }

  /** Takes an address. The addresses of a Customer follow each other. */
  take(customerId: string, address: Address): void {
    const [before, after] = [rateByText(this.#rates, address), rateAt(this.#rates, address)];
    if (after === before || after === null) return;
    const key = `${this.#rates.indexOf(after)} ${before ? this.#rates.indexOf(before) : ""}`;
    const { country } = address;
    const found = this.#found.getOrInsertComputed(key, () => ({
      change: { country, before: before && rated(before), after: rated(after), customers: 0, customerIds: [] },
      last: "",
    }));
    if (found.last === customerId) return;
    const { change } = found;
    found.last = customerId;
    change.customers += 1;
    if (change.customerIds.length < MOST_IDS) change.customerIds.push(customerId);
  }

  changes(): RegionChange[] {
    return [...this.#found.values()].map(({ change }) => change);
  }
}
