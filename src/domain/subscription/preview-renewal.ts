import type { Account } from "../billing/customer-billing.ts";
import { cardOf, isCardDisputed } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { nextPeriodOf } from "../collection/next-period.ts";

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

/** Previews the renewal with the decision that makes it (rule S), assuming no other change before. */
export function previewRenewal(account: Account, subscription: Subscription): RenewalPreview {
  const { plan, totals } = nextPeriodOf(account, subscription);
  const { totalAmount, amountDue } = totals;
  const card = cardOf(account, subscription);
  return {
    next: plan.subscription,
    productName: plan.line.description,
    totalAmount,
    amountDue,
    paidBy: amountDue > 0 ? "charge" : totalAmount > 0 ? "balance" : "nothing",
    card,
    isCardDisputed: card !== null && isCardDisputed(account, card),
  };
}
