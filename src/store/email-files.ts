import { formatInstant } from "../domain/calendar.ts";
import { PORTAL_EMAIL_KINDS, TEAM_EMAIL_KINDS, type Email } from "../domain/model/email.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { emails } from "./emails.ts";

/**
 * A kept message waits at most this long to be written to a file. If more messages wait than can be written in this
 * time, some get no file and can only be read elsewhere.
 */
const FILE_WAIT = "interval '10 minutes'";

// Compare and set: the process that clears the mark `file_at` writes the file, or puts the mark back. Also answers the
// old mark.
const claimFileStatement = sql(
  "emails.claim_file",
  `WITH waiting AS MATERIALIZED (
     SELECT organization_id, id, file_at FROM emails
     WHERE file_at IS NOT NULL AND file_at > statement_timestamp() - ${FILE_WAIT} ORDER BY file_at DESC LIMIT 1
     FOR UPDATE SKIP LOCKED)
   UPDATE emails e SET file_at = NULL FROM waiting
   WHERE e.organization_id = waiting.organization_id AND e.id = waiting.id
   RETURNING ${emails.columns("e")}, waiting.file_at AS "fileAt"`,
);
// Puts the mark back 20 seconds older: other messages come first, and after several failures this message gets no file.
// A message that was blanked meanwhile gets no mark.
const returnFileStatement = sql(
  "emails.return_file",
  `UPDATE emails SET file_at = $3::timestamptz - interval '20 seconds'
   WHERE organization_id = $1 AND id = $2 AND status = 'kept' AND html IS NOT NULL`,
);
const dropFilesStatement = sql(
  "emails.drop_files",
  `WITH late AS MATERIALIZED (
     SELECT organization_id, id FROM emails WHERE file_at IS NOT NULL
     AND file_at <= statement_timestamp() - ${FILE_WAIT}
     ORDER BY file_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE emails e SET file_at = NULL FROM late WHERE e.organization_id = late.organization_id AND e.id = late.id`,
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

// The message of a kept e-mail with a link that gives access is in its file alone. A blanked message has no recipient.
const WITH_LINK = [...TEAM_EMAIL_KINDS, ...PORTAL_EMAIL_KINDS];
const readableStatement = sql(
  "emails.readable",
  `SELECT id FROM emails WHERE organization_id = $1 AND id = ANY($2)
   AND (html IS NOT NULL OR status = 'queued' OR (status = 'kept' AND kind = ANY($3) AND recipient IS NOT NULL))`,
);

/** The ids of e-mails that have a message or a file of their own, or are about to have one. */
export async function readableOf(db: Queryable, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set(
    (await db.query<{ id: string }>(readableStatement, [organizationId, ids, WITH_LINK])).map((row) => row.id),
  );
}
