import type { Account } from "../billing/customer-billing.ts";
import type { Totals } from "../model/invoice.ts";

/** A payment's reservation: the part that the balance settles, and the amount due (minor units). */
export type Reservation = Pick<Totals, "balanceApplied" | "amountDue">;

/**
 * The reservations on the balance in a currency: those of pending changes (rule P1) and of Checkouts that are being
 * paid (rule C7). `except`: a Checkout whose own reservation does not count.
 */
export function reservationsIn(account: Account, currency: string, except: string | null): Reservation[] {
  const changes = account.changes
    .where(({ status, plan }) => status === "pending" && plan.currency === currency)
    .map(({ plan }) => plan.totals);
  const paying = account.checkouts.where(
    ({ id, status, currency: other }) => status === "processing" && other === currency && id !== except,
  );
  // The change of a Checkout is a pending change, too. A purchase collects no debt, so its amount due is left out.
  const sales = paying.flatMap(({ settlement }) =>
    settlement ? [{ balanceApplied: settlement.balanceApplied, amountDue: 0 }] : [],
  );
  return [...changes, ...sales];
}
