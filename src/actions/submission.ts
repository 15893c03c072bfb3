import type { Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { Payment } from "../domain/payment.ts";
import type { Billing } from "../domain/tax.ts";
import type { AppError } from "../errors.ts";
import type { CardDetails, CardFault } from "../payments/provider.ts";

/** After so many failed attempts a Checkout takes no more: it is how stolen cards, and whose e-mail addresses are known, are tried out. */
export const MAX_FAILED_ATTEMPTS = 10;

/**
 * What the buyer sends. `billing`: where they are, where they were asked. `expectedAmount`: what the page showed as due today; another
 * amount has to be shown first (rule C3).
 */
export type Submission = {
  card: CardDetails | null;
  email: string | null;
  name: string | null;
  billing: Billing | null;
  expectedAmount: number | null;
  /** When the page reckoned what it showed; null: just now. */
  shownAt: Instant | null;
};

/** Why nothing was submitted; the Checkout is as it was, or as it has to be shown again. */
export type SubmissionRefusal =
  | { refused: "not_open" | "email_missing" | "card_missing" | "billing_missing" | "product_archived" | "too_many_attempts" }
  | { refused: "amount_changed" | "discount_exhausted" }
  /** The Subscription can't be changed this way any more; `error` says why. */
  | { refused: "change_refused"; error: AppError }
  | { refused: "already_subscribed"; subscriptionId: string | null }
  | { refused: "card"; fault: CardFault };

export type SubmissionResult = { checkout: Checkout; payment: Payment | null } | SubmissionRefusal;

/** Rolls a submission back. `tells`: of the Customer whose e-mail address was typed, maybe by somebody else. */
export class Refused extends Error {
  readonly refusal: SubmissionRefusal;
  readonly tells: boolean;
  constructor(refusal: SubmissionRefusal, tells = false) {
    super(refusal.refused);
    this.refusal = refusal;
    this.tells = tells;
  }
}
