import type { Account } from "../account/account.ts";
import { recordAttempt } from "./attempt.ts";
import { becomesDefault, keepEntered, makeDefaultCard, tryNewCard } from "./new-card.ts";
import type { EnteredCard } from "./outcome.ts";
import type { Payment } from "./payment.ts";

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

/** A saved card becomes the default and pays open invoices at once (rule D3g), unless a newer card came meanwhile. */
export function settlePortalCard(account: Account, { status, paymentMethodId }: Payment): void {
  if (status !== "succeeded" || paymentMethodId === null || account.customer.deletedAt !== null) return;
  if (!becomesDefault(account, paymentMethodId, true)) return;
  makeDefaultCard(account, paymentMethodId);
  tryNewCard(account, paymentMethodId);
}
