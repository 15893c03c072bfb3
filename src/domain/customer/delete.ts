import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordCustomer } from "../billing/record.ts";
import { balancesOf, writeOff } from "../balance/move.ts";
import { endTermsOf } from "../balance/quote.ts";
import { creditAtEnd, type Ending } from "../model/credit-at-end.ts";
import { deletedCustomer, type Customer } from "../model/customer.ts";
import { runDue } from "../collection/due.ts";
import { requireNotHeld } from "../collection/hold.ts";
import { billOf, openInvoicesOf, waitingLines } from "../invoice/bills.ts";
import { isOfPortal, type Payment } from "../model/payment.ts";
import { Refusal } from "../refusal.ts";
import type { Part } from "../billing/parts.ts";
import { revokePurchaseGrants } from "../benefit/grant.ts";
import type { Checkout } from "../model/checkout.ts";
import { recordCheckout } from "../checkout/record.ts";
import { endSubscription } from "../collection/end.ts";

/**
 * Ends the Subscriptions of a deleted Customer, revokes all grants, expires the open Checkouts and writes the balances
 * off (rule I5g).
 */
function endEverything(billing: CustomerBilling): void {
  const live = liveSubscriptions(billing);
  const grants = live.map(({ id: sourceId }): Part => ({ part: "grants", sourceId }));
  billing.need({ part: "purchase_grants" }, { part: "open_checkouts" }, ...grants);
  const purchases = grantingPurchases(billing);
  billing.need(...purchases.map((sourceId): Part => ({ part: "grants", sourceId })));
  for (const subscription of live) endSubscription(billing, subscription, "customer_deleted", billing.now);
  for (const invoiceId of purchases) revokePurchaseGrants(billing, invoiceId, "customer_deleted", billing.now);
  for (const checkout of billing.checkouts.where(({ status }) => status === "open")) expire(billing, checkout);
  writeOff(billing);
}

/** Ids of the invoices of one-time purchases that give access, oldest first. */
function grantingPurchases(billing: Pick<CustomerBilling, "grants">): string[] {
  const granting = billing.grants.where(({ status }) => status === "active");
  const ids = granting.map(({ invoiceId }) => invoiceId).filter((invoiceId) => invoiceId !== null);
  return [...new Set(ids)].sort();
}

/** A Checkout that is past its time expires as of the end of its time (rule C5). */
function expire(billing: CustomerBilling, checkout: Checkout): void {
  const expiresAt = checkout.expiresAt < billing.now ? checkout.expiresAt : billing.now;
  recordCheckout(billing, { ...checkout, status: "expired", expiresAt, dueAt: null }, "checkout.expired", expiresAt);
}

/**
 * Deletes the Customer (rules I5a, I5b, I5d, I5f). All Subscriptions, grants, open invoices and open Checkouts of the
 * Customer end, and only issued documents still show the Customer's data. `forfeit`: the Customer's credit is written
 * off. `checkVersion` checks the Customer against If-Match. `challenge`: an invoice's attempt waits for the buyer; the
 * caller gives the attempt up at the provider and then repeats the decision.
 * @throws Refusal 404, 409 `payment_in_progress` while a payment of the Customer is not settled, `balance_left` with
 * the amounts, `subscription_held` (rule V2), 412
 */
export function deleteCustomer(
  billing: CustomerBilling,
  forfeit: boolean,
  checkVersion?: (customer: Customer) => void,
): { deleted: Customer } | { challenge: Payment } {
  if (billing.customer.deletedAt !== null) throw new Refusal("not_found");
  checkVersion?.(billing.customer);
  runDue(billing);
  // The other system would go on to charge a Customer whom Billow has forgotten.
  for (const subscription of liveSubscriptions(billing)) requireNotHeld(subscription);
  const challenge = requireSettled(billing);
  // This check comes before a challenge is given up, so a refusal leaves everything as it was.
  if (!forfeit) requireNoCredit(billing);
  if (challenge) return { challenge };
  endEverything(billing);
  billing.isForgotten = true;
  return {
    deleted: recordCustomer(billing, deletedCustomer(billing.customer, billing.now), "customer.deleted", billing.now),
  };
}

/**
 * No money may arrive after the deletion, so a payment at a Checkout blocks the deletion. The challenge of an invoice,
 * or of a card in the portal, does not block the deletion, because the challenge is given up first (rule I5c).
 */
function requireSettled(billing: Pick<CustomerBilling, "payments">): Payment | null {
  const unsettled = billing.payments.where(({ settledAt }) => settledAt === null);
  const isGivenUp = (payment: Payment) => payment.invoiceId !== null || isOfPortal(payment);
  if (unsettled.some((payment) => payment.status !== "requires_action" || !isGivenUp(payment)))
    throw new Refusal("payment_in_progress");
  return unsettled[0] ?? null;
}

/** Refuses a deletion that would write credit off, and names the amounts. Changes no row (rules I5d, I5e). */
function requireNoCredit(billing: CustomerBilling): void {
  const live = liveSubscriptions(billing);
  const endings = live.map(({ id, currency }): Ending => {
    const open = openInvoicesOf(billing, id).map((invoice) => billOf(billing, invoice));
    return { currency, waiting: waitingLines(billing, id), open };
  });
  const balances = creditAtEnd(balancesOf(billing), endings, endTermsOf(billing));
  if (balances.length > 0) throw new Refusal("balance_left", { balances });
}
