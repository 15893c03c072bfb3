import { MINIMUM } from "./history.ts";
import type { Customer } from "./reference-model.ts";
import { freeBalance } from "./reference-quote.ts";

// The balance's share of a purchase (docs/rules.md: C7).

/** The amount of the balance that a purchase of this total uses. A card is charged at least the minimum. */
export function appliedTo(customer: Customer, currency: string, total: number): number {
  const credit = Math.max(freeBalance(customer, currency), 0);
  if (credit >= total) return total;
  return Math.max(Math.min(credit, total - MINIMUM[currency]!), 0);
}
