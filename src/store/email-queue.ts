import type { NewEmail } from "../domain/billing/customer-billing.ts";
import { formatInstant } from "../domain/calendar.ts";
import type { Email, EmailKind, SellerEmailKind, TeamEmailKind } from "../domain/model/email.ts";
import { tracedRows } from "../tracing/tracing.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { emails, ENVELOPE, type WrittenEmail } from "./emails.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { recordsOf, toRecords } from "./driver/table.ts";

const queueStatement = sql(
  "emails.queue",
  `INSERT INTO emails (organization_id, id, kind, customer_id, subscription_id, invoice_id, payment_id, announced_at,
    created_at, status, attempts, attempt_at, queued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 0, statement_timestamp(),
   ${REAL_NOW})`,
);

const queueWrittenStatement = sql(
  "emails.queue_written",
  `INSERT INTO emails (organization_id, id, kind, recipient, subject, text, html, created_at, status, attempts,
    attempt_at, queued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, ${REAL_NOW}, 'queued', 0, statement_timestamp(), ${REAL_NOW})`,
);

/** Queues an e-mail that is written in full. `team_access_reset` tells of things that are gone when it is sent. */
export function queueWritten(
  tx: Tx,
  email: Pick<Email, "organizationId" | "id"> & WrittenEmail & { kind: SellerEmailKind | "team_access_reset" },
): void {
  const { organizationId, id, kind, recipient, subject, text, html } = email;
  tracedRows("billow.email.id", [{ id }]);
  tx.send(queueWrittenStatement, [organizationId, id, kind, recipient, subject, text, html], "emails");
  tx.wakes("emails");
}

const queueToTeamStatement = sql(
  "emails.queue_to_team",
  `INSERT INTO emails (organization_id, id, kind, recipient, created_at, status, attempts, attempt_at, queued_at)
   VALUES ($1, $2, $3, $4, ${REAL_NOW}, 'queued', 0, statement_timestamp(), ${REAL_NOW})`,
);

/** Queues an e-mail to a person of the dashboard. Its text is written when it is sent, so no queued text has a link. */
export function queueToTeam(
  tx: Tx,
  {
    organizationId,
    id,
    kind,
    recipient,
  }: { organizationId: string; id: string; kind: Exclude<TeamEmailKind, "team_access_reset">; recipient: string },
): void {
  tracedRows("billow.email.id", [{ id }]);
  tx.send(queueToTeamStatement, [organizationId, id, kind, recipient], "emails");
  tx.wakes("emails");
}

const queueAllStatement = sql(
  "emails.queue_all",
  `INSERT INTO emails (organization_id, id, kind, customer_id, subscription_id, invoice_id, payment_id, announced_at,
    created_at, status, attempts, attempt_at, queued_at)
   SELECT r.organization_id, r.id, r.kind, r.customer_id, r.subscription_id, r.invoice_id, r.payment_id, r.announced_at,
     r.created_at, 'queued', 0, statement_timestamp(), ${REAL_NOW}
   FROM ${recordsOf("emails")} r`,
);

/** Queues an e-mail in the transaction that causes the e-mail. It is due at once. Does not wait for the answer. */
export function queue(tx: Tx, email: NewEmail): void {
  const { organizationId, id, kind, customerId, subscriptionId, invoiceId, paymentId, announcedAt, createdAt } = email;
  const about = [customerId, subscriptionId, invoiceId, paymentId, announcedAt && formatInstant(announcedAt)];
  tracedRows("billow.email.id", [{ id }]);
  tx.send(queueStatement, [organizationId, id, kind, ...about, formatInstant(createdAt)]);
}

/** Like `queue`, for e-mails to any Customers, in one statement. */
export function queueAll(tx: Tx, queued: readonly NewEmail[]): void {
  if (queued.length === 1) return queue(tx, queued[0]!);
  tracedRows("billow.email.id", queued);
  if (queued.length > 0) tx.send(queueAllStatement, [toRecords(ENVELOPE, queued)]);
}

// Jumps from one Organization to the next in the index, because any number of rows may lie between two Organizations.
const WAITING = `WITH RECURSIVE waiting AS (
     (SELECT organization_id FROM emails WHERE attempt_at IS NOT NULL ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT n.organization_id FROM waiting w CROSS JOIN LATERAL (
       SELECT e.organization_id FROM emails e
       WHERE e.attempt_at IS NOT NULL AND e.organization_id > w.organization_id ORDER BY e.organization_id LIMIT 1) n)`;
/**
 * For a distributed database, which refuses the recursion: the first e-mail of each Organization that is due by an
 * instant. If few rows are due, PostgreSQL begins with these rows. If many are due, it looks at one row of each
 * Organization.
 */
export const firstEmailsBy = (by: string): string => `
   SELECT o.id AS organization_id, (
     SELECT min(attempt_at) FROM emails e WHERE e.organization_id = o.id AND e.attempt_at <= ${by}) AS first_at
   FROM organizations o
   WHERE EXISTS (SELECT 1 FROM emails e WHERE e.organization_id = o.id AND e.attempt_at <= ${by})`;
const dueStatement = sql(
  "emails.due",
  `${WAITING}
   SELECT o.id AS "organizationId", o.mode FROM waiting w JOIN organizations o ON o.id = w.organization_id
   WHERE EXISTS (
     SELECT 1 FROM emails e
     WHERE e.organization_id = w.organization_id AND e.attempt_at IS NOT NULL
     AND e.attempt_at <= statement_timestamp() AND e.kind <> ALL($1))`,
  `SELECT o.id AS "organizationId", o.mode FROM organizations o
   WHERE EXISTS (
     SELECT 1 FROM emails e
     WHERE e.organization_id = o.id AND e.attempt_at <= statement_timestamp() AND e.kind <> ALL($1))`,
);
/**
 * The instant at which the next e-mail is due, in the past or future. A message that waits for its file counts as due.
 */
export const FIRST_EMAIL = `${WAITING}
   SELECT LEAST(min(d.attempt_at), (SELECT file_at FROM emails WHERE file_at IS NOT NULL LIMIT 1))
   FROM waiting w CROSS JOIN LATERAL (
     SELECT attempt_at FROM emails e
     WHERE e.organization_id = w.organization_id AND e.attempt_at IS NOT NULL ORDER BY attempt_at LIMIT 1) d`;
const overdueStatement = sql(
  "emails.overdue",
  `${WAITING}
   SELECT coalesce(extract(epoch FROM statement_timestamp() - min(d.attempt_at)), 0)::float8 AS seconds FROM waiting w
   CROSS JOIN LATERAL (
     SELECT attempt_at FROM emails e
     WHERE e.organization_id = w.organization_id AND e.attempt_at IS NOT NULL AND e.attempt_at <= statement_timestamp()
     ORDER BY attempt_at LIMIT 1) d`,
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(due.first_at)), 0)::float8 AS seconds
   FROM (${firstEmailsBy("statement_timestamp()")}) due`,
);

/** For how many seconds the longest-waiting e-mail has been due; 0 if no e-mail is due. */
export async function secondsOverdue(db: Queryable): Promise<number> {
  return (await db.query<{ seconds: number }>(overdueStatement))[0]!.seconds;
}

export type DueOrganization = { organizationId: string; mode: "live" | "sandbox" };

/** Organizations that have e-mails to be sent by now. `held`: the kinds that do not count. */
export async function dueOrganizations(db: Queryable, held: readonly EmailKind[]): Promise<DueOrganization[]> {
  return db.query<DueOrganization>(dueStatement, [held]);
}

/** A claim lasts longer than the longest attempt. Once a claim has expired, its sender has died. */
export const CLAIM_MILLISECONDS = 180_000;

// The ids are an array, which PostgreSQL computes once. A join with a subquery can run the subquery once for each
// row, and each run would lock the next e-mails beyond the limit. A claim moves attempt_at into the future. After a
// crash the row is due again at that instant. The instant is in milliseconds like every `Instant`, because a sender
// recognizes its claim by it.
const claim = (
  order: "ASC" | "DESC",
) => `UPDATE emails SET attempt_at = ${REAL_NOW} + ${CLAIM_MILLISECONDS} * interval '1 millisecond'
   WHERE organization_id = $1 AND id = ANY(ARRAY(
     SELECT id FROM emails
     WHERE organization_id = $1 AND attempt_at IS NOT NULL AND attempt_at <= statement_timestamp() AND kind <> ALL($3)
     ORDER BY attempt_at ${order} LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING ${emails.columns()}`;
const claimOldestStatement = sql("emails.claim_oldest", claim("ASC"));
const claimNewestStatement = sql("emails.claim_newest", claim("DESC"));

/** `first`: the e-mails that are claimed first. `held`: the kinds that are not claimed. */
export type Claim = { limit: number; first: "oldest" | "newest"; held: readonly EmailKind[] };

/** Claims up to `limit` due e-mails of an Organization. No other sender takes them while the claim holds. */
export async function claimEmails(tx: Tx, organizationId: string, { limit, first, held }: Claim): Promise<Email[]> {
  const statement = first === "oldest" ? claimOldestStatement : claimNewestStatement;
  return tx.query<Email>(statement, [organizationId, limit, held]);
}

// Only the holder of the claim settles an e-mail, except that an e-mail that was sent counts as sent in any case. If
// the claim on a sent sign-in e-mail was lost, its text is dropped: the text may name a Customer that was deleted
// meanwhile.
const IS_OWN = "attempt_at = $3 OR kind <> 'portal_sign_in'";
// A distributed PostgreSQL refuses statement_timestamp() inside of a CASE.
const settleStatement = sql(
  "emails.settle",
  `UPDATE emails SET status = $4, reason = $5, attempts = $6, attempt_at = NULL, recipient = $7, subject = $8,
     text = CASE WHEN ${IS_OWN} THEN $9 END, html = CASE WHEN ${IS_OWN} THEN $10 END,
     kind = COALESCE($12, kind), sent_at = statement_timestamp() + CASE WHEN $4 = 'sent' THEN interval '0' END,
     file_at = CASE WHEN $11 THEN queued_at END
   WHERE organization_id = $1 AND id = $2 AND (attempt_at = $3 OR ($4 = 'sent' AND attempt_at IS NOT NULL))
     AND ($4 <> 'skipped' OR html IS NULL)`,
);
const postponeStatement = sql(
  "emails.postpone",
  `UPDATE emails SET reason = $4, attempts = $5, attempt_at = ${REAL_NOW} + $6 * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND attempt_at = $3`,
);

export type Settlement = {
  status: "sent" | "kept" | "skipped" | "failed";
  reason: string | null;
  message: WrittenEmail | null;
  file: boolean;
};

const claimKey = ({ organizationId, id, attemptAt }: Email) => [
  organizationId,
  id,
  attemptAt && formatInstant(attemptAt),
];

/**
 * Settles a claimed e-mail for good. Leaves the row unchanged if the e-mail is no longer queued, or if another sender
 * has the claim by now and the status is not `sent`.
 */
export async function settleEmail(
  tx: Tx,
  claimed: Email,
  { status, reason, message, file }: Settlement,
): Promise<void> {
  const attempts = claimed.attempts + (status === "sent" || status === "failed" ? 1 : 0);
  const { kind = null, recipient = null, subject = null, text = null, html = null } = message ?? {};
  await tx.query(settleStatement, [
    ...claimKey(claimed),
    status,
    reason,
    attempts,
    recipient,
    subject,
    text,
    html,
    file,
    kind,
  ]);
}

/** Makes a claimed e-mail due again in `milliseconds`. `attempts`: the number of attempts that count so far. */
export async function postponeEmail(
  tx: Tx,
  claimed: Email,
  reason: string,
  attempts: number,
  milliseconds: number,
): Promise<void> {
  await tx.query(postponeStatement, [...claimKey(claimed), reason, attempts, milliseconds]);
}
