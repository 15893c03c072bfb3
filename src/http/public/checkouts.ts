import { createCheckout } from "../../actions/create-checkout.ts";
import { checkoutUrl } from "../../actions/links.ts";
import { AppError } from "../../errors.ts";
import { checkoutETag, CheckoutResource, CreateCheckoutParams, presentCheckout } from "../../resources/checkout.ts";
import { readCheckout } from "../../store/checkouts.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const checkoutEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/checkouts",
    operationId: "createCheckout",
    summary: "Create a Checkout, and its Customer if need be",
    description:
      "Both are created or neither. Send the buyer to `url`; without a named Customer the page asks for an e-mail address. " +
      "With a `subscriptionId` it changes that Subscription to the Product, as `invoice_now` does, instead of selling a new one.",
    body: CreateCheckoutParams,
    example: { productKey: "pro", customer: { email: "ada@example.com", externalId: "workspace_42" }, successUrl: "https://example.com/" },
    responses: { 201: CheckoutResource },
    errors: [
      "already_subscribed",
      "payment_provider_missing",
      "subscription_canceled",
      "subscription_cancellation_scheduled",
      "subscription_past_due",
      "invoice_open",
      "change_in_progress",
      "refund_in_progress",
      "payment_disputed",
    ],
    handle: (ctx, { call, body }) => createCheckout(ctx, call, body),
  }),
  endpoint({
    method: "GET",
    path: "/checkouts/{checkoutId}",
    operationId: "getCheckout",
    summary: "Read a Checkout",
    params: { checkoutId: "chk" },
    responses: { 200: CheckoutResource },
    async handle(ctx, { call, params }) {
      const checkout = await readCheckout(ctx.db.read, call.organizationId, params.checkoutId);
      if (!checkout) throw new AppError("not_found");
      const resource = presentCheckout(checkout, { ...checkout, url: checkoutUrl(ctx, checkout) });
      return answer(200, resource, { ETag: checkoutETag(checkout, checkout) });
    },
  }),
];
