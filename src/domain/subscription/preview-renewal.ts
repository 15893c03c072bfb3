import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { cardOf, isCardDisputed } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";
import type { Anchor } from "../model/period.ts";
import { changesAt, type Subscription } from "../model/subscription.ts";
import { nextPeriodOf } from "../collection/next-period.ts";
import { resumedPeriodOf } from "../collection/pause.ts";

/** The next period, and the charge at its beginning. */
export type RenewalPreview = {
  /** The Subscription in its next period. */
  next: Subscription;
  productName: string;
  totalAmount: number;
  amountDue: number;
  /**
   * How the period is paid. Held credit goes to the balance, so a charge can be due even if the total is not above
   * zero (rule D7).
   */
  paidBy: "charge" | "balance" | "nothing";
  /** The card that is charged; null: there is no card that may be charged. */
  card: PaymentMethod | null;
  /** Whether a dispute holds that card back, so that the buyer has to pay with it in person (rule D6). */
  isCardDisputed: boolean;
};

/** When a Subscription is charged next, and the anchor of its periods from that charge on. */
export type ChargeAhead = { nextChargeAt: Instant; anchor: Anchor };

/** The next charge, if the charge is for this Product. */
export function chargeFor(productId: string, preview: RenewalPreview | undefined): ChargeAhead | null {
  if (preview?.next.productId !== productId) return null;
  const { currentPeriodStart: nextChargeAt, anchorAt, anchorTimeZone } = preview.next;
  return { nextChargeAt, anchor: { anchorAt, anchorTimeZone } };
}

/**
 * Previews the renewal, or the resume of a pause that has begun or is scheduled, with the decision that makes it (rules
 * S, S8g), assuming no other change before. `at`: the begin of the next period.
 */
export function previewRenewal(
  billing: CustomerBilling,
  subscription: Subscription,
  at = changesAt(subscription),
): RenewalPreview {
  const periodOf = subscription.pause === null ? nextPeriodOf : resumedPeriodOf;
  const { plan, totals } = periodOf(billing, subscription, at);
  const { totalAmount, amountDue } = totals;
  const card = cardOf(billing, subscription);
  return {
    next: plan.subscription,
    productName: plan.line.description,
    totalAmount,
    amountDue,
    paidBy: amountDue > 0 ? "charge" : totalAmount > 0 ? "balance" : "nothing",
    card,
    isCardDisputed: card !== null && isCardDisputed(billing, card),
  };
}
