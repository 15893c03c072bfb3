import type { Customer } from "./reference-model.ts";

/** The part of the balance that purchases use whose payment is not settled (docs/rules.md: C7). */
export function reservedBySales(customer: Customer, currency: string): number {
  const sales = customer.reserved.filter((each) => each.currency === currency);
  return sales.reduce((sum, { applied }) => sum + applied, 0);
}
