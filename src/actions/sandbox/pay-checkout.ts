import type { Context } from "../../context.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { alreadySubscribed } from "../../domain/collection/group.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import { AppError, invalid } from "../../errors.ts";
import type { PayCheckoutParams } from "../../resources/checkout.ts";
import { readShownCheckout } from "../checkout/read.ts";
import type { SubmissionRefusal } from "../checkout/submission.ts";
import { submitCheckout } from "../checkout/submit.ts";
import { withCheckoutUrl } from "../links.ts";
import type { CheckoutView } from "../views.ts";
import { cardOfNumber } from "./card-of-number.ts";

function refusalError(refusal: SubmissionRefusal): AppError {
  switch (refusal.refused) {
    case "already_subscribed":
      return alreadySubscribed(refusal.holder);
    case "card":
      return invalid("/card", refusal.fault.code, refusal.fault.message);
    case "card_missing":
      return invalid("/card", "required", "This Checkout needs a card.");
    case "billing_missing":
      return invalid("/billingAddress", "required", "The tax depends on the buyer's country. Send a `billingAddress`.");
    case "email_missing":
      return invalid("/email", "required", "This Checkout names no Customer. Send the `email` of the buyer.");
    case "product_archived":
      return new AppError("already_archived");
    case "change_refused":
      return refusal.error;
    case "discount_exhausted":
      return new AppError("discount_exhausted");
    case "too_many_attempts":
      return new AppError("checkout_not_open", { detail: "Too many attempts failed. Create a new Checkout." });
    case "not_open":
    case "amount_changed":
      return new AppError("checkout_not_open", {
        detail:
          "The Checkout is being paid, was paid or has expired. Read the Checkout. " +
          "Create a new one only if it has expired.",
      });
  }
}

function billingIn({ billingAddress: address, taxId, companyName }: PayCheckoutParams): Billing | null {
  return address === null && companyName === null ? null : { address, taxId, companyName };
}

/** `payment`: the payment attempt; null if no payment was due. */
export type PaidCheckout = CheckoutView & { payment: Payment | null };

/**
 * `POST /sandbox/checkouts/{id}/pay`: does the same as a submission on the Checkout's page. Returns the Checkout in its
 * state after the attempt, even if the card was declined.
 */
export async function payCheckout(
  ctx: Context,
  organizationId: string,
  id: string,
  params: PayCheckoutParams,
): Promise<PaidCheckout> {
  const result = await submitCheckout(ctx, organizationId, id, {
    card: params.card === null ? null : cardOfNumber(params.card),
    email: params.email,
    name: params.name,
    locale: null,
    billing: billingIn(params),
    agreed: null,
  });
  if ("refused" in result) throw withCheckoutUrl(ctx, organizationId, refusalError(result));
  const checkout = (await readShownCheckout(ctx, organizationId, id))!;
  return { ...checkout, checkout, payment: result.payment };
}
