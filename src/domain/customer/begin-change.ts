import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { runDue } from "../collection/due.ts";
import { claimByDetails } from "../collection/claim.ts";
import type { Customer, CustomerChange } from "../model/customer.ts";

/** Whether the change is about the buyer on invoices, so that the Customer's data count for all plans (rule C12b). */
const namesBuyer = ({ name, companyName, billingAddress, taxId }: CustomerChange) =>
  [name, companyName, billingAddress, taxId].some((field) => field !== undefined);

/**
 * The change without the fields that were empty and stay empty. Such a field is no request to remove typed billing data
 * that the claim of a Subscription has just stored (rule C12c). A new address takes the place of all typed data.
 */
function withoutEmpty(seen: Customer, change: CustomerChange): CustomerChange {
  if (change.billingAddress) return change;
  const names = Object.keys(change) as (keyof CustomerChange)[];
  const meant = names.filter((name) => change[name] !== null || seen[name] !== null);
  return Object.fromEntries(meant.map((name) => [name, change[name]]));
}

/**
 * Begins a change of the Customer's own fields. Items that were due before the change are done first, so that their
 * documents show the Customer as before (rule T3). Then the change claims Subscriptions (rule C12b). `seen`: the
 * Customer before the claim. `customer`: the Customer to which `change` is to be applied.
 */
export function beginChange(
  billing: CustomerBilling,
  change: CustomerChange,
): { seen: Customer; customer: Customer; change: CustomerChange; now: Instant } {
  runDue(billing);
  const { customer: seen, now } = billing;
  if (namesBuyer(change)) claimByDetails(billing);
  return { seen, customer: billing.customer, change: withoutEmpty(seen, change), now };
}
