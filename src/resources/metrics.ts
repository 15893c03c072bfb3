import * as z from "zod";
import { addDays, addMonths, parseDate } from "../domain/calendar.ts";
import { MOVEMENT_KINDS } from "../domain/metrics/movement.ts";
import { netOf, type Point } from "../domain/metrics/series.ts";
import { MOST_DAYS, MOST_MONTHS, STEPS } from "../domain/metrics/span.ts";
import { amount, currency, currencyCode, fault, issue, time, timestamp } from "./fields.ts";

const count = z.int();
const keyed = <Key extends string, Value extends z.ZodType>(keys: readonly Key[], value: Value) =>
  z.object(Object.fromEntries(keys.map((key) => [key, value])) as Record<Key, Value>);

const moved = z.object({ amount, subscriptions: count });

const MetricPoint = z.object({
  name: z
    .string()
    .meta({ description: "The day or month in the Organization's time zone: `2026-10-31` or `2026-10`." }),
  start: timestamp,
  end: timestamp.meta({ description: "The first instant after the day or month." }),
  mrr: amount.meta({ description: "The MRR at the end of the day or month." }),
  subscriptions: keyed(["trialing", "active", "pastDue", "paused"], count).meta({
    description: "The number of Subscriptions at the end, by status.",
  }),
  units: keyed(["trialing", "active", "pastDue", "paused"], count).meta({
    description: "The sum of the quantities of these Subscriptions, by status.",
  }),
  movements: keyed(MOVEMENT_KINDS, moved).meta({ description: "The changes of the MRR, by kind." }),
  revenue: z
    .object({ sales: amount, refunds: amount, tax: amount, net: amount })
    .meta({ description: "By the ledger. `sales` and `refunds` are with tax. `net` is sales less refunds and tax." }),
  recovered: z
    .object({ amount, payments: count })
    .meta({ description: "Payments of invoices of which an earlier charge had failed." }),
});

export const MetricsResource = z
  .object({
    currency: currencyCode,
    interval: z.enum(STEPS),
    timeZone: z.string(),
    complete: z.boolean().meta({
      description: "False: some changes of Subscriptions are still being counted. Ask again in a moment.",
    }),
    data: z.array(MetricPoint).meta({ description: "The oldest day or month first." }),
  })
  .meta({ id: "Metrics" });
export type MetricsResource = z.infer<typeof MetricsResource>;

/** A date of the calendar. */
export const date = z
  .string()
  .refine((text) => parseDate(text) !== null, fault("invalid_date", "This is not a date such as 2026-10-31."))
  .meta({ format: "date" });

export const MetricsQuery = z
  .strictObject({
    from: date.meta({ description: "The first day. With `interval=month`, the whole month of this day." }),
    to: date.meta({ description: "The last day. With `interval=month`, the whole month of this day." }),
    interval: z.enum(STEPS).default("day"),
    currency: currency.optional().meta({ description: "The default is the Organization's default currency." }),
  })
  .superRefine(({ from, to, interval }, check) => {
    if (parseDate(from) === null || parseDate(to) === null) return;
    const earliest = interval === "day" ? addDays(to, 1 - MOST_DAYS) : addMonths(to, 1 - MOST_MONTHS);
    if (from > to)
      check.addIssue(issue("end_before_start", "The last day (`to`) is before the first day (`from`).", ["to"]));
    else if (from < earliest)
      check.addIssue(issue("span_too_long", `Ask for ${MOST_DAYS} days or ${MOST_MONTHS} months at most.`, ["from"]));
  });

const byStatus = ({ trialing, active, past_due: pastDue, paused }: Point["units"]) => ({
  trialing,
  active,
  pastDue,
  paused,
});

function presentPoint({
  name,
  start,
  end,
  mrr,
  subscriptions,
  units,
  movements,
  revenue,
}: Point): z.infer<typeof MetricPoint> {
  return {
    name,
    start: time(start),
    end: time(end),
    mrr,
    subscriptions: byStatus(subscriptions),
    units: byStatus(units),
    movements,
    revenue: { sales: revenue.sales, refunds: revenue.refunds, tax: revenue.tax, net: netOf(revenue) },
    recovered: { amount: revenue.recovered, payments: revenue.recoveredPayments },
  };
}

type MetricsView = Pick<MetricsResource, "currency" | "interval" | "timeZone" | "complete"> & {
  points: readonly Point[];
};

export const presentMetrics = ({ points, ...shown }: MetricsView): MetricsResource => ({
  ...shown,
  data: points.map(presentPoint),
});
