import { dateIn, type Instant } from "../../../domain/calendar.ts";
import { subjectOf, type EventType } from "../../../domain/event.ts";
import { counted, valueInWords } from "../../../domain/words.ts";

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

/** The types that tell about a day, in the order of the sentence. The other types follow from them. */
const TOLD: Partial<Record<EventType, string>> = {
  "customer.created": "new Customer",
  "subscription.created": "new Subscription",
  "subscription.renewed": "renewal",
  "subscription.past_due": "failed renewal",
  "subscription.recovered": "recovered Subscription",
  "subscription.canceled": "ended Subscription",
  "subscription.updated": "changed Subscription",
  "subscription.cancellation_scheduled": "cancellation",
  "subscription.renewal_upcoming": "renewal notice",
  "subscription.trial_ending": "trial notice",
  "invoice.paid": "paid invoice",
  "payment.failed": "failed charge",
  "refund.created": "refund",
  "dispute.created": "dispute",
};

/** The events after an instant, counted as those of a day are. */
export function happenedSince(events: readonly { type: EventType; createdAt: Instant }[], since: Instant): string {
  const own = events.filter(({ createdAt }) => createdAt > since);
  if (own.length === 0) return "no events";
  const types = [...Map.groupBy(own, ({ type }) => type)].map(([type, each]) => [type, each.length] as const);
  return dayText({ types, total: own.length });
}

/** A day in short: `2 new Customers, 3 renewals`. */
export function dayText({ types, total }: Omit<Day, "date">): string {
  const counts = new Map(types);
  const told = Object.entries(TOLD).flatMap(([type, noun]) => {
    const count = counts.get(type as EventType);
    return count === undefined ? [] : [counted(count, noun)];
  });
  if (told.length > 0) return `${told.join(", ")} · ${counted(total, "event")}`;
  const subjects = [...new Set(types.map(([type]) => valueInWords(subjectOf(type))))];
  return `${counted(total, "event")}: ${subjects.join(", ")}`;
}
