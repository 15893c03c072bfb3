import type { Context } from "../../context.ts";
import { dateIn } from "../../domain/calendar.ts";
import { seriesOf, type Revenue, type Series } from "../../domain/metrics/series.ts";
import { bucketsOf, type Bucket, type Step } from "../../domain/metrics/span.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { countedCurrencies, readRevenue, sumFigures, type BucketRevenue } from "../../store/metric-reads.ts";
import { billingNow } from "../../store/organizations.ts";
import { countMetrics } from "./count.ts";

/** How long a request counts events that no worker has counted yet. */
const COUNT_MILLISECONDS = 500;

/** Counts events that no worker has counted yet, within a moment. Returns whether all events are counted. */
export async function countedUp(ctx: Pick<Context, "db">, { id }: Organization): Promise<boolean> {
  return (await countMetrics(ctx, id, COUNT_MILLISECONDS)).isComplete;
}

/** The days or months `from` to `to`, both included, as dates. */
export type Asked = { step: Step; from: string; to: string };

/**
 * `currencies`: those with a Subscription or revenue, and the default currency, in the order of their codes.
 * `isComplete`: whether all events of Subscriptions are counted.
 */
export type Metrics = Series & { currency: string; currencies: string[]; isComplete: boolean };

/** Today in the Organization's time zone, by billing time. */
export async function todayOf(ctx: Pick<Context, "db">, { id, timeZone }: Organization): Promise<string> {
  return dateIn(await billingNow(ctx.db.read, id), timeZone);
}

/** The buckets of a span in the Organization's time zone. */
export const bucketsIn = ({ timeZone }: Organization, { step, from, to }: Asked): Bucket[] =>
  bucketsOf(step, { from, to }, timeZone);

const revenueOf = ({ sales, refunds, tax, recovered, recoveredPayments }: BucketRevenue): Revenue => {
  return { sales, refunds, tax, recovered, recoveredPayments };
};

/** The currency to begin with: the default one, unless all money is in others. Then the first one with money. */
const currencyAmong = (withMoney: ReadonlySet<string>, { defaultCurrency }: Organization): string =>
  withMoney.has(defaultCurrency) ? defaultCurrency : ([...withMoney].sort()[0] ?? defaultCurrency);

/**
 * The figures of a currency by day or month (rules R5, R7). There is at least one day or month. `asked` null: the
 * default currency, or another one if only others have Subscriptions or revenue.
 */
export async function readMetrics(
  ctx: Pick<Context, "db">,
  organization: Organization,
  asked: Asked,
  askedCurrency: string | null,
): Promise<Metrics> {
  const { id, defaultCurrency } = organization;
  const isComplete = await countedUp(ctx, organization);
  const buckets = bucketsIn(organization, asked);
  const span = { first: buckets[0]!.first, next: buckets.at(-1)!.next };
  const { stale } = ctx.db;
  const [placed, counted] = await Promise.all([readRevenue(stale, id, buckets), countedCurrencies(stale, id)]);
  const withMoney = new Set([...counted, ...placed.map((each) => each.currency)]);
  const currency = askedCurrency ?? currencyAmong(withMoney, organization);
  const figures = await sumFigures(stale, id, currency, span);
  const own = placed.filter((each) => each.currency === currency);
  const revenues = new Map(own.map((each) => [each.bucket, revenueOf(each)]));
  const currencies = [...withMoney.add(defaultCurrency)].sort();
  return { ...seriesOf(buckets, figures, revenues), currency, currencies, isComplete };
}
