import type { ActionOf } from "./history.ts";
import { chooseSub } from "./reference-change.ts";
import { claimWithItsCard } from "./reference-claim.ts";
import type { Life } from "./reference-life.ts";
import { isRefused } from "./reference-price.ts";
import { openInvoices, type Customer, type Shop, type Sub } from "./reference-model.ts";

// Pauses of a Subscription (docs/rules.md: S8).

const YEARS = 3;

/** The reason why no pause is possible; null: it is possible. */
function refusal(customer: Customer, sub: Sub): string | null {
  if (sub.status === "canceled") return "409 subscription_canceled";
  if (sub.changing) return "409 change_in_progress";
  if (sub.cancelAt !== null) return "409 subscription_cancellation_scheduled";
  if (sub.status === "past_due") return "409 subscription_past_due";
  return openInvoices(customer, sub).length > 0 ? "409 invoice_open" : null;
}

const latest = (to: number): number =>
  Temporal.Instant.fromEpochMilliseconds(to).toZonedDateTimeISO("UTC").add({ years: YEARS }).epochMilliseconds;

/** Schedules a pause for the end of the period, or changes a pause. */
export function pause({ now }: Shop, customer: Customer, { sub: number, until, access }: ActionOf<"pause">): string {
  const sub = chooseSub(customer, number);
  const refused = sub && refusal(customer, sub);
  if (!sub || refused) return refused ?? "nobody";
  const resumes = until === null ? null : now + until;
  if (sub.pause?.until === resumes && sub.pause.access === access) return "200";
  const isPossible = resumes === null || (resumes > Math.max(sub.to, now) && resumes <= latest(sub.to));
  if (!isPossible) return "422 validation_failed";
  claimWithItsCard(customer, sub);
  sub.pause = { until: resumes, access };
  if (sub.status === "paused") sub.suspended = access === "revoke";
  return "200";
}

/** Ends a pause, or undoes a pause that has not begun. */
export function resume(life: Life, customer: Customer, { sub: number }: ActionOf<"resume">): string {
  const sub = chooseSub(customer, number);
  if (!sub) return "nobody";
  if (sub.status === "canceled") return "409 subscription_canceled";
  if (!sub.pause) return "200";
  if (sub.status === "paused" && isRefused(sub, life.shop.now)) return "409 price_not_accepted";
  claimWithItsCard(customer, sub);
  if (sub.status === "paused") life.resume(customer, sub, life.shop.now);
  else sub.pause = null;
  return "200";
}
