import type { Context } from "../../context.ts";
import { addCalendar } from "../../domain/calendar.ts";
import { longestPause } from "../../domain/model/pause.ts";
import type { Pause } from "../../domain/model/subscription.ts";
import { pauseSubscription as pause, resume, undoInPortal } from "../../domain/subscription/pause.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";
import { decided } from "./decided.ts";

/** `POST /subscriptions/{id}/pause` (rules S8a, S8b). @throws Refusal 404, 409, 412, 422 */
export const pauseSubscription = (
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  asked: Pause,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> =>
  decided(ctx, origin, id, (billing, subscription) => pause(billing, subscription, asked), checkVersion);

/**
 * Schedules a pause of `months` for a Customer in the portal (rule S8l). Returns whether the seller still allows it.
 * @throws Refusal 404, 409
 */
export async function pauseInPortal(
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  months: number,
): Promise<boolean> {
  let isAllowed = false;
  await decided(ctx, origin, id, (billing, subscription) => {
    const { portalPause, timeZone } = billing.organization;
    const longest = longestPause(subscription, portalPause, billing.now);
    isAllowed = portalPause !== null && Number.isInteger(months) && months >= 1 && months <= longest;
    if (!isAllowed) return subscription;
    const resumesAt = addCalendar(subscription.currentPeriodEnd, timeZone, `P${months}M`);
    return pause(billing, subscription, { resumesAt, access: portalPause!.access });
  });
  return isAllowed;
}

/**
 * Undoes a scheduled pause for a Customer in the portal (rule S8k). `toCancel`: a cancellation follows. Returns false
 * if the pause has begun meanwhile: the pause stays, and no charge is made.
 * @throws Refusal 404, 409
 */
export async function undoPauseInPortal(
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  toCancel: boolean,
): Promise<boolean> {
  let isUndone = false;
  await decided(ctx, origin, id, (billing, subscription) => {
    isUndone = undoInPortal(billing, subscription, toCancel);
    return billing.subscriptions.get(id)!;
  });
  return isUndone;
}

/** `POST /subscriptions/{id}/resume` (rules S8a, S8g). The worker makes the charge. @throws Refusal 404, 409, 412 */
export const resumeSubscription = (
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> => decided(ctx, origin, id, resume, checkVersion);
