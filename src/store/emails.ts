import type { NewEmail } from "../domain/account/account.ts";
import { formatInstant, type Instant } from "../domain/calendar.ts";
import {
  EMAIL_KINDS,
  EMAIL_STATUSES,
  PASSING_KINDS,
  type Email,
  type EmailKind,
  type ListedEmail,
} from "../domain/email/email.ts";
import type { ListEmailsQuery } from "../resources/email.ts";
import { sql, type Queryable, type Statement, type Tx } from "./db.ts";
import { columnList, defineTable, recordsOf, toRecords } from "./table.ts";

const ENVELOPE = {
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
  createdAt: "instant",
  queuedAt: "instant",
  sentAt: "instant",
} as const;

export const emails = defineTable<Email>("emails", { ...ENVELOPE, text: "plain", html: "plain" });
/** The columns of a list. It leaves out the messages, because they are larger than all other columns together. */
const LISTED = columnList(Object.keys(ENVELOPE));

const queueStatement = sql(
  "emails.queue",
  `INSERT INTO emails (organization_id, id, kind, customer_id, subscription_id, invoice_id, payment_id, announced_at,
    created_at, status, attempts, attempt_at, queued_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 0, statement_timestamp(),
   date_trunc('milliseconds', statement_timestamp()))`,
);

const queueAllStatement = sql(
  "emails.queue_all",
  `INSERT INTO emails (organization_id, id, kind, customer_id, subscription_id, invoice_id, payment_id, announced_at,
    created_at, status, attempts, attempt_at, queued_at)
   SELECT r.organization_id, r.id, r.kind, r.customer_id, r.subscription_id, r.invoice_id, r.payment_id, r.announced_at,
   r.created_at,
     'queued', 0, statement_timestamp(), date_trunc('milliseconds', statement_timestamp())
   FROM ${recordsOf("emails")} r`,
);

/** Queues an e-mail to be sent at once, in the transaction of its cause. Does not wait for the answer. */
export function queue(tx: Tx, email: NewEmail): void {
  const { organizationId, id, kind, customerId, subscriptionId, invoiceId, paymentId, announcedAt, createdAt } = email;
  const about = [customerId, subscriptionId, invoiceId, paymentId, announcedAt && formatInstant(announcedAt)];
  tx.send(queueStatement, [organizationId, id, kind, ...about, formatInstant(createdAt)]);
}

/** Like `queue`, for e-mails to any Customers, in one statement. */
export function queueAll(tx: Tx, queued: readonly NewEmail[]): void {
  if (queued.length === 1) return queue(tx, queued[0]!);
  if (queued.length > 0) tx.send(queueAllStatement, [toRecords(ENVELOPE, queued)]);
}

// Jumps from one Organization to the next in the index, because any number of rows may lie between.
const WAITING = `WITH RECURSIVE waiting AS (
     (SELECT organization_id FROM emails WHERE attempt_at IS NOT NULL ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT n.organization_id FROM waiting w CROSS JOIN LATERAL (
       SELECT e.organization_id FROM emails e
       WHERE e.attempt_at IS NOT NULL AND e.organization_id > w.organization_id ORDER BY e.organization_id LIMIT 1) n)`;
const dueStatement = sql(
  "emails.due",
  `${WAITING}
   SELECT o.id AS "organizationId", o.mode FROM waiting w JOIN organizations o ON o.id = w.organization_id
   WHERE EXISTS (
     SELECT 1 FROM emails e
     WHERE e.organization_id = w.organization_id AND e.attempt_at IS NOT NULL
     AND e.attempt_at <= statement_timestamp())`,
);
/** When the next e-mail is due, in the past or future. A message that is to become a file is due. */
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
);

/** For how many seconds the longest-waiting e-mail has been due; 0 if no e-mail is due. */
export async function secondsOverdue(db: Queryable): Promise<number> {
  return (await db.query<{ seconds: number }>(overdueStatement))[0]!.seconds;
}

export type DueOrganization = { organizationId: string; mode: "live" | "sandbox" };

/** Organizations that have e-mails to be sent by now. */
export async function dueOrganizations(db: Queryable): Promise<DueOrganization[]> {
  return db.query<DueOrganization>(dueStatement);
}

/** A claim outlives the longest attempt. Once a claim has passed, its sender has died. */
export const CLAIM_MILLISECONDS = 180_000;
/** In milliseconds, like every Instant: a claim is recognized by its instant. */
const NOW = "date_trunc('milliseconds', statement_timestamp())";

// The claim moves attempt_at on. After a crash the row is due again at that time.
const claim = (
  order: "ASC" | "DESC",
) => `UPDATE emails SET attempt_at = ${NOW} + ${CLAIM_MILLISECONDS} * interval '1 millisecond'
   WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM emails
     WHERE organization_id = $1 AND attempt_at IS NOT NULL AND attempt_at <= statement_timestamp()
     ORDER BY attempt_at ${order} LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING ${emails.columns()}`;
const claimOldestStatement = sql("emails.claim_oldest", claim("ASC"));
const claimNewestStatement = sql("emails.claim_newest", claim("DESC"));

/** Claims up to `limit` due e-mails of an Organization. No other sender takes them while the claim holds. */
export async function claimEmails(
  tx: Tx,
  organizationId: string,
  limit: number,
  first: "oldest" | "newest",
): Promise<Email[]> {
  return tx.query<Email>(first === "oldest" ? claimOldestStatement : claimNewestStatement, [organizationId, limit]);
}

/**
 * A kept message waits this long to be written to a file. In a greater crowd some messages get no file and are read
 * elsewhere.
 */
const FILE_WAIT = "interval '10 minutes'";

// Compare and set: the process that clears the mark writes the file, or puts the mark back. Also answers the old
// mark.
const claimFileStatement = sql(
  "emails.claim_file",
  `UPDATE emails e SET file_at = NULL
   FROM (
     SELECT organization_id, id, file_at FROM emails
     WHERE file_at IS NOT NULL AND file_at > statement_timestamp() - ${FILE_WAIT} ORDER BY file_at DESC LIMIT 1
     FOR UPDATE SKIP LOCKED
   ) waiting
   WHERE e.organization_id = waiting.organization_id AND e.id = waiting.id
   RETURNING ${emails.columns("e")}, waiting.file_at AS "fileAt"`,
);
// Puts the mark back 20 seconds older: other messages come first, and in the end this one gets no file. A message
// that was blanked meanwhile gets no mark.
const returnFileStatement = sql(
  "emails.return_file",
  `UPDATE emails SET file_at = $3::timestamptz - interval '20 seconds'
   WHERE organization_id = $1 AND id = $2 AND status = 'kept' AND html IS NOT NULL`,
);
const dropFilesStatement = sql(
  "emails.drop_files",
  `UPDATE emails SET file_at = NULL
   WHERE (organization_id, id) IN (
     SELECT organization_id, id FROM emails WHERE file_at IS NOT NULL
     AND file_at <= statement_timestamp() - ${FILE_WAIT}
     ORDER BY file_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);

const anyFileStatement = sql("emails.any_file", "SELECT 1 AS found FROM emails WHERE file_at IS NOT NULL LIMIT 1");

/** Whether any message waits to be written to a file. */
export async function awaitsFile(db: Queryable): Promise<boolean> {
  return (await db.query(anyFileStatement)).length > 0;
}

/**
 * Claims the newest message that is to be written to a file; null if no message waits. Up to `limit` messages that
 * have waited too long lose their mark.
 */
export async function claimFile(tx: Tx, limit: number): Promise<Email | null> {
  tx.send(dropFilesStatement, [limit]);
  return (await tx.query<Email>(claimFileStatement))[0] ?? null;
}

/** Puts a message back that could not be written to its file. */
export async function returnFile(tx: Tx, { organizationId, id, fileAt }: Email): Promise<void> {
  await tx.query(returnFileStatement, [organizationId, id, fileAt && formatInstant(fileAt)]);
}

// Only the holder of the claim settles an e-mail, but an e-mail that has arrived counts as sent in any case. If a
// sign-in e-mail arrived without its claim, its text is dropped: it may name a Customer that was deleted meanwhile.
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
  `UPDATE emails SET reason = $4, attempts = $5, attempt_at = ${NOW} + $6 * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND attempt_at = $3`,
);

/** `kind`: the kind as it was written in the end. `text` and `html` null: only the recipient may read the message. */
export type WrittenEmail = {
  kind: EmailKind;
  recipient: string;
  subject: string;
  text: string | null;
  html: string | null;
};
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

/** Tries a claimed e-mail again in `milliseconds`. `attempts`: how many attempts count so far. */
export async function postponeEmail(
  tx: Tx,
  claimed: Email,
  reason: string,
  attempts: number,
  milliseconds: number,
): Promise<void> {
  await tx.query(postponeStatement, [...claimKey(claimed), reason, attempts, milliseconds]);
}

/** The reason of an e-mail that is tried again because its message could not be made. */
export const NOT_MADE = "It could not be made.";

// Matches the index emails_unwritten, which holds so few rows that a look-up costs next to no time.
const UNWRITTEN = `organization_id = $1 AND status = 'queued' AND html IS NULL AND reason IS DISTINCT FROM '${NOT_MADE}'
     AND kind IN (${PASSING_KINDS.map((kind) => `'${kind}'`).join(", ")})`;
const unwrittenStatement = sql(
  "emails.unwritten",
  `SELECT ${emails.columns()} FROM emails WHERE ${UNWRITTEN} ORDER BY id LIMIT $2`,
);
const awaitsLetterStatement = sql(
  "emails.awaits_letter",
  `SELECT 1 AS found FROM emails JOIN unnest($2::text[], $3::timestamptz[]) AS k (id, at) ON k.id = customer_id
    AND created_at < k.at
   WHERE ${UNWRITTEN} LIMIT 1`,
);
// Another sender may have the claim. A kept e-mail is settled; an e-mail to be sent stays queued, with its message.
const writeStatement = sql(
  "emails.write",
  `UPDATE emails SET kind = $3, recipient = $4, subject = $5, text = $6, html = $7,
     status = CASE WHEN $8 THEN 'kept' ELSE status END, reason = CASE WHEN $8 THEN NULL ELSE reason END,
     attempt_at = CASE WHEN $8 THEN NULL ELSE attempt_at END, file_at = CASE WHEN $9 THEN queued_at END
   WHERE organization_id = $1 AND id = $2 AND status = 'queued' AND html IS NULL`,
);
const passOverStatement = sql(
  "emails.pass_over",
  `UPDATE emails SET status = 'skipped', reason = $3, attempt_at = NULL
   WHERE organization_id = $1 AND id = $2 AND status = 'queued' AND html IS NULL`,
);

const leaveStatement = sql(
  "emails.leave_unwritten",
  `UPDATE emails SET reason = '${NOT_MADE}' WHERE organization_id = $1 AND id = $2 AND status = 'queued'
    AND html IS NULL`,
);

/** The e-mails to write before the Organization's clock moves on, up to `limit`. */
export async function unwrittenEmails(db: Queryable, organizationId: string, limit: number): Promise<Email[]> {
  return db.query<Email>(unwrittenStatement, [organizationId, limit]);
}

/** Whether an e-mail to one of these Customers from before the Customer's `at` still has to be written. */
export async function awaitsLetter(
  db: Queryable,
  organizationId: string,
  customers: readonly { id: string; at: Instant }[],
): Promise<boolean> {
  const columns = [customers.map(({ id }) => id), customers.map(({ at }) => formatInstant(at))];
  return (await db.query(awaitsLetterStatement, [organizationId, ...columns])).length > 0;
}

/**
 * Gives a queued e-mail its message, even if a sender has claimed it. `kept`: the e-mail is settled, not sent.
 * `file`: the kept message is to become a file.
 */
export function writeEmail(
  tx: Tx,
  { organizationId, id }: Email,
  message: WrittenEmail,
  kept: boolean,
  file: boolean,
): void {
  const { kind, recipient, subject, text, html } = message;
  tx.send(writeStatement, [organizationId, id, kind, recipient, subject, text, html, kept, kept && file]);
}

/** Marks an e-mail that could not be written. The mailer tries again later; the clock does not wait for it. */
export function leaveUnwritten(tx: Tx, { organizationId, id }: Email): void {
  tx.send(leaveStatement, [organizationId, id]);
}

/** Skips an e-mail without news. `reason` tells why. */
export function passOverEmail(tx: Tx, { organizationId, id }: Email, reason: string): void {
  tx.send(passOverStatement, [organizationId, id, reason]);
}

const FILTERS = {
  cursor: "id <",
  customerId: "customer_id =",
  kind: "kind =",
  status: "status =",
  skipped: "(status = 'skipped') =",
} as const;
/** The same conditions for each possible kind `k` and status `s`. */
const OF_BOTH: Partial<Record<Filter, string>> = { kind: "k =", status: "s =", skipped: "(s = 'skipped') =" };
type Filter = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as Filter[];
const each = (name: string, values: readonly string[]) =>
  `unnest(ARRAY[${values.map((value) => `'${value}'`).join(", ")}]) AS ${name}`;

/**
 * Each set of filters has its own statement: one plan for all of them would read every e-mail to find a few failed
 * ones. A list by kind or status merges the newest e-mails of each kind and status, because their index has them in
 * that order.
 */
function listStatement(given: readonly Filter[]): Statement {
  const isMerged = !given.includes("customerId") && given.some((name) => OF_BOTH[name]);
  const own = (name: Filter) => !isMerged || !OF_BOTH[name];
  const conditions = given.flatMap((name, n) => (own(name) ? [`${FILTERS[name]} $${n + 3}`] : []));
  const chosen = given.flatMap((name, n) => (own(name) ? [] : [`${OF_BOTH[name]} $${n + 3}`])).join(" AND ");
  const where = ["WHERE organization_id = $1", ...conditions].join(" AND ");
  const page = isMerged
    ? `FROM ${each("k", EMAIL_KINDS)} CROSS JOIN ${each("s", EMAIL_STATUSES)}
       CROSS JOIN LATERAL (SELECT * FROM emails ${where} AND kind = k AND status = s ORDER BY id DESC LIMIT $2) newest
       WHERE ${chosen}`
    : `FROM emails ${where}`;
  return sql(["emails.list", ...given].join("_"), `SELECT ${LISTED} ${page} ORDER BY id DESC LIMIT $2`);
}

/** Newest first; returns one row more than the page holds. */
export async function listEmails(
  db: Queryable,
  organizationId: string,
  query: ListEmailsQuery,
): Promise<ListedEmail[]> {
  const given = FILTER_NAMES.filter((name) => query[name] !== undefined);
  return db.query<ListedEmail>(listStatement(given), [
    organizationId,
    query.limit + 1,
    ...given.map((name) => query[name]),
  ]);
}

const supersededStatement = sql(
  "emails.superseded",
  `SELECT 1 AS newer FROM emails
   WHERE organization_id = $1 AND customer_id = $2 AND invoice_id = $3 AND queued_at > $4
     AND kind IN ('payment_failed', 'authentication_required') AND status IN ('queued', 'sent', 'kept') LIMIT 1`,
);

/** Whether a newer e-mail tells, or is about to tell, why the same invoice is not paid. */
export async function isSuperseded(
  db: Queryable,
  { organizationId, customerId, invoiceId, queuedAt }: Email,
): Promise<boolean> {
  return (
    (await db.query(supersededStatement, [organizationId, customerId, invoiceId, formatInstant(queuedAt)])).length > 0
  );
}

// A sign-in e-mail with links for several Customers names each of them. If such an e-mail is queued for another
// Customer, it still goes out, but is made anew: moving attempt_at by a millisecond ends the claim of a present
// sender. The millisecond is added in UTC, so that the sum depends on no setting. With a subquery in place of the
// array, PostgreSQL would read all e-mails.
const blankStatement = sql(
  "emails.blank",
  `UPDATE emails SET recipient = NULL, subject = NULL, text = NULL, html = NULL, file_at = NULL, asked_from = NULL,
     attempt_at = CASE WHEN customer_id <> $2 THEN (attempt_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME
     ZONE 'UTC' END, reason = CASE WHEN status = 'skipped' THEN reason WHEN status = 'queued'
     AND customer_id = $2 THEN 'customer_deleted' END, status = CASE WHEN status = 'queued'
     AND customer_id = $2 THEN 'skipped' ELSE status END
   WHERE organization_id = $1 AND (customer_id = $2 OR id = ANY(ARRAY(
     SELECT email_id FROM portal_links WHERE organization_id = $1 AND customer_id = $2 AND email_id IS NOT NULL)))`,
);

/** Blanks the e-mails that name a Customer, and skips the queued ones to that Customer (rule I5m). */
export function blankEmails(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(blankStatement, [organizationId, customerId]);
}

const readableStatement = sql(
  "emails.readable",
  "SELECT id FROM emails WHERE organization_id = $1 AND id = ANY($2) AND (html IS NOT NULL OR status = 'queued')",
);

/** The ids of e-mails that have a message or are about to have one. */
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

/** Deletes up to `limit` e-mails older than 30 days. Answers how many. */
export async function forgetEmails(tx: Tx, limit: number): Promise<number> {
  return (await tx.query(forgetStatement, [limit])).length;
}
