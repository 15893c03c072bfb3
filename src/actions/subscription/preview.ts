import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { ChangePreview } from "../../domain/model/plan-change.ts";
import { claimedAtHand, heldOrAtHand, subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import * as preview from "../../domain/change/preview.ts";
import { asksForChange } from "../../domain/change/change-target.ts";
import { viewChange, type ChangeView } from "../../domain/change/change-view.ts";
import { previewResume } from "../../domain/subscription/pause.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CancelSubscriptionParams, UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { readCustomerBilling } from "../customer-billing.ts";
import { paymentRequired } from "../payment/refusal.ts";

/**
 * The effect of a PATCH with this body, computed by the decision that makes the change (rule P8).
 * @throws Refusal 402, 404, 409, 422
 */
export function previewChange(
  ctx: Context,
  organizationId: string,
  id: string,
  params: UpdateSubscriptionParams,
): Promise<ChangePreview> {
  const isChange = asksForChange(params);
  const decide = (billing: CustomerBilling, subscription: Subscription) => {
    if (!isChange) return preview.previewCancellation(billing, subscription, params.cancelAtPeriodEnd === true);
    const previewed = preview.previewProduct(billing, subscription, params);
    if (previewed) return previewed;
    throw billing.loaded.hasProvider
      ? paymentRequired(ctx, "payment_method_required", null, null)
      : new Refusal("payment_provider_missing");
  };
  return previewOn(ctx, organizationId, id, decide, isChange ? claimedAtHand : subscriptionAtHand);
}

/**
 * A change of the Product as a page shows it before the click, by the same decision as `previewChange`.
 * @throws Refusal 404, 409, 422
 */
export function previewForPage(
  ctx: Context,
  organizationId: string,
  id: string,
  params: UpdateSubscriptionParams,
): Promise<ChangeView> {
  return previewOn(
    ctx,
    organizationId,
    id,
    (billing, subscription) => viewChange(billing, subscription, params),
    claimedAtHand,
  );
}

/**
 * The effect of `cancel-now`, computed by the decision that makes the cancellation (rule P8). @throws Refusal 404, 409
 */
export function previewCancelNow(
  ctx: Context,
  organizationId: string,
  id: string,
  params: CancelSubscriptionParams,
): Promise<ChangePreview> {
  const why = { reason: params.cancellationReason, comment: params.cancellationComment };
  const decide = (billing: CustomerBilling, subscription: Subscription) =>
    preview.previewCancelNow(billing, subscription, why);
  return previewOn(ctx, organizationId, id, decide, heldOrAtHand);
}

/** The effect of `resume`, computed by the resume itself (rule P8). @throws Refusal 404, 409 */
export const previewResumeNow = (ctx: Context, organizationId: string, id: string): Promise<ChangePreview> =>
  previewOn(ctx, organizationId, id, previewResume);

function previewOn<Preview>(
  ctx: Context,
  organizationId: string,
  id: string,
  decide: (billing: CustomerBilling, subscription: Subscription) => Preview,
  atHand = subscriptionAtHand,
): Promise<Preview> {
  const key = { by: "subscription", organizationId, id } as const;
  const decideAtHand = (billing: CustomerBilling) => decide(billing, atHand(billing, id));
  return readCustomerBilling(ctx, key, decideAtHand, { deleted: true });
}
