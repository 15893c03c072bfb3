import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";
import { applyChange } from "./apply-change.ts";
import { previewRenewal, type RenewalPreview } from "../subscription/preview-renewal.ts";
import { scheduledEnd, type Subscription } from "../model/subscription.ts";
import { decideCheckout } from "./change-decision.ts";
import { cardNeed, dueToday } from "../model/checkout.ts";
import type { ChangeFigures } from "./agreed-change.ts";
import { draftInPortal, type AskedInPortal } from "./portal-draft.ts";
import { quoteCheckout, type CheckoutQuote } from "./quote.ts";

/**
 * A change as the portal shows it before the click. `card`: the card on file that pays; null: the Checkout's page asks
 * for a card. `next`: the charge at the end of the period, after the change; null: no period begins (rule D8).
 * `endsAt`: the scheduled end that the change undoes; null: no end is scheduled.
 */
export type PortalQuote = CheckoutQuote & {
  card: PaymentMethod | null;
  next: RenewalPreview | null;
  endsAt: Instant | null;
};

/**
 * The card of a quote: the card on file, if it pays the amount due or later charges. Null: the change needs no card, or
 * there is none that may be charged (rule P11e).
 */
export function cardOfQuote({ checkout, card, next }: PortalQuote): PaymentMethod | null {
  return cardNeed(checkout) !== "none" || next?.paidBy === "charge" ? card : null;
}

/**
 * The figures of the page, with the quantity of the new Product: without the part that the balance settles, which the
 * portal does not name.
 */
export type PortalFigures = Omit<ChangeFigures, "balanceApplied"> & { quantity: number };

export const figuresOfQuote = (quote: PortalQuote): PortalFigures => ({
  amountDue: dueToday(quote.checkout),
  price: quote.checkout.amount,
  quantity: quote.checkout.quantity,
  cardId: cardOfQuote(quote)?.id ?? null,
  endsAt: quote.endsAt,
  effectiveAt: quote.scheduledFor,
});

/**
 * Quotes a change in the portal by the decision that makes the change (rules P8, P11b). The call changes the billing,
 * so the billing must not be kept.
 * @throws Refusal 409, 422
 */
export function quoteInPortal(billing: CustomerBilling, subscription: Subscription, asked: AskedInPortal): PortalQuote {
  const draft = draftInPortal(billing, subscription, asked);
  const quote = quoteCheckout(billing, subscription, draft);
  const card = unhinderedCardOf(billing, subscription);
  const { plan } = decideCheckout(billing, subscription, draft, null);
  const { subscription: after } = applyChange(billing, subscription, plan!, null, billing.now);
  const endsAt = scheduledEnd(subscription);
  return { ...quote, card, endsAt, next: after.grantsSuspended ? null : previewRenewal(billing, after) };
}
