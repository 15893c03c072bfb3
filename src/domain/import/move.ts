import type { CustomerBilling } from "../billing/customer-billing.ts";
import { balanceIn } from "../balance/move.ts";
import { endSubscription } from "../collection/end.ts";
import { adjustBalance } from "../customer/adjust-balance.ts";
import type { Subscription } from "../model/subscription.ts";
import type { Amount } from "../money.ts";
import type { UndoRefusal } from "./cut-over.ts";
import { holdAgain, releaseImported, type ImportedTerms } from "./imported-subscription.ts";

/**
 * The credit of a Customer that goes from one system to the other. Minor units, below zero for a debt. `reason`: of its
 * entry in the balance, for operators.
 */
export type MovedCredit = { amount: Amount; currency: string; reason: string };

function adjust(billing: CustomerBilling, credit: MovedCredit): void {
  if (credit.amount !== 0) adjustBalance(billing, credit);
}

/**
 * Lets Billow charge a Subscription that the other system has stopped, and adds the Customer's credit of there first: a
 * renewal that is late uses it (rule V4). @throws as `releaseImported` and `adjustBalance`
 */
export function moveHere(
  billing: CustomerBilling,
  subscription: Subscription,
  terms: ImportedTerms,
  credit: MovedCredit,
): Subscription {
  adjust(billing, credit);
  return releaseImported(billing, subscription, terms);
}

/** Why a Subscription can't go back to the other system; null: it can. `isInvoiced`: it has an invoice here. */
export function undoRefusal(
  billing: CustomerBilling,
  subscription: Subscription,
  terms: ImportedTerms,
  { amount, currency }: Pick<MovedCredit, "amount" | "currency">,
  isInvoiced: boolean,
): UndoRefusal | null {
  if (isInvoiced || subscription.periodNumber > 1) return "invoiced_here";
  if (!isAsRead(subscription, terms)) return "changed_here";
  return amount > 0 && balanceIn(billing, currency) < amount ? "credit_used" : null;
}

/** The other system knows of no change that was made here. */
function isAsRead(subscription: Subscription, { quantity, unitAmount, cancelAt }: ImportedTerms): boolean {
  const { status, pendingChange, pause, changeId, amount } = subscription;
  if (status === "canceled" || pendingChange !== null || pause !== null || changeId !== null) return false;
  const isSold = subscription.quantity === quantity && amount === unitAmount * quantity;
  return isSold && subscription.cancelAtPeriodEnd === (cancelAt !== null);
}

/** Holds a Subscription again, and takes the credit away that goes back. Only after `undoRefusal` (rule V4). */
export function moveBack(billing: CustomerBilling, subscription: Subscription, credit: MovedCredit): Subscription {
  adjust(billing, { ...credit, amount: -credit.amount });
  return holdAgain(billing, subscription);
}

/**
 * Ends a held Subscription that has ended in the other system, without an invoice, and adds the credit that was taken
 * from there before (rule V4).
 */
export function endHeld(billing: CustomerBilling, subscription: Subscription, credit: MovedCredit): void {
  const { imported } = subscription;
  if (imported === null) throw new Error(`the subscription ${subscription.id} was not imported`);
  adjust(billing, credit);
  if (subscription.status === "canceled") return;
  endSubscription(billing, { ...subscription, imported: { ...imported, isHeld: false } }, "ended", billing.now);
}
