import type { Account } from "../account/account.ts";
import { recordAttempt } from "./attempt.ts";
import { becomesDefault, keepEntered, makeDefaultCard, tryNewCard } from "./new-card.ts";
import type { EnteredCard } from "./outcome.ts";
import { isHosted, type Payment } from "./payment.ts";
import { HOUR, type Instant } from "../calendar.ts";

/** Records the attempt to save a card that the buyer gives in the portal (rule D3t). The request calls the provider. */
export function recordPortalCard(account: Account, entered: EnteredCard): Payment {
  const attempt = {
    purpose: "setup",
    sourceId: null,
    checkoutId: null,
    invoiceId: null,
    subscriptionId: null,
    amount: 0,
    currency: account.organization.defaultCurrency,
  } as const;
  return recordAttempt(account, attempt, keepEntered(account, entered), account.now, true);
}

/**
 * The end of the wait for the buyer: as for a Checkout, an hour after the submission at the bank, and half an hour on
 * the provider's page (rule D3t).
 */
export function portalCardEndsAt(payment: Payment): Instant {
  return (payment.createdAt + (isHosted(payment) ? HOUR / 2 : HOUR)) as Instant;
}

/** A saved card becomes the default and pays open invoices at once (rule D3g), unless a newer card came meanwhile. */
export function settlePortalCard(account: Account, { status, paymentMethodId }: Payment): void {
  if (status !== "succeeded" || paymentMethodId === null || account.customer.deletedAt !== null) return;
  if (!becomesDefault(account, paymentMethodId, true)) return;
  makeDefaultCard(account, paymentMethodId);
  tryNewCard(account, paymentMethodId);
}
