import type { PurchaseSaid } from "../../domain/checkout/buyer.ts";
import type { Submitted } from "../../domain/checkout/attempt.ts";
import type { CheckoutRefusal } from "../../domain/checkout/refusal.ts";
import type { CardFault, CardInput } from "../../payments/provider.ts";

/**
 * The form that the buyer submits. `card` `on_file`: the card on file that a bank asked about (rule P1). `locale`: the
 * language of the page, which becomes the language of a new Customer.
 */
export type Submission = {
  card: CardInput | "on_file" | null;
  email: string | null;
  name: string | null;
} & PurchaseSaid;

/** The reason why a Checkout was not submitted. The Checkout is unchanged, or has to be shown again as it is now. */
export type SubmissionRefusal = CheckoutRefusal | { refused: "card"; fault: CardFault };
export type SubmissionResult = Submitted | SubmissionRefusal;
