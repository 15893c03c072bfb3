import type { Instant } from "../../domain/calendar.ts";
import type { Submitted } from "../../domain/checkout/attempt.ts";
import type { CheckoutRefusal } from "../../domain/checkout/refused.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import type { CardDetails, CardFault } from "../../payments/provider.ts";

/** The form of the buyer. `billing`: where they are, where they were asked; for the others see `BuyerSaid`. */
export type Submission = {
  card: CardDetails | null;
  email: string | null;
  name: string | null;
  billing: Billing | null;
  expectedAmount: number | null;
  shownAt: Instant | null;
};

/** Why a Checkout was not submitted; the Checkout is as it was, or as it has to be shown again. */
export type SubmissionRefusal = CheckoutRefusal | { refused: "card"; fault: CardFault };
export type SubmissionResult = Submitted | SubmissionRefusal;
