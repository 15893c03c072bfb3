import type { Instant } from "../domain/calendar.ts";
import {
  DIRECT_LINK_SECONDS,
  LINK_MINUTES,
  SESSION_SECONDS,
  SUPPORT_LINK_HOURS,
  type LinkedVisit,
  type PortalVisit,
} from "../domain/model/portal-session.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

/** The look-up key of a secret: the Organization of the portal that the secret opens, and the secret's digest. */
type SecretKey = { organizationId: string; digest: Uint8Array };

const insertLinkStatement = sql(
  "portal_links.insert",
  `INSERT INTO portal_links (organization_id, digest, customer_id, return_url, email_id, for_support, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, ${REAL_NOW} + CASE
     WHEN $6 THEN interval '${SUPPORT_LINK_HOURS} hours'
     WHEN $5::text IS NULL THEN interval '${DIRECT_LINK_SECONDS} seconds'
     ELSE interval '${LINK_MINUTES} minutes' END)
   RETURNING expires_at AS "expiresAt"`,
);

/** Inserts a link: a direct one, unless an e-mail carries the link. Returns the instant at which the link expires. */
export async function insertLink(
  tx: Tx,
  link: SecretKey & PortalVisit & { emailId: string | null; forSupport: boolean },
): Promise<Instant> {
  const { organizationId, digest, customerId, returnUrl, emailId, forSupport } = link;
  const [row] = await tx.query<{ expiresAt: Instant }>(insertLinkStatement, [
    organizationId,
    digest,
    customerId,
    returnUrl,
    emailId,
    forSupport,
  ]);
  return row!.expiresAt;
}

const OPEN_LINK = "organization_id = $1 AND digest = $2 AND used_at IS NULL AND expires_at > statement_timestamp()";
const VISIT = `customer_id AS "customerId", return_url AS "returnUrl"`;
const LINKED = `${VISIT}, (email_id IS NULL AND NOT for_support) AS "isDirect"`;
const findLinkStatement = sql("portal_links.find", `SELECT ${LINKED} FROM portal_links WHERE ${OPEN_LINK}`);
const findSpentStatement = sql(
  "portal_links.find_spent",
  `SELECT ${VISIT} FROM portal_links WHERE organization_id = $1 AND digest = $2`,
);
const useLinkStatement = sql(
  "portal_links.use",
  `UPDATE portal_links SET used_at = statement_timestamp() WHERE ${OPEN_LINK} RETURNING ${LINKED}`,
);

/** The visit that a link opens; null if the link is expired, used or unknown. */
export async function findLink(db: Queryable, { organizationId, digest }: SecretKey): Promise<LinkedVisit | null> {
  return (await db.query<LinkedVisit>(findLinkStatement, [organizationId, digest]))[0] ?? null;
}

/** The visit that a link opens or has opened; null if the link is unknown, or was forgotten after its expiry. */
export async function findSpent(db: Queryable, { organizationId, digest }: SecretKey): Promise<PortalVisit | null> {
  return (await db.query<PortalVisit>(findSpentStatement, [organizationId, digest]))[0] ?? null;
}

/** Marks the link as used, and answers its visit like `findLink`. Of two concurrent requests, one gets the visit. */
export async function useLink(tx: Tx, { organizationId, digest }: SecretKey): Promise<LinkedVisit | null> {
  return (await tx.query<LinkedVisit>(useLinkStatement, [organizationId, digest]))[0] ?? null;
}

const insertSessionStatement = sql(
  "portal_sessions.insert",
  `INSERT INTO portal_sessions (organization_id, digest, customer_id, return_url, expires_at)
   VALUES ($1, $2, $3, $4, statement_timestamp() + interval '${SESSION_SECONDS} seconds')`,
);
const findSessionStatement = sql(
  "portal_sessions.find",
  `SELECT ${VISIT} FROM portal_sessions WHERE organization_id = $1 AND digest = $2
    AND expires_at > statement_timestamp()`,
);
const deleteSessionStatement = sql(
  "portal_sessions.delete",
  "DELETE FROM portal_sessions WHERE organization_id = $1 AND digest = $2",
);

export function insertSession(
  tx: Tx,
  { organizationId, digest, customerId, returnUrl }: SecretKey & PortalVisit,
): void {
  tx.send(insertSessionStatement, [organizationId, digest, customerId, returnUrl]);
}

export async function findSession(db: Queryable, { organizationId, digest }: SecretKey): Promise<PortalVisit | null> {
  return (await db.query<PortalVisit>(findSessionStatement, [organizationId, digest]))[0] ?? null;
}

export async function deleteSession(tx: Tx, { organizationId, digest }: SecretKey): Promise<void> {
  await tx.query(deleteSessionStatement, [organizationId, digest]);
}

const voidLinksStatement = sql(
  "portal_links.void",
  "UPDATE portal_links SET used_at = statement_timestamp() WHERE organization_id = $1 AND customer_id = $2 AND " +
    "used_at IS NULL",
);
const dropLinksStatement = sql(
  "portal_links.drop",
  "DELETE FROM portal_links WHERE organization_id = $1 AND customer_id = $2",
);
const dropSessionsStatement = sql(
  "portal_sessions.drop",
  "DELETE FROM portal_sessions WHERE organization_id = $1 AND customer_id = $2",
);

/** Signs a Customer out everywhere, and voids all links that were made for that Customer (rule I5k). */
export function closePortal(tx: Tx, organizationId: string, customerId: string): void {
  // The rows of the links stay, because `blankEmails` needs them to find the e-mails that name the Customer (rule I5m).
  tx.send(voidLinksStatement, [organizationId, customerId]);
  tx.send(dropSessionsStatement, [organizationId, customerId]);
}

/**
 * Deletes the links and sessions of a deleted Customer. Call `blankEmails` first, because `blankEmails` needs the
 * links.
 */
export function forgetVisits(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(dropLinksStatement, [organizationId, customerId]);
  tx.send(dropSessionsStatement, [organizationId, customerId]);
}

const EXPIRED = "expires_at < statement_timestamp()";
const ofTable = (name: string, table: string, isOld: string) =>
  defineOldRows({ name, table, keys: { digest: "bytea" }, isOld, by: "expires_at" });
const oldLinks = ofTable("portal_links.forget", "portal_links", `email_id IS NULL AND ${EXPIRED}`);
const oldSessions = ofTable("portal_sessions.forget", "portal_sessions", EXPIRED);
// E-mailed links are kept longer than e-mails: an e-mail may name the Customers of all of its links.
const oldMailedLinks = ofTable(
  "portal_links.forget_mailed",
  "portal_links",
  `email_id IS NOT NULL AND ${EXPIRED} - $2::integer * interval '1 day'`,
);

/**
 * Deletes up to `limit` each of expired sessions, of expired links, and of e-mailed links that expired more than
 * `emailDays` and a day ago. `emailDays`: for how long e-mails are kept. Returns the number of deleted rows.
 */
export async function forgetPortal(db: Deleting, limit: number, emailDays: number): Promise<number> {
  const [links, sessions] = [await forgetRows(db, oldLinks, limit), await forgetRows(db, oldSessions, limit)];
  return links + sessions + (await forgetRows(db, oldMailedLinks, limit, emailDays + 1));
}
