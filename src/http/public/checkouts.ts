import { Refusal } from "../../domain/refusal.ts";
import { createCheckout } from "../../actions/checkout/create.ts";
import { readShownCheckout } from "../../actions/checkout/read.ts";
import { checkoutUrl } from "../../actions/links.ts";
import type { CheckoutView } from "../../actions/views.ts";
import type { Context } from "../../context.ts";
import { checkoutETag, CheckoutResource, CreateCheckoutParams, presentCheckout } from "../../resources/checkout.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

function checkoutAnswer(ctx: Context, status: 200 | 201, { checkout, externalCustomerId, now }: CheckoutView): Answer {
  const resource = presentCheckout(checkout, { externalCustomerId, now, url: checkoutUrl(ctx, checkout) });
  return answer(status, resource, { ETag: checkoutETag(checkout, { externalCustomerId, now }) });
}

export const checkoutEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/checkouts",
    operationId: "createCheckout",
    summary: "Create a Checkout, and its Customer if the Customer does not exist yet",
    description:
      "Both are created, or neither is. Send the buyer to `url`. " +
      "Without a named Customer, the page asks for an e-mail address. With " +
      "a `subscriptionId`, the Checkout sells no new Subscription. " +
      "It changes that Subscription to the Product, as `invoice_now` does.",
    body: CreateCheckoutParams,
    example: {
      productKey: "pro",
      customer: { email: "ada@example.com", externalId: "workspace_42" },
      successUrl: "https://example.com/",
    },
    responses: { 201: CheckoutResource },
    errors: [
      "already_subscribed",
      "payment_provider_missing",
      "subscription_canceled",
      "subscription_held",
      "subscription_cancellation_scheduled",
      "subscription_past_due",
      "subscription_pause_scheduled",
      "subscription_paused",
      "invoice_open",
      "change_in_progress",
      "refund_in_progress",
      "payment_disputed",
    ],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createCheckout(ctx, origin, body),
        (made: CheckoutView) => checkoutAnswer(ctx, 201, made),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/checkouts/{checkoutId}",
    operationId: "getCheckout",
    summary: "Read a Checkout",
    params: { checkoutId: "chk" },
    responses: { 200: CheckoutResource },
    async handle(ctx, { call, params }) {
      const checkout = await readShownCheckout(ctx, call.organizationId, params.checkoutId);
      if (!checkout) throw new Refusal("not_found");
      return checkoutAnswer(ctx, 200, { ...checkout, checkout });
    },
  }),
];
