import type { GroupHolder } from "../collection/group.ts";
import type { FaultyField } from "../model/checkout-field.ts";
import type { Refusal } from "../refusal.ts";

/** The reason why a Checkout was not submitted. The Checkout stays as it was, or has to be shown again. */
export type CheckoutRefusal =
  | {
      refused:
        | "not_open"
        | "email_missing"
        | "card_missing"
        | "billing_missing"
        | "product_archived"
        | "too_many_attempts";
    }
  | { refused: "amount_changed" | "discount_exhausted" }
  /** Values of own fields are missing or wrong (rule C14c). */
  | { refused: "fields_faulty"; faults: readonly FaultyField[] }
  /** The Subscription can't be changed this way any more; `error` has the reason. */
  | { refused: "change_refused"; error: Refusal }
  /** `yields`: the holder gives way if its attempt is given up (rule C4). */
  | { refused: "already_subscribed"; holder: GroupHolder; yields: boolean };

/**
 * Thrown to end a submission before any row is written. `revealsCustomer`: the refusal reveals something about the
 * Customer with the typed e-mail address, possibly to a stranger.
 */
export class Refused extends Error {
  readonly refusal: CheckoutRefusal;
  readonly revealsCustomer: boolean;
  constructor(refusal: CheckoutRefusal, revealsCustomer = false) {
    super(refusal.refused);
    this.refusal = refusal;
    this.revealsCustomer = revealsCustomer;
  }
}
