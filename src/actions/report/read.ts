import type { Context } from "../../context.ts";
import { addDays, beginOfDay, instant, type Instant } from "../../domain/calendar.ts";
import { bucketsOf, type Bucket } from "../../domain/metrics/span.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { beginsOfAges, receivablesBy, type CurrencyReceivables } from "../../domain/report/receivables.ts";
import { revenueRows, type RevenueRow } from "../../domain/report/revenue.ts";
import type { TaxRow } from "../../domain/report/tax.ts";
import { billingNow } from "../../store/organizations.ts";
import { countOwed, readBooked, readTaxes, type OwedQuery } from "../../store/reports.ts";

/** The whole months of the days `from` and `to`. `currency` null: all currencies. */
export type AskedMonths = { from: string; to: string; currency: string | null };

/** A report by month (rule R10). A row's `bucket` is the number of its month in `months`. */
export type MonthlyReport<Row> = { months: readonly Bucket[]; rows: readonly Row[] };

const monthsOf = ({ timeZone }: Organization, { from, to }: AskedMonths) => bucketsOf("month", { from, to }, timeZone);

/** The report of revenue from the ledger, by month of the Organization's time zone and currency (rule R10a). */
export async function readRevenueReport(
  ctx: Pick<Context, "db">,
  organization: Organization,
  asked: AskedMonths,
): Promise<MonthlyReport<RevenueRow>> {
  const months = monthsOf(organization, asked);
  return { months, rows: revenueRows(await readBooked(ctx.db.stale, organization.id, months, asked.currency)) };
}

/** The report of tax by place and rate, by month of the Organization's time zone and currency (rule R10b). */
export async function readTaxReport(
  ctx: Pick<Context, "db">,
  organization: Organization,
  asked: AskedMonths,
): Promise<MonthlyReport<TaxRow>> {
  const months = monthsOf(organization, asked);
  return { months, rows: await readTaxes(ctx.db.stale, organization.id, months, asked.currency) };
}

/** `at`: the instant of the report, for which the ages are counted. `owed` selects its invoices. */
export type Receivables = { at: Instant; owed: OwedQuery; currencies: CurrencyReceivables[] };

/** The open invoices at the end of the day `on`, or now if the day is not over or is null (rule R10c). */
export async function readReceivables(
  ctx: Pick<Context, "db">,
  { id, timeZone }: Organization,
  { on, currency }: { on: string | null; currency: string | null },
): Promise<Receivables> {
  const now = await billingNow(ctx.db.read, id);
  const end = on === null ? null : beginOfDay(addDays(on, 1), timeZone);
  const isPast = end !== null && end <= now;
  const at = isPast ? end : now;
  // The work of this very millisecond belongs to the present.
  const owed = { before: isPast ? end : instant(now + 1), currency };
  const counted = await countOwed(ctx.db.stale, id, owed, beginsOfAges(at));
  return { at, owed, currencies: receivablesBy(counted) };
}
