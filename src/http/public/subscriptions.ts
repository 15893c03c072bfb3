import { Refusal } from "../../domain/refusal.ts";
import { updateSubscription } from "../../actions/subscription/change.ts";
import { subscriptionETag, SubscriptionResource, UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { readSubscription, readSubscriptionBody } from "../../store/subscriptions.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { subscriptionAnswer } from "../settled-answers.ts";
import { commitChange } from "../subscription-change.ts";

export const subscriptionEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/subscriptions/{subscriptionId}",
    operationId: "getSubscription",
    summary: "Read a Subscription",
    params: { subscriptionId: "sub" },
    responses: { 200: SubscriptionResource },
    async handle(ctx, { call, params }) {
      const found = await readSubscriptionBody(ctx.db.read, call.organizationId, params.subscriptionId);
      if (!found) throw new Refusal("not_found");
      const headers = { ETag: subscriptionETag(found, found.externalCustomerId) };
      if (found.body !== null) return { status: 200, headers, body: found.body };
      const subscription = await readSubscription(ctx.db.read, call.organizationId, params.subscriptionId);
      if (!subscription) throw new Refusal("not_found");
      return subscriptionAnswer(200, { subscription, externalCustomerId: subscription.externalCustomerId });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/subscriptions/{subscriptionId}",
    operationId: "updateSubscription",
    summary: "Change the Product, or schedule or undo the cancellation",
    description:
      "A 402 means that the Subscription is unchanged: its Product, its price and its periods go on as before. " +
      "`url` is a page on which the buyer can finish this very change within 23 hours, and `checkoutId` is the " +
      "Checkout of this page. A `checkout.completed` follows, and the request need not be repeated. With " +
      "`payment_refused` both are null, because the buyer could not pay on a page either.",
    params: { subscriptionId: "sub" },
    body: UpdateSubscriptionParams,
    example: { productKey: "pro", prorationBehavior: "invoice_now" },
    responses: { 200: SubscriptionResource },
    errors: [
      "payment_failed",
      "payment_action_required",
      "payment_method_required",
      "payment_refused",
      "precondition_failed",
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
      "catch_up_pending",
      "already_subscribed",
      "payment_provider_missing",
    ],
    handle: (ctx, request) =>
      commitChange(ctx, request, (origin, id, check) => updateSubscription(ctx, origin, id, request.body, check)),
  }),
];
