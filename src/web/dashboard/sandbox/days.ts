import { dateIn, type Instant } from "../../../domain/calendar.ts";
import type { EventType } from "../../../domain/event.ts";
import { counted } from "../../../domain/words.ts";

/** A past day with its events. `types`: the number of events of each type. */
export type Day = { date: string; total: number; types: (readonly [type: EventType, count: number])[] };

/** The newest events that the page counts. */
export const MOST_COUNTED = 500;
const MOST_DAYS = 14;

/**
 * The last days with events, the newest first. `events`: newest first, at most `MOST_COUNTED`. With so many events the
 * oldest day may lack some, so that day is left out, unless it is the only one.
 */
export function daysOf(events: readonly { type: EventType; createdAt: Instant }[], zone: string): Day[] {
  const byDate = [...Map.groupBy(events, ({ createdAt }) => dateIn(createdAt, zone))];
  const days = byDate.map(([date, own]): Day => {
    const types = [...Map.groupBy(own, ({ type }) => type)].map(([type, each]) => [type, each.length] as const);
    return { date, total: own.length, types };
  });
  days.sort((one, other) => (one.date < other.date ? 1 : -1));
  const whole = events.length >= MOST_COUNTED && days.length > 1 ? days.slice(0, -1) : days;
  return whole.slice(0, MOST_DAYS);
}

/** The types that tell about a day, in the order of the sentence. */
const LEADING = {
  "customer.created": "new Customer",
  "subscription.created": "new Subscription",
  "subscription.renewed": "renewal",
  "subscription.past_due": "failed renewal",
  "subscription.recovered": "recovered Subscription",
  "subscription.canceled": "ended Subscription",
  "subscription.updated": "changed Subscription",
  "subscription.cancellation_scheduled": "cancellation",
  "subscription.paused": "pause",
  "subscription.resumed": "resumed Subscription",
  "subscription.price_change_scheduled": "notice of a new price",
  "subscription.price_change_applied": "new price",
  "subscription.price_change_withdrawn": "withdrawn price",
  "subscription.renewal_upcoming": "renewal notice",
  "subscription.resume_upcoming": "resume notice",
  "subscription.trial_ending": "trial notice",
  "invoice.paid": "paid invoice",
  "payment.failed": "failed charge",
  "refund.created": "refund",
  "dispute.created": "dispute",
} as const satisfies Partial<Record<EventType, string>>;

/** The other types follow from the types above. They tell about a day that has no event of those. */
const FOLLOWING: Record<Exclude<EventType, keyof typeof LEADING>, string> = {
  "customer.updated": "changed Customer",
  "customer.deleted": "deleted Customer",
  "checkout.created": "new Checkout",
  "checkout.completed": "completed Checkout",
  "checkout.expired": "expired Checkout",
  "checkout.payment_failed": "failed Checkout charge",
  "subscription.activated": "activated Subscription",
  "subscription.cancellation_undone": "undone cancellation",
  "invoice.created": "new invoice",
  "invoice.payment_failed": "unpaid invoice",
  "invoice.held": "held invoice",
  "invoice.voided": "void invoice",
  "invoice.refunded": "refunded invoice",
  "payment.succeeded": "payment",
  "payment.action_required": "unconfirmed charge",
  "payment_method.expiring": "expiring card",
  "payment_method.updated": "updated card",
  "payment_method.detached": "removed card",
  "payment_account.connected": "connected payment account",
  "payment_account.disconnected": "disconnected payment account",
  "payments.paused": "payment pause",
  "payments.resumed": "ended payment pause",
  "refund.failed": "failed refund",
  "dispute.updated": "updated dispute",
  "dispute.closed": "closed dispute",
  "benefit_grant.granted": "granted Benefit",
  "benefit_grant.updated": "updated grant",
  "benefit_grant.revoked": "revoked Benefit",
  "product.created": "new Product",
  "product.updated": "changed Product",
  "webhook_endpoint.disabled": "disabled webhook endpoint",
  "webhook_endpoint.test": "test event",
};

/** The events after an instant, counted as those of a day are. */
export function happenedSince(events: readonly { type: EventType; createdAt: Instant }[], since: Instant): string {
  const own = events.filter(({ createdAt }) => createdAt > since);
  if (own.length === 0) return "no events";
  const types = [...Map.groupBy(own, ({ type }) => type)].map(([type, each]) => [type, each.length] as const);
  return dayText({ types, total: own.length });
}

type Count = { count: number; text: string };
const sum = (counts: readonly Count[]) => counts.reduce((all, { count }) => all + count, 0);

/** A day in short: `2 new Customers, 3 renewals · 17 events`. The total stands only if the events before it are fewer. */
export function dayText({ types, total }: Omit<Day, "date">): string {
  const counts = new Map(types);
  const countsOf = (nouns: Partial<Record<EventType, string>>) =>
    Object.entries(nouns).flatMap(([type, noun]): Count[] => {
      const count = counts.get(type as EventType);
      return count === undefined ? [] : [{ count, text: counted(count, noun) }];
    });
  const leading = countsOf(LEADING);
  const all = leading.length > 0 ? leading : countsOf(FOLLOWING);
  const more = total > sum(all) ? ` · ${counted(total, "event")}` : "";
  return `${all.map(({ text }) => text).join(", ")}${more}`;
}
