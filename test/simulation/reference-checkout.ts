import { MINIMUM } from "./history.ts";
import type { Customer } from "./reference-model.ts";
import { heldOf } from "./reference-quote.ts";
import { reservedInAll } from "./reference-reserved.ts";

// The balance's share of a purchase (docs/rules.md: C7).

/** The credit that a purchase can use: neither reserved nor held. A debt gives none. */
function creditFor(customer: Customer, currency: string): number {
  const balance = customer.balances.get(currency) ?? 0;
  if (balance <= 0) return 0;
  const reserved = Math.min(reservedInAll(customer, currency), balance);
  const free = balance - reserved;
  const { claim, granted } = heldOf(customer, currency);
  // Credit that operators gave is used first, and is never held.
  const freeOfHolds = Math.min(Math.max(granted - reserved, 0), free);
  return free - Math.min(claim, free - freeOfHolds);
}

/** The amount of the balance that a purchase of this total uses. A card is charged at least the minimum. */
export function appliedTo(customer: Customer, currency: string, total: number): number {
  const credit = creditFor(customer, currency);
  if (credit >= total) return total;
  return Math.max(Math.min(credit, total - MINIMUM[currency]!), 0);
}
