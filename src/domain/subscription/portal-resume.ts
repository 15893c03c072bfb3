import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { runDueAtRest } from "../collection/due.ts";
import { collectOwed } from "../collection/failure.ts";
import { resumeSubscription } from "../collection/pause.ts";
import { consent } from "../collection/price-change.ts";
import type { Amount } from "../money.ts";
import { isAgreed, type Agreed } from "../model/agreement.ts";
import type { Payment } from "../model/payment.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";
import type { Subscription } from "../model/subscription.ts";
import { collectAtResume } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { previewRenewal, type RenewalPreview } from "./preview-renewal.ts";

/** The figures of the page of a resume, to which the Customer agrees. `cardId` null: there is no card to charge. */
export type ResumeFigures = { amountDue: Amount; cardId: string | null };

/** The resume of a paused Subscription as of now, by the decision that makes it (rule S8k); null: it is not paused. */
export function quoteResume(billing: CustomerBilling, id: string): RenewalPreview | null {
  const subscription = liveSubscriptions(billing).find((each) => each.id === id);
  return subscription?.status === "paused" ? previewRenewal(billing, subscription, billing.now) : null;
}

export const figuresOfResume = ({ amountDue, card }: RenewalPreview): ResumeFigures => ({
  amountDue,
  cardId: card?.id ?? null,
});

/**
 * Resumes a paused Subscription for its Customer in the portal, and records the charge of the card on file in the
 * Customer's presence (rule S8k). `refused`: the page showed other figures, or an amount is due and there is no card.
 * `attempt` null: no amount is due.
 */
export function resumeInPresence(
  billing: CustomerBilling,
  subscription: Subscription,
  agreed: Agreed<ResumeFigures>,
): { attempt: Payment | null } | { refused: "figures_changed" } {
  const figures = figuresOfResume(previewRenewal(billing, subscription, billing.now));
  const isUnpayable = figures.amountDue > 0 && figures.cardId === null;
  if (isUnpayable || !isAgreed(figures, agreed)) return { refused: "figures_changed" };
  const claimed = claimWithItsCard(billing, subscription);
  // Only a price that begins now was on the page, and so the click agrees to it (rule N6).
  const isShown = isRefusedAt(claimed.priceChange, billing.now);
  const bill = resumeSubscription(billing, isShown ? consent(billing, claimed) : claimed, billing.now);
  const method = cardOf(billing, billing.subscriptions.get(subscription.id)!);
  const isOpen = bill.invoice.status === "open";
  const attempt = isOpen && method ? collectAtResume(billing, bill.invoice, method) : null;
  if (attempt === null) collectOwed(billing, bill);
  runDueAtRest(billing);
  return { attempt };
}
