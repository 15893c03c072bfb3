import { formatInstant, type Instant } from "../domain/calendar.ts";
import { PASSING_KINDS, type Email } from "../domain/model/email.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { emails, type WrittenEmail } from "./emails.ts";

/** The `reason` of an e-mail that is tried again because its message could not be written. */
export const NOT_MADE = "It could not be made.";

// Matches the index emails_unwritten, which holds so few rows that a look-up costs next to no time.
const UNWRITTEN = `organization_id = $1 AND status = 'queued' AND html IS NULL AND reason IS DISTINCT FROM '${NOT_MADE}'
     AND kind IN (${PASSING_KINDS.map((kind) => `'${kind}'`).join(", ")})`;
const unwrittenStatement = sql(
  "emails.unwritten",
  `SELECT ${emails.columns()} FROM emails WHERE ${UNWRITTEN} ORDER BY id LIMIT $2`,
);
const awaitsContentStatement = sql(
  "emails.awaits_letter",
  `SELECT 1 AS found FROM emails JOIN unnest($2::text[], $3::timestamptz[]) AS k (id, at) ON k.id = customer_id
    AND created_at < k.at
   WHERE ${UNWRITTEN} LIMIT 1`,
);
// Writes the message even if a sender has claimed the e-mail. A kept e-mail is settled; an e-mail to be sent stays
// queued with its message.
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

/** Up to `limit` e-mails that must be written before the Organization's clock moves on. */
export async function unwrittenEmails(db: Queryable, organizationId: string, limit: number): Promise<Email[]> {
  return db.query<Email>(unwrittenStatement, [organizationId, limit]);
}

/** Whether an e-mail to one of these Customers is still to be written and was queued before that Customer's `at`. */
export async function awaitsContent(
  db: Queryable,
  organizationId: string,
  customers: readonly { id: string; at: Instant }[],
): Promise<boolean> {
  const columns = [customers.map(({ id }) => id), customers.map(({ at }) => formatInstant(at))];
  return (await db.query(awaitsContentStatement, [organizationId, ...columns])).length > 0;
}

/**
 * Gives a queued e-mail its message, even if a sender has claimed the e-mail. `kept`: the e-mail is settled, not sent.
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

/**
 * Marks an e-mail that could not be written. The mailer tries again later, and the clock does not wait for this e-mail.
 */
export function leaveUnwritten(tx: Tx, { organizationId, id }: Email): void {
  tx.send(leaveStatement, [organizationId, id]);
}

/** Skips an e-mail that has no news for its recipient. `reason` tells why. */
export function passOverEmail(tx: Tx, { organizationId, id }: Email, reason: string): void {
  tx.send(passOverStatement, [organizationId, id, reason]);
}
