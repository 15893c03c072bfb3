import { Refusal } from "../../domain/refusal.ts";
import { cancelNow } from "../../actions/subscription/cancel-now.ts";
import { pauseSubscription, resumeSubscription } from "../../actions/subscription/pause.ts";
import { createSubscription } from "../../actions/subscription/create.ts";
import type { SubscriptionView } from "../../actions/views.ts";
import { previewCancelNow, previewChange, previewResumeNow } from "../../actions/subscription/preview.ts";
import { changeSubscriptionDiscount, previewDiscount } from "../../actions/subscription/discount.ts";
import { extendSubscriptionTrial, previewTrial } from "../../actions/subscription/trial.ts";
import {
  ChangePreviewResource,
  NextInvoicePreviewResource,
  presentChangePreview,
  presentNextInvoicePreview,
} from "../../resources/change-preview.ts";
import {
  CancelSubscriptionParams,
  ChangeDiscountParams,
  CreateSubscriptionParams,
  ExtendTrialParams,
  ListSubscriptionsQuery,
  PauseSubscriptionParams,
  presentSubscription,
  SubscriptionResource,
  UpdateSubscriptionParams,
} from "../../resources/subscription.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { listSubscriptions, readSubscription, type ReadSubscription } from "../../store/subscriptions.ts";
import { answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { subscriptionAnswer } from "../settled-answers.ts";
import { commitChange } from "../subscription-change.ts";

const present = (row: ReadSubscription) => presentSubscription(row, row.externalCustomerId);

export const subscriptionEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/subscriptions",
    operationId: "createSubscription",
    summary: "Create a Subscription without a Checkout: complimentary, sold by hand, or begun elsewhere",
    description:
      "The first period is invoiced and charged to the Customer's card, as a renewal is. " +
      "Without a card, the Subscription is past due " +
      "until the invoice is paid or marked as paid. " +
      "With `startedAt`, the Subscription began elsewhere, and the next period is the " +
      "first that is invoiced.",
    body: CreateSubscriptionParams,
    example: { externalCustomerId: "workspace_42", productKey: "pro" },
    responses: { 201: SubscriptionResource },
    errors: ["already_subscribed", "payment_provider_missing"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createSubscription(ctx, origin, body),
        (made: SubscriptionView) => subscriptionAnswer(201, made),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/subscriptions",
    operationId: "listSubscriptions",
    summary: "List Subscriptions, newest first",
    query: ListSubscriptionsQuery,
    responses: { 200: pageOf(SubscriptionResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listSubscriptions(ctx.db.stale, call.organizationId, query), query.limit, present),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/subscriptions/{subscriptionId}",
    operationId: "getSubscription",
    summary: "Read a Subscription",
    params: { subscriptionId: "sub" },
    responses: { 200: SubscriptionResource },
    async handle(ctx, { call, params }) {
      const subscription = await readSubscription(ctx.db.read, call.organizationId, params.subscriptionId);
      if (!subscription) throw new Refusal("not_found");
      return subscriptionAnswer(200, { subscription, externalCustomerId: subscription.externalCustomerId });
    },
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/preview",
    operationId: "previewSubscriptionChange",
    summary: "Preview a PATCH of the Subscription, line by line. No data is changed",
    params: { subscriptionId: "sub" },
    body: UpdateSubscriptionParams,
    example: { productKey: "pro", prorationBehavior: "invoice_now" },
    responses: { 200: ChangePreviewResource },
    errors: [
      "payment_method_required",
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
    ],
    scopes: ["public", "manage"],
    async handle(ctx, { call, params, body }) {
      return answer(
        200,
        presentChangePreview(await previewChange(ctx, call.organizationId, params.subscriptionId, body)),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/pause",
    operationId: "pauseSubscription",
    summary: "Pause a Subscription from the end of its period or trial on",
    description:
      "No period begins during a pause, and nothing is invoiced. Another request changes the pause, before and after " +
      "its begin.",
    params: { subscriptionId: "sub" },
    body: PauseSubscriptionParams,
    example: { resumesAt: "2026-09-15T00:00:00Z", access: "revoke" },
    responses: { 200: SubscriptionResource },
    errors: [
      "precondition_failed",
      "subscription_canceled",
      "subscription_held",
      "subscription_cancellation_scheduled",
      "subscription_past_due",
      "invoice_open",
      "change_in_progress",
      "catch_up_pending",
    ],
    handle: (ctx, request) =>
      commitChange(ctx, request, (origin, id, check) => pauseSubscription(ctx, origin, id, request.body, check)),
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/resume",
    operationId: "resumeSubscription",
    summary: "Resume a paused Subscription, or undo a pause that has not begun",
    description:
      "A new period begins now. Its invoice is charged to the card on file, and access that the pause took comes " +
      "back once this invoice is paid. Before the pause begins, the request undoes the pause without a charge.",
    params: { subscriptionId: "sub" },
    responses: { 200: SubscriptionResource },
    errors: [
      "precondition_failed",
      "subscription_canceled",
      "subscription_held",
      "change_in_progress",
      "catch_up_pending",
      "price_not_accepted",
    ],
    handle: (ctx, request) =>
      commitChange(ctx, request, (origin, id, check) => resumeSubscription(ctx, origin, id, check)),
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/resume/preview",
    operationId: "previewSubscriptionResume",
    summary: "Preview the invoice that `resume` would make now, line by line. No data is changed",
    description:
      "If the pause has not begun, `resume` undoes the pause: there are no lines and no charge. " +
      "`nextInvoice` is that of the period after the resume. " +
      "Without a card that can be charged, no further period begins, so `nextInvoice` is null.",
    params: { subscriptionId: "sub" },
    responses: { 200: ChangePreviewResource },
    errors: [
      "subscription_canceled",
      "subscription_held",
      "change_in_progress",
      "catch_up_pending",
      "price_not_accepted",
    ],
    async handle(ctx, { call, params }) {
      return answer(200, presentChangePreview(await previewResumeNow(ctx, call.organizationId, params.subscriptionId)));
    },
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/discount",
    operationId: "changeSubscriptionDiscount",
    summary: "Give a Subscription another discount from its next period on, or take its discount off",
    description:
      "The period in progress and open invoices stay as they were billed. A request for the present discount takes " +
      "back a change that waits.",
    params: { subscriptionId: "sub" },
    body: ChangeDiscountParams,
    example: { discountCode: "SPRING" },
    responses: { 200: SubscriptionResource },
    errors: [
      "precondition_failed",
      "subscription_canceled",
      "subscription_held",
      "change_in_progress",
      "catch_up_pending",
    ],
    handle: (ctx, request) =>
      commitChange(ctx, request, (origin, id, check) =>
        changeSubscriptionDiscount(ctx, origin, id, request.body, check),
      ),
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/discount/preview",
    operationId: "previewSubscriptionDiscount",
    summary: "Preview the next invoice before and after another discount. No data is changed",
    params: { subscriptionId: "sub" },
    body: ChangeDiscountParams,
    example: { discountCode: "SPRING" },
    responses: { 200: NextInvoicePreviewResource },
    errors: ["subscription_canceled", "subscription_held", "change_in_progress", "catch_up_pending"],
    async handle(ctx, { call, params, body }) {
      const preview = await previewDiscount(ctx, call.organizationId, params.subscriptionId, body);
      return answer(200, presentNextInvoicePreview(preview));
    },
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/trial",
    operationId: "extendSubscriptionTrial",
    summary: "Move the end of a trial to a later time",
    description: "The first paid period begins at the new end. A planned end and a pending change move along.",
    params: { subscriptionId: "sub" },
    body: ExtendTrialParams,
    example: { trialEnd: "2026-09-15T00:00:00Z" },
    responses: { 200: SubscriptionResource },
    errors: [
      "precondition_failed",
      "subscription_canceled",
      "subscription_not_trialing",
      "subscription_held",
      "subscription_pause_scheduled",
      "change_in_progress",
      "catch_up_pending",
    ],
    handle: (ctx, request) =>
      commitChange(ctx, request, (origin, id, check) =>
        extendSubscriptionTrial(ctx, origin, id, request.body.trialEnd, check),
      ),
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/trial/preview",
    operationId: "previewSubscriptionTrial",
    summary: "Preview the next invoice before and after a longer trial. No data is changed",
    params: { subscriptionId: "sub" },
    body: ExtendTrialParams,
    example: { trialEnd: "2026-09-15T00:00:00Z" },
    responses: { 200: NextInvoicePreviewResource },
    errors: [
      "subscription_canceled",
      "subscription_not_trialing",
      "subscription_held",
      "subscription_pause_scheduled",
      "change_in_progress",
      "catch_up_pending",
    ],
    async handle(ctx, { call, params, body }) {
      const preview = await previewTrial(ctx, call.organizationId, params.subscriptionId, body.trialEnd);
      return answer(200, presentNextInvoicePreview(preview));
    },
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/cancel-now",
    operationId: "cancelSubscriptionNow",
    summary: "End a Subscription at once. Billow makes no refund by itself",
    description:
      "Lines that wait for the next invoice make a last invoice. " +
      "Each line counts for the part of its period that has passed. A total " +
      "above zero is charged once. A total below zero goes to the balance.",
    params: { subscriptionId: "sub" },
    body: CancelSubscriptionParams,
    bodyOptional: true,
    responses: { 200: SubscriptionResource },
    errors: [
      "precondition_failed",
      "subscription_canceled",
      "subscription_held",
      "change_in_progress",
      "catch_up_pending",
    ],
    handle: (ctx, request) =>
      commitChange(ctx, request, (origin, id, check) => cancelNow(ctx, origin, id, request.body, check)),
  }),
  endpoint({
    method: "POST",
    path: "/subscriptions/{subscriptionId}/cancel-now/preview",
    operationId: "previewSubscriptionCancellation",
    summary: "Preview the last invoice of `cancel-now`, line by line. No data is changed",
    description:
      "`balanceChange` includes the amounts that open invoices give back when they become void. " +
      "There is no next invoice: " +
      "`nextInvoice` is null.",
    params: { subscriptionId: "sub" },
    body: CancelSubscriptionParams,
    bodyOptional: true,
    responses: { 200: ChangePreviewResource },
    errors: ["subscription_canceled", "subscription_held", "change_in_progress", "catch_up_pending"],
    async handle(ctx, { call, params, body }) {
      return answer(
        200,
        presentChangePreview(await previewCancelNow(ctx, call.organizationId, params.subscriptionId, body)),
      );
    },
  }),
];
