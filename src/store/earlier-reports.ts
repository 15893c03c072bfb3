import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { EarlierReport } from "../domain/model/earlier-report.ts";
import type { ConnectionKey } from "../domain/model/provider-connection.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { columnList } from "./driver/table.ts";

/** A report with the instants at which Billow learned of it, and of its last change. */
export type EarlierReportRow = EarlierReport & { createdAt: Instant; updatedAt: Instant };

const COLUMNS = columnList([
  "ref",
  "chargeRef",
  "customerId",
  "kind",
  "status",
  "reason",
  "amount",
  "currency",
  "evidenceDueAt",
  "createdAt",
  "updatedAt",
] satisfies (keyof EarlierReportRow)[]);

const putStatement = sql(
  "earlier_reports.put",
  `INSERT INTO earlier_reports (organization_id, provider, provider_account, ref, charge_ref, customer_id, kind,
     status, reason, amount, currency, evidence_due_at, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::timestamptz, $13::timestamptz)
   ON CONFLICT (organization_id, provider, provider_account, ref) DO UPDATE SET status = excluded.status,
     reason = excluded.reason, amount = excluded.amount, evidence_due_at = excluded.evidence_due_at,
     updated_at = excluded.updated_at`,
);
const ofCustomerStatement = sql(
  "earlier_reports.of_customer",
  `SELECT ${COLUMNS} FROM earlier_reports WHERE organization_id = $1 AND customer_id = $2
   ORDER BY created_at DESC, ref LIMIT $3`,
);
const openStatement = sql(
  "earlier_reports.open",
  `SELECT ${COLUMNS} FROM earlier_reports WHERE organization_id = $1 AND status IN ('inquiry', 'open')
   ORDER BY evidence_due_at, ref LIMIT $2`,
);

/** Stores the report in its present state. A repetition changes no other row. */
export async function putEarlierReport(
  tx: Tx,
  { organizationId, provider, providerAccount }: ConnectionKey,
  report: EarlierReport,
  at: Instant,
): Promise<void> {
  const { ref, chargeRef, customerId, kind, status, reason, amount, currency, evidenceDueAt } = report;
  const due = evidenceDueAt === null ? null : formatInstant(evidenceDueAt);
  const of = [organizationId, provider, providerAccount, ref, chargeRef, customerId, kind];
  await tx.query(putStatement, [...of, status, reason, amount, currency, due, formatInstant(at)]);
}

/** The reports about a Customer, newest first. */
export function earlierReportsOf(
  db: Queryable,
  organizationId: string,
  customerId: string,
  limit: number,
): Promise<EarlierReportRow[]> {
  return db.query<EarlierReportRow>(ofCustomerStatement, [organizationId, customerId, limit]);
}

/** The disputes that wait for evidence or for the bank, the first deadline first. */
export function openEarlierDisputes(db: Queryable, organizationId: string, limit: number): Promise<EarlierReportRow[]> {
  return db.query<EarlierReportRow>(openStatement, [organizationId, limit]);
}
