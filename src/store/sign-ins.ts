import { formatInstant, type Instant } from "../domain/calendar.ts";
import { FRESH_MINUTES, type SignInEmail, type SignInRequest } from "../domain/model/portal-session.ts";
import { tracedRows } from "../tracing/tracing.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

/** An e-mail address that was typed into an Organization's portal. */
export type TypedAddress = { organizationId: string; emailKey: string };

const askStatement = sql(
  "portal_requests.ask",
  `INSERT INTO portal_requests (organization_id, email_key, asked_from, asked_at)
   VALUES ($1, $2, $3, ${REAL_NOW}) ON CONFLICT DO NOTHING`,
);

/** Records a request for a link. The statement and its locks are the same whether or not a Customer has the address. */
export async function askForLink(tx: Tx, { organizationId, emailKey }: TypedAddress, askedFrom: string): Promise<void> {
  await tx.query(askStatement, [organizationId, emailKey, askedFrom]);
  tx.wakes("sign-ins");
}

const askedStatement = sql(
  "portal_requests.asked",
  `SELECT DISTINCT organization_id AS "organizationId", email_key AS "emailKey"
   FROM (SELECT organization_id, email_key FROM portal_requests ORDER BY asked_at LIMIT $1) oldest`,
);

/** The addresses of the oldest `limit` requests. Each address waits for a worker. */
export async function typedAddresses(db: Queryable, limit: number): Promise<TypedAddress[]> {
  return db.query<TypedAddress>(askedStatement, [limit]);
}

const takeStatement = sql(
  "portal_requests.take",
  `DELETE FROM portal_requests WHERE organization_id = $1 AND email_key = $2
   RETURNING asked_from AS "askedFrom", asked_at AS "askedAt"`,
);

/** Deletes and answers all requests for an address. Of two concurrent calls, the second gets only newer requests. */
export async function takeRequests(tx: Tx, { organizationId, emailKey }: TypedAddress): Promise<SignInRequest[]> {
  return tx.query<SignInRequest>(takeStatement, [organizationId, emailKey]);
}

// A fresh e-mail can still be used to sign in: the e-mail is not sent yet, or its link is unused. The e-mails are
// looked up by Customer and not by time, because an advance may have queued any number of e-mails within the hour.
const latelyStatement = sql(
  "emails.sign_in_lately",
  `SELECT e.asked_from AS "askedFrom", statement_timestamp() - e.queued_at < interval '${FRESH_MINUTES} minutes' AND (
       e.status = 'queued' OR (e.status IN ('sent', 'kept') AND EXISTS (
         SELECT 1 FROM portal_links l
         WHERE l.organization_id = $1 AND l.customer_id = e.customer_id AND l.email_id = e.id AND l.used_at IS NULL)
     )) AS "isFresh"
   FROM emails e
   WHERE e.organization_id = $1 AND e.customer_id = $2 AND e.kind = 'portal_sign_in'
     AND statement_timestamp() - e.queued_at < interval '1 hour'`,
);

/** The sign-in e-mails that were queued for a Customer within the last hour. */
export async function signInsLately(db: Queryable, organizationId: string, customerId: string): Promise<SignInEmail[]> {
  return db.query<SignInEmail>(latelyStatement, [organizationId, customerId]);
}

// FOR KEY SHARE waits until a deletion of the Customer that is under way has ended, and reads the row again afterwards.
const queueStatement = sql(
  "emails.queue_sign_in",
  `INSERT INTO emails (organization_id, id, kind, customer_id, created_at, status, attempts, attempt_at, asked_from,
   queued_at)
   SELECT organization_id, $2, 'portal_sign_in', id, $4, 'queued', 0, statement_timestamp(), $5, $6
   FROM customers WHERE organization_id = $1 AND id = $3 AND deleted_at IS NULL FOR KEY SHARE`,
);

type Asked = SignInRequest & { organizationId: string; id: string; customerId: string; createdAt: Instant };

/**
 * Queues a sign-in e-mail. The e-mail counts as queued since the request for the link. A deleted Customer gets no
 * e-mail.
 */
export function queueSignIn(tx: Tx, { organizationId, id, customerId, createdAt, askedFrom, askedAt }: Asked): void {
  tracedRows("billow.email.id", [{ id }]);
  tx.send(queueStatement, [
    organizationId,
    id,
    customerId,
    formatInstant(createdAt),
    askedFrom,
    formatInstant(askedAt),
  ]);
  tx.wakes("emails");
}
