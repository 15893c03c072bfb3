import type { Context } from "../../context.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { alreadySubscribed } from "../../domain/collection/group.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { PayCheckoutParams } from "../../resources/checkout.ts";
import { readShownCheckout } from "../checkout/read.ts";
import type { SubmissionRefusal } from "../checkout/submission.ts";
import { submitCheckout } from "../checkout/submit.ts";
import { withCheckoutUrl } from "../links.ts";
import type { CheckoutView } from "../views.ts";
import { cardOfNumber } from "./card-of-number.ts";

function refusalError(refusal: SubmissionRefusal): Refusal {
  switch (refusal.refused) {
    case "already_subscribed":
      return alreadySubscribed(refusal.holder);
    case "card":
      return new Refusal("card_not_accepted", {
        field: "/card",
        fault: refusal.fault.code,
        message: refusal.fault.message,
      });
    case "card_missing":
      return new Refusal("card_required", { field: "/card" });
    case "fields_faulty":
      return new Refusal("fields_faulty", { faults: refusal.faults });
    case "billing_missing":
      return new Refusal("billing_required", { field: "/billingAddress" });
    case "email_missing":
      return new Refusal("email_required", { field: "/email" });
    case "product_archived":
      return new Refusal("already_archived");
    case "change_refused":
      return refusal.error;
    case "discount_exhausted":
      return new Refusal("discount_exhausted");
    case "too_many_attempts":
      return new Refusal("checkout_not_open", { isSpent: true });
    case "not_open":
    case "amount_changed":
      return new Refusal("checkout_not_open", { isSpent: false });
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
    fieldValues: params.fieldValues,
  });
  if ("refused" in result) throw withCheckoutUrl(ctx, organizationId, refusalError(result));
  const checkout = (await readShownCheckout(ctx, organizationId, id))!;
  return { ...checkout, checkout, payment: result.payment };
}
