import { formatInstant, type Instant } from "../domain/calendar.ts";
import { PORTAL_EMAIL_KINDS, TEAM_EMAIL_KINDS, type Email } from "../domain/model/email.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { emails } from "./emails.ts";

/**
 * A kept message waits at most this long to be written to a file. If more messages wait than can be written in this
 * time, some get no file and can only be read elsewhere.
 */
const FILE_WAIT = "interval '10 minutes'";

// The newest message comes first.
const nextFileStatement = sql(
  "emails.next_file",
  `SELECT organization_id AS "organizationId", id, file_at AS "fileAt",
     file_at <= statement_timestamp() - ${FILE_WAIT} AS "isLate"
   FROM emails WHERE file_at IS NOT NULL ORDER BY file_at DESC LIMIT 1`,
);
// Compare and set: the process that clears the mark `file_at` writes the file, or puts the mark back. Also answers the
// old mark.
const claimFileStatement = sql(
  "emails.claim_file",
  `UPDATE emails SET file_at = NULL WHERE organization_id = $1 AND id = $2 AND file_at = $3
   RETURNING ${emails.columns()}, $3::timestamptz AS "fileAt"`,
);
// Puts the mark back 20 seconds older: other messages come first, and after several failures this message gets no file.
// A message that was blanked meanwhile gets no mark.
const returnFileStatement = sql(
  "emails.return_file",
  `UPDATE emails SET file_at = $3::timestamptz - interval '20 seconds'
   WHERE organization_id = $1 AND id = $2 AND status = 'kept' AND html IS NOT NULL`,
);
const lateFilesStatement = sql(
  "emails.late_files",
  `SELECT organization_id AS "organizationId", id FROM emails
   WHERE file_at <= statement_timestamp() - ${FILE_WAIT} ORDER BY file_at LIMIT $1`,
);
// `coalesce` keeps PostgreSQL from searching by time: the messages are found by their keys.
const dropFilesStatement = sql(
  "emails.drop_files",
  `UPDATE emails SET file_at = NULL
   WHERE organization_id = $1 AND id = ANY($2)
     AND coalesce(file_at, 'infinity') <= statement_timestamp() - ${FILE_WAIT}`,
);

type EmailKey = Pick<Email, "organizationId" | "id">;
/** A message that waits to be written to a file since `fileAt`. `isLate`: the message gets no file any more. */
export type WaitingFile = EmailKey & { fileAt: Instant; isLate: boolean };

/** The newest message that waits to be written to a file, without a lock; null if no message waits. */
export async function findNextFile(db: Queryable): Promise<WaitingFile | null> {
  return (await db.query<WaitingFile>(nextFileStatement))[0] ?? null;
}

/** Claims a message that was found; null if another process has claimed the message since then. */
export async function claimFile(tx: Tx, { organizationId, id, fileAt }: WaitingFile): Promise<Email | null> {
  return (await tx.query<Email>(claimFileStatement, [organizationId, id, formatInstant(fileAt)]))[0] ?? null;
}

/** Up to `limit` messages that have waited too long for a file. */
export function lateFiles(db: Queryable, limit: number): Promise<EmailKey[]> {
  return db.query<EmailKey>(lateFilesStatement, [limit]);
}

/** Takes the mark from messages of an Organization that have waited too long. */
export function dropFiles(tx: Tx, organizationId: string, ids: readonly string[]): void {
  tx.send(dropFilesStatement, [organizationId, ids]);
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
