import { COPY_PROBE_MILLISECONDS, HOLD_MILLISECONDS, PROBE_MILLISECONDS } from "../domain/model/payment-pause.ts";
import type { PaymentPause } from "../domain/model/payment-pause.ts";
import type { ProviderAccount } from "../domain/model/payment-outcome.ts";
import type { RowKey } from "./customer-billing/keys.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { isNotHeld } from "./promotions.ts";
import { arraysSql, withArrays } from "./driver/batch-forms.ts";
import { defineTable } from "./driver/table.ts";

export const paymentPauses = defineTable<PaymentPause>("payment_pauses", {
  organizationId: "plain",
  id: "plain",
  provider: "plain",
  providerAccount: "plain",
  reason: "plain",
  endedAt: "instant",
  checkAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

/** Joins the open pause `z` of the account of a payment. */
export const joinPause = (p: string) =>
  `LEFT JOIN payment_pauses z ON z.organization_id = ${p}.organization_id AND z.provider = ${p}.provider
     AND z.provider_account = ${p}.provider_account AND z.ended_at IS NULL`;

const openStatement = sql(
  "payment_pauses.open",
  `SELECT ${paymentPauses.columns()} FROM payment_pauses WHERE organization_id = $1 AND ended_at IS NULL ORDER BY id`,
);
const lockStatement = sql(
  "payment_pauses.lock_open",
  `SELECT ${paymentPauses.columns()} FROM payment_pauses
   WHERE organization_id = $1 AND provider = $2 AND provider_account = $3 AND ended_at IS NULL FOR UPDATE`,
);
const dueStatement = sql(
  "payment_pauses.due",
  `SELECT ${paymentPauses.columns()} FROM payment_pauses WHERE check_at <= statement_timestamp() ORDER BY check_at
    LIMIT $1`,
);
const closedStatement = sql(
  "payment_pauses.closed",
  `SELECT provider, provider_account AS "providerAccount" FROM payment_pauses
   WHERE organization_id = $1 AND check_at > statement_timestamp()`,
);
const claimStatement = sql(
  "payment_pauses.claim",
  `UPDATE payment_pauses SET check_at = statement_timestamp()
     + CASE WHEN reason = 'copy' THEN ${COPY_PROBE_MILLISECONDS} ELSE ${PROBE_MILLISECONDS} END
       * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND check_at <= statement_timestamp() RETURNING 1 AS claimed`,
);
const countStatement = sql(
  "payment_pauses.count",
  "SELECT count(*) AS open FROM payment_pauses WHERE check_at IS NOT NULL",
);

/** The open pauses of an Organization, oldest first. */
export function openPauses(db: Queryable, organizationId: string): Promise<PaymentPause[]> {
  return db.query<PaymentPause>(openStatement, [organizationId]);
}

/**
 * The accounts of an Organization that are paused and whose next probe is not due. Such an account takes no attempt of
 * a buyer. Once the probe is due, a buyer's attempt may be this probe.
 */
export function closedAccounts(db: Queryable, organizationId: string): Promise<ProviderAccount[]> {
  return db.query<ProviderAccount>(closedStatement, [organizationId]);
}

/** Locks the open pause of an account until the transaction ends; null: the account is not paused. */
export async function lockPause(
  tx: Tx,
  organizationId: string,
  account: ProviderAccount,
): Promise<PaymentPause | null> {
  const values = [organizationId, account.provider, account.providerAccount];
  return (await tx.query<PaymentPause>(lockStatement, values))[0] ?? null;
}

/** Pauses whose next probe is due, in real time. */
export function duePauses(db: Queryable, limit: number): Promise<PaymentPause[]> {
  return db.query<PaymentPause>(dueStatement, [limit]);
}

/** Takes the probe of this minute; false if another process has taken it, or if the pause is over (rule D9b). */
export async function claimProbe(tx: Tx, { organizationId, id }: RowKey): Promise<boolean> {
  return (await tx.query(claimStatement, [organizationId, id])).length > 0;
}

const copiesStatement = sql(
  "payment_pauses.of_copies",
  `SELECT ${paymentPauses.columns()} FROM payment_pauses WHERE check_at IS NOT NULL AND reason = 'copy' ORDER BY id`,
);

/** The open pauses of all Organizations that began because this database was a copy. */
export function pausesOfCopy(db: Queryable): Promise<PaymentPause[]> {
  return db.query<PaymentPause>(copiesStatement);
}

/** The number of paused accounts of all Organizations. */
export async function countPauses(db: Queryable): Promise<number> {
  return (await db.query<{ open: number }>(countStatement))[0]!.open;
}

// An attempt without an outcome at a probe counts as asked, so the next probe is another attempt.
const waitingStatement = sql(
  "payment_pauses.waiting",
  `SELECT id, refund FROM (
     (SELECT id, false AS refund FROM payments
      WHERE organization_id = $1 AND check_at IS NOT NULL AND provider = $2 AND provider_account = $3
        AND failure_code IS NULL AND (status IN ('pending', 'unknown') OR abandoned) AND ${isNotHeld("payments", "$1")}
      ORDER BY checks, id LIMIT 1)
     UNION ALL
     (SELECT r.id, true FROM refunds r
      JOIN payments p ON p.organization_id = r.organization_id AND p.id = r.payment_id
      WHERE r.organization_id = $1 AND r.check_at IS NOT NULL AND p.provider = $2 AND p.provider_account = $3
      ORDER BY r.checks, r.id LIMIT 1)
   ) waiting ORDER BY refund LIMIT 1`,
);

/** The payment or refund that is the next probe: the oldest one that waits for the end of the pause. */
export async function waitingFor(
  db: Queryable,
  { organizationId, provider, providerAccount }: PaymentPause,
): Promise<{ id: string; refund: boolean } | null> {
  const values = [organizationId, provider, providerAccount];
  return (await db.query<{ id: string; refund: boolean }>(waitingStatement, values))[0] ?? null;
}

// The lock on the pause orders a hold before the end of the pause, which releases the row, or after it: then nothing is
// held. Rows that another transaction has locked are skipped, so two processes never deadlock.
const HELD_UNTIL = `statement_timestamp() + ${HOLD_MILLISECONDS} * interval '1 millisecond'`;
const openOf = (owners: string) => `SELECT organization_id, provider, provider_account FROM payment_pauses
     WHERE organization_id = ${owners} AND ended_at IS NULL ORDER BY organization_id, id FOR SHARE`;
const holdPaymentsStatement = arraysSql(
  "payments.hold",
  { id: "text" },
  (rows, keyOf, owners) =>
    `WITH paused AS (${openOf(owners)})
   UPDATE payments p SET check_at = ${HELD_UNTIL}
   FROM (
     SELECT d.organization_id, d.id FROM ${rows} JOIN payments d ON d.organization_id = ${keyOf("r")} AND d.id = r.id
     JOIN paused z ON z.organization_id = d.organization_id AND z.provider = d.provider
       AND z.provider_account = d.provider_account
     WHERE d.check_at IS NOT NULL FOR UPDATE OF d SKIP LOCKED
   ) held
   WHERE p.organization_id = ${keyOf("held")} AND p.id = held.id`,
);
const holdRefundStatement = sql(
  "refunds.hold",
  `WITH paused AS (${openOf("$1")})
   UPDATE refunds r SET check_at = ${HELD_UNTIL}
   FROM payments p
   JOIN paused z ON z.organization_id = p.organization_id AND z.provider = p.provider
     AND z.provider_account = p.provider_account
   WHERE r.organization_id = $1 AND p.organization_id = $1 AND p.id = r.payment_id
     AND r.id = $2 AND r.check_at IS NOT NULL`,
);

/** Postpones unsettled payments of paused accounts by an hour. The end of the pause makes them due (rule D9d). */
export async function holdPayments(tx: Tx, keys: readonly RowKey[]): Promise<void> {
  await tx.query(...withArrays(tx, holdPaymentsStatement, keys, ({ id }) => id));
}

/** As `holdPayments`, for a refund. */
export async function holdRefund(tx: Tx, { organizationId, id }: RowKey): Promise<void> {
  await tx.query(holdRefundStatement, [organizationId, id]);
}

// A row that is due within a minute is left out: it is leased, or is looked at soon in any case.
const IS_FAR = "check_at > statement_timestamp() + interval '1 minute'";
const releasePaymentsStatement = sql(
  "payments.release",
  `UPDATE payments p SET check_at = statement_timestamp()
   FROM (
     SELECT id FROM payments
     WHERE organization_id = $1 AND provider = $2 AND provider_account = $3 AND ${IS_FAR} FOR UPDATE SKIP LOCKED
   ) held
   WHERE p.organization_id = $1 AND p.id = held.id`,
);
const releaseRefundsStatement = sql(
  "refunds.release",
  `UPDATE refunds r SET check_at = statement_timestamp()
   FROM (
     SELECT h.id FROM refunds h
     JOIN payments p ON p.organization_id = h.organization_id AND p.id = h.payment_id
     WHERE h.organization_id = $1 AND p.provider = $2 AND p.provider_account = $3 AND h.${IS_FAR}
     FOR UPDATE OF h SKIP LOCKED
   ) held
   WHERE r.organization_id = $1 AND r.id = held.id`,
);

/** Makes the payments and refunds of an account due, after its pause was ended in this transaction. */
export async function releaseHeld(tx: Tx, { organizationId, provider, providerAccount }: PaymentPause): Promise<void> {
  const values = [organizationId, provider, providerAccount];
  await tx.query(releasePaymentsStatement, values);
  await tx.query(releaseRefundsStatement, values);
  tx.wakes("payments");
  tx.wakes("refunds");
}
