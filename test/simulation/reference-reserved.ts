import { live, type Customer } from "./reference-model.ts";

/** The part of the balance that purchases use whose payment is not settled (docs/rules.md: C7). */
export function reservedBySales(customer: Customer, currency: string): number {
  const sales = customer.reserved.filter((each) => each.currency === currency);
  return sales.reduce((sum, { applied }) => sum + applied, 0);
}

/** The same with the credit that changes use until they are paid (P1). */
export function reservedInAll(customer: Customer, currency: string): number {
  const changing = live(customer).filter((sub) => sub.currency === currency && sub.changing);
  const byChanges = changing.reduce((sum, sub) => sum + Math.max(sub.changing!.applied, 0), 0);
  return byChanges + reservedBySales(customer, currency);
}
