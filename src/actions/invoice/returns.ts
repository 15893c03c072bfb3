import { disputedOf } from "../../domain/model/dispute.ts";
import type { Back } from "../../domain/model/invoice-returns.ts";
import { creditsOf, lostChargesOf } from "../../store/credits.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { disputesOf } from "../../store/disputes.ts";
import { chargesOf } from "../../store/payments.ts";
import { refundsOf } from "../../store/refunds.ts";

/**
 * All amounts of an invoice that were given back: refunds (failed ones included), disputes, and credits of the
 * invoice's lines.
 */
export async function returnsOf(db: Queryable, organizationId: string, invoiceId: string): Promise<Back> {
  return (await returnsOfInvoices(db, organizationId, [invoiceId])).get(invoiceId)!;
}

/** As `returnsOf`, for several invoices, by invoice id. */
export async function returnsOfInvoices(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, Back>> {
  const [refunds, disputes, credits, charges, lost] = await Promise.all([
    refundsOf(db, organizationId, ...ids),
    disputesOf(db, organizationId, ...ids),
    creditsOf(db, organizationId, ...ids),
    chargesOf(db, organizationId, ...ids),
    lostChargesOf(db, organizationId, ...ids),
  ]);
  const of = <Row extends { invoiceId: string | null }>(rows: readonly Row[], id: string) =>
    rows.filter((row) => row.invoiceId === id);
  return new Map(
    ids.map((id) => [
      id,
      {
        refunds: of(refunds, id),
        disputed: disputedOf(of(disputes, id)),
        credits: of(credits, id),
        paymentId: of(charges, id)[0]?.paymentId ?? null,
        lost: new Set(of(lost, id).map(({ paymentId }) => paymentId)),
      },
    ]),
  );
}
