import { formatInstant } from "../domain/calendar.ts";
import type { Email, EmailKind } from "../domain/email.ts";
import type { ListEmailsQuery } from "../resources/email.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const emails = defineTable<Email>("emails", {
  organizationId: "plain",
  id: "plain",
  kind: "plain",
  customerId: "plain",
  subscriptionId: "plain",
  invoiceId: "plain",
  paymentId: "plain",
  announcedAt: "instant",
  status: "plain",
  reason: "plain",
  attempts: "plain",
  attemptAt: "instant",
  fileAt: "instant",
  recipient: "plain",
  subject: "plain",
  text: "plain",
  html: "plain",
  createdAt: "instant",
  queuedAt: "instant",
  sentAt: "instant",
});

const queueStatement = sql(
  "emails.queue",
  `INSERT INTO emails (organization_id, id, kind, customer_id, subscription_id, invoice_id, payment_id, announced_at, created_at,
     status, attempts, attempt_at, queued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 0, clock_timestamp(), date_trunc('milliseconds', clock_timestamp()))`,
);

type NewEmail = Pick<
  Email,
  "organizationId" | "id" | "kind" | "customerId" | "subscriptionId" | "invoiceId" | "paymentId" | "announcedAt" | "createdAt"
>;

/** To be sent at once, with what it tells of; sent without waiting. */
export function queue(tx: Tx, email: NewEmail): void {
  const { organizationId, id, kind, customerId, subscriptionId, invoiceId, paymentId, announcedAt, createdAt } = email;
  const about = [customerId, subscriptionId, invoiceId, paymentId, announcedAt && formatInstant(announcedAt)];
  tx.send(queueStatement, [organizationId, id, kind, ...about, formatInstant(createdAt)]);
}

// From one Organization to the next in the index: there may be any number of rows between.
const dueStatement = sql(
  "emails.due",
  `WITH RECURSIVE waiting AS (
     (SELECT organization_id FROM emails WHERE attempt_at IS NOT NULL ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT n.organization_id FROM waiting w CROSS JOIN LATERAL (
       SELECT e.organization_id FROM emails e
       WHERE e.attempt_at IS NOT NULL AND e.organization_id > w.organization_id ORDER BY e.organization_id LIMIT 1) n)
   SELECT o.id AS "organizationId", o.mode FROM waiting w JOIN organizations o ON o.id = w.organization_id
   WHERE EXISTS (
     SELECT 1 FROM emails e
     WHERE e.organization_id = w.organization_id AND e.attempt_at IS NOT NULL AND e.attempt_at <= statement_timestamp())`,
);

export type DueOrganization = { organizationId: string; mode: "live" | "sandbox" };

/** Organizations that have e-mails to be sent by now. */
export async function dueOrganizations(db: Queryable): Promise<DueOrganization[]> {
  return db.query<DueOrganization>(dueStatement);
}

/** A claim outlives the longest attempt: afterwards the sender has died. */
const CLAIM_MILLISECONDS = 180_000;
/** In milliseconds, as instants are here: a claim is told by its own. */
const NOW = "date_trunc('milliseconds', clock_timestamp())";

// The claim moves attempt_at on: a crash leaves the row due again when that has passed.
const claim = (order: "ASC" | "DESC") => `UPDATE emails SET attempt_at = ${NOW} + ${CLAIM_MILLISECONDS} * interval '1 millisecond'
   WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM emails
     WHERE organization_id = $1 AND attempt_at IS NOT NULL AND attempt_at <= statement_timestamp()
     ORDER BY attempt_at ${order} LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING ${emails.columns()}`;
const claimOldestStatement = sql("emails.claim_oldest", claim("ASC"));
const claimNewestStatement = sql("emails.claim_newest", claim("DESC"));

/** Takes what is due of an Organization, up to `limit`: nobody else sends it for as long as a claim holds. */
export async function claimEmails(tx: Tx, organizationId: string, limit: number, first: "oldest" | "newest"): Promise<Email[]> {
  return tx.query<Email>(first === "oldest" ? claimOldestStatement : claimNewestStatement, [organizationId, limit]);
}

/** For so long a message that is kept waits to be written to a file; what comes to be in a greater crowd is read elsewhere. */
const FILE_WAIT = "interval '10 minutes'";

// Compare and set: whoever clears the mark writes the file.
const claimFileStatement = sql(
  "emails.claim_file",
  `UPDATE emails SET file_at = NULL
   WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM emails
     WHERE file_at IS NOT NULL AND file_at > statement_timestamp() - ${FILE_WAIT} ORDER BY file_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${emails.columns()}`,
);
const dropFilesStatement = sql(
  "emails.drop_files",
  `UPDATE emails SET file_at = NULL
   WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM emails WHERE file_at IS NOT NULL AND file_at <= statement_timestamp() - ${FILE_WAIT}
     ORDER BY file_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);

const anyFileStatement = sql("emails.any_file", "SELECT 1 AS found FROM emails WHERE file_at IS NOT NULL LIMIT 1");

/** Whether any message waits to be written to a file. */
export async function awaitsFile(db: Queryable): Promise<boolean> {
  return (await db.query(anyFileStatement)).length > 0;
}

/** The newest message that is to be written to a file; null: none is. Those that have waited for too long, up to `limit`, wait no more. */
export async function claimFile(tx: Tx, limit: number): Promise<Email | null> {
  tx.send(dropFilesStatement, [limit]);
  return (await tx.query<Email>(claimFileStatement))[0] ?? null;
}

// Only by whoever holds the claim; but what has arrived has arrived, whoever holds it by now.
const settleStatement = sql(
  "emails.settle",
  `UPDATE emails SET status = $4, reason = $5, attempts = $6, attempt_at = NULL, recipient = $7, subject = $8, text = $9, html = $10,
     sent_at = CASE WHEN $4 = 'sent' THEN clock_timestamp() END, file_at = CASE WHEN $11 THEN queued_at END
   WHERE organization_id = $1 AND id = $2 AND (attempt_at = $3 OR ($4 = 'sent' AND attempt_at IS NOT NULL))`,
);
const postponeStatement = sql(
  "emails.postpone",
  `UPDATE emails SET reason = $4, attempts = $5, attempt_at = ${NOW} + $6 * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND attempt_at = $3`,
);

/** `text` and `html` null: what was sent is not to be read by anybody else. */
export type Message = { recipient: string; subject: string; text: string | null; html: string | null };
export type Settlement = { status: "sent" | "kept" | "skipped" | "failed"; reason: string | null; message: Message | null; file: boolean };

const claimKey = ({ organizationId, id, attemptAt }: Email) => [organizationId, id, attemptAt && formatInstant(attemptAt)];

/** What became of a claimed e-mail for good; nothing where the claim is another's by now, or the row is blank. */
export async function settleEmail(tx: Tx, claimed: Email, { status, reason, message, file }: Settlement): Promise<void> {
  const attempts = claimed.attempts + (status === "sent" || status === "failed" ? 1 : 0);
  const { recipient = null, subject = null, text = null, html = null } = message ?? {};
  await tx.query(settleStatement, [...claimKey(claimed), status, reason, attempts, recipient, subject, text, html, file]);
}

/** A claimed e-mail is tried again in `milliseconds`. */
export async function postponeEmail(tx: Tx, claimed: Email, reason: string, milliseconds: number): Promise<void> {
  await tx.query(postponeStatement, [...claimKey(claimed), reason, claimed.attempts + 1, milliseconds]);
}

const listStatement = sql(
  "emails.list",
  `SELECT ${emails.columns()} FROM emails
   WHERE organization_id = $1 AND ($2::text IS NULL OR id < $2)
     AND ($3::text IS NULL OR customer_id = $3) AND ($4::text IS NULL OR kind = $4) AND ($5::text IS NULL OR status = $5)
   ORDER BY id DESC LIMIT $6`,
);

/** Newest first, one more than the page holds. */
export async function listEmails(
  db: Queryable,
  organizationId: string,
  { cursor, customerId, kind, status, limit }: ListEmailsQuery,
): Promise<Email[]> {
  return db.query<Email>(listStatement, [organizationId, cursor, customerId, kind, status, limit + 1]);
}

const supersededStatement = sql(
  "emails.superseded",
  `SELECT 1 AS newer FROM emails
   WHERE organization_id = $1 AND customer_id = $2 AND invoice_id = $3 AND queued_at > $4
     AND kind IN ('payment_failed', 'authentication_required') LIMIT 1`,
);

/** Whether a newer e-mail tells why the same invoice is not paid. */
export async function isSuperseded(db: Queryable, { organizationId, customerId, invoiceId, queuedAt }: Email): Promise<boolean> {
  return (await db.query(supersededStatement, [organizationId, customerId, invoiceId, formatInstant(queuedAt)])).length > 0;
}

const latelyStatement = sql(
  "emails.lately",
  `SELECT count(*)::integer AS count FROM emails
   WHERE organization_id = $1 AND customer_id = $2 AND kind = $3 AND queued_at > clock_timestamp() - interval '1 hour'`,
);

/** How many e-mails of this kind were queued for a Customer within the last hour. */
export async function countLately(db: Queryable, organizationId: string, customerId: string, kind: EmailKind): Promise<number> {
  return (await db.query<{ count: number }>(latelyStatement, [organizationId, customerId, kind]))[0]!.count;
}

// An e-mail with links for several Customers names each of them.
const blankStatement = sql(
  "emails.blank",
  `UPDATE emails SET recipient = NULL, subject = NULL, text = NULL, html = NULL, attempt_at = NULL, file_at = NULL,
     reason = CASE status WHEN 'queued' THEN 'customer_deleted' WHEN 'skipped' THEN reason END,
     status = CASE WHEN status = 'queued' THEN 'skipped' ELSE status END
   WHERE organization_id = $1 AND (customer_id = $2 OR id IN (
     SELECT email_id FROM portal_links WHERE organization_id = $1 AND customer_id = $2 AND email_id IS NOT NULL))`,
);

/** Takes a Customer out of what they were sent; what is queued is sent to nobody (rule I5). */
export function blankEmails(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(blankStatement, [organizationId, customerId]);
}

const readableStatement = sql(
  "emails.readable",
  "SELECT id FROM emails WHERE organization_id = $1 AND id = ANY($2) AND (html IS NOT NULL OR status = 'queued')",
);

/** Which of these have a message, or are about to. */
export async function readableOf(db: Queryable, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await db.query<{ id: string }>(readableStatement, [organizationId, ids])).map((row) => row.id));
}

const forgetStatement = sql(
  "emails.forget",
  `DELETE FROM emails WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM emails
     WHERE queued_at < statement_timestamp() - interval '30 days' ORDER BY queued_at LIMIT $1)
   RETURNING 1 AS forgotten`,
);

/** Deletes what is older than 30 days, a batch at a time. Answers how many. */
export async function forgetEmails(tx: Tx, limit: number): Promise<number> {
  return (await tx.query(forgetStatement, [limit])).length;
}
