import { leftOf, rateLineOf, type BilledLine } from "../domain/credit.ts";
import { disputedOf } from "../domain/dispute.ts";
import type { InvoiceLine } from "../domain/invoice.ts";
import type { GivenBack, Refund } from "../domain/refund.ts";
import type { Subscription } from "../domain/subscription.ts";
import { billingOfPeriod, creditsOf } from "../store/credits.ts";
import type { Queryable } from "../store/db.ts";
import { disputesOf } from "../store/disputes.ts";
import { refundsOf } from "../store/refunds.ts";

export type Back = Omit<GivenBack, "refunds"> & { refunds: readonly Refund[] };

/** Everything that was given back of an invoice: refunds (those that failed included), disputes, and credits of its lines. */
export async function givenBackOf(db: Queryable, organizationId: string, invoiceId: string): Promise<Back> {
  return (await givenBackOfInvoices(db, organizationId, [invoiceId])).get(invoiceId)!;
}

/** As `givenBackOf`, of several invoices, by the invoice's id. */
export async function givenBackOfInvoices(db: Queryable, organizationId: string, ids: readonly string[]): Promise<Map<string, Back>> {
  const [refunds, disputes, credits] = await Promise.all([
    refundsOf(db, organizationId, ...ids),
    disputesOf(db, organizationId, ...ids),
    creditsOf(db, organizationId, ...ids),
  ]);
  const of = <Row extends { invoiceId: string | null }>(rows: readonly Row[], id: string) => rows.filter((row) => row.invoiceId === id);
  return new Map(ids.map((id) => [id, { refunds: of(refunds, id), disputed: disputedOf(of(disputes, id)), credits: of(credits, id) }]));
}

/** The line that the paid rate of the period in progress comes from (rule P10). */
export async function findRateLine(db: Queryable, subscription: Subscription): Promise<InvoiceLine | null> {
  const { lines, credits } = await billingOfPeriod(db, subscription);
  return rateLineOf(lines, credits, subscription);
}

/** That line with how much of it can still be credited. */
export async function findBilledLine(db: Queryable, subscription: Subscription): Promise<BilledLine | null> {
  const line = await findRateLine(db, subscription);
  if (!line) return null;
  const refunds = line.invoiceId === null ? [] : await refundsOf(db, subscription.organizationId, line.invoiceId);
  const refunded = refunds.filter(({ status }) => status !== "failed").flatMap((refund) => refund.lines);
  return { line, left: leftOf(line, refunded, []) };
}
