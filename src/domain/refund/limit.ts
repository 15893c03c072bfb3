import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Back } from "../model/invoice-returns.ts";
import type { Invoice } from "../model/invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import { refundLimitOf, type Role } from "../team/role.ts";
import { isStanding } from "../model/refund.ts";
import { Refusal } from "../refusal.ts";

/** The sum of an invoice's refunds that count against the limit of a role: all that did not fail at once. */
export const countedRefunds = ({ refunds }: Pick<Back, "refunds">): Amount =>
  sumOf(refunds.filter(isStanding).map(({ amount }) => amount));

/** The person of the dashboard behind a refund. `check` throws if the invoice has changed since the person's page. */
export type Refunder = { role: Role; check?(invoice: Invoice, back: Back): void };

/**
 * Refuses a refund above the limit of a role. The limit counts for an invoice: all refunds of the invoice together,
 * from every source. Then refuses a refund of an invoice that has changed.
 * @throws Refusal 422 `above_limit`, and the error of `check`
 */
export function requireAllowed(
  { organization }: Pick<CustomerBilling, "organization">,
  { role, check }: Refunder,
  { invoice, back, amount }: { invoice: Invoice; back: Back; amount: Amount },
): void {
  const limit = refundLimitOf(role, organization, invoice.currency);
  const before = countedRefunds(back);
  if (limit !== null && before + amount > limit) {
    const left = Math.max(limit - before, 0);
    throw new Refusal("refund_above_role", { field: "/amount", most: { currency: invoice.currency, amount: left } });
  }
  check?.(invoice, back);
}
