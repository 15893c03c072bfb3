import type { AppError } from "../../errors.ts";

/** After so many failed attempts a Checkout takes no more: thieves try out stolen cards, and whose e-mail addresses are known, so. */
export const MAX_FAILED_ATTEMPTS = 10;

/** Why a Checkout was not submitted; it is as it was, or as it has to be shown again. */
export type CheckoutRefusal =
  | { refused: "not_open" | "email_missing" | "card_missing" | "billing_missing" | "product_archived" | "too_many_attempts" }
  | { refused: "amount_changed" | "discount_exhausted" }
  /** The Subscription can't be changed this way any more; `error` says why. */
  | { refused: "change_refused"; error: AppError }
  | { refused: "already_subscribed"; subscriptionId: string | null };

/** Ends a submission before anything of it is kept. `tells`: of the Customer whose e-mail address was typed, maybe by somebody else. */
export class Refused extends Error {
  readonly refusal: CheckoutRefusal;
  readonly tells: boolean;
  constructor(refusal: CheckoutRefusal, tells = false) {
    super(refusal.refused);
    this.refusal = refusal;
    this.tells = tells;
  }
}
