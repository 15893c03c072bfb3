import { forgetOldEvents } from "../actions/retention/forget-events.ts";
import { forgetExpiredListeners } from "../actions/webhook/listener.ts";
import type { Retention } from "../config.ts";
import type { Context } from "../context.ts";
import { forgetRequests, trimRequests } from "../store/api-requests.ts";
import { acrossNodes } from "../store/distribution/across-nodes.ts";
import type { Database } from "../store/driver/db.ts";
import { forgetChanges } from "../store/email-changes.ts";
import { forgetEmails } from "../store/emails.ts";
import { dueForRetention } from "../store/event-retention.ts";
import { forget } from "../store/idempotency.ts";
import { forgetInvitations } from "../store/invitations.ts";
import { forgetPortal } from "../store/portal.ts";
import { forgetNotices } from "../store/provider-notices.ts";
import { forgetTransactions } from "../store/provider-transactions.ts";
import { forgetSignInFailures } from "../store/sign-in-failures.ts";
import { forgetUserSessions } from "../store/user-sessions.ts";
import { forgetDeliveries } from "../store/webhooks.ts";

/** A batch is one transaction of some tens of milliseconds, so neither vacuum nor another transaction waits for it. */
const BATCH = 1_000;
const ORGANIZATIONS = 100;
/** Renewals wait for the old events of a turn, so a turn begins no batch after this time. */
const MILLISECONDS = 1_000;

/** A batch that is to be deleted. `run` answers the number of deleted rows. */
type Batch = { key: string; run(): Promise<number> };

/**
 * Stored answers older than a day, e-mails, deliveries and requests of the log by the settings, expired links and
 * sessions of the portal, changes of e-mail addresses that can't be undone any more, old notices of providers, entries
 * of providers' books older than 35 days, and the dashboard's sessions, invitations and counts of attempts that are
 * over.
 */
const KINDS: Record<string, (db: Database, limit: number, retention: Retention) => Promise<number>> = {
  answers: forget,
  emails: (db, limit, { emails }) => forgetEmails(db, limit, emails),
  visits: (db, limit, { emails }) => forgetPortal(db, limit, emails),
  changes: forgetChanges,
  notices: forgetNotices,
  books: forgetTransactions,
  deliveries: (db, limit, { deliveries }) => forgetDeliveries(db, limit, deliveries),
  sessions: (db, limit) => db.tx((tx) => forgetUserSessions(tx, limit)),
  failures: (db, limit) => db.tx((tx) => forgetSignInFailures(tx, limit)),
  invitations: forgetInvitations,
  requests: (db, limit, { requests }) => forgetRequests(db, limit, requests),
  listeners: (db) => forgetExpiredListeners({ db }),
  excess: (db, limit) => trimRequests(db, limit),
};

/**
 * A batch of each kind of old rows, each in a transaction of its own. On a distributed database, and for listeners and
 * the excess of requests, the transaction is of one Organization.
 */
export const oldRows = ({ db, config }: Context): Batch[] =>
  Object.entries(KINDS).map(([key, forgetSome]) => ({ key, run: () => forgetSome(db, BATCH, config.retention) }));

/**
 * A batch of each Organization's old events, for a second at a time. The key is the Organization. The next turn finds
 * the Organizations that had no turn.
 */
export async function oldEvents(ctx: Context, failed: readonly string[] = []): Promise<Batch[]> {
  const { events: days } = ctx.config.retention;
  if (days === null) return [];
  const due = await dueForRetention(acrossNodes(ctx.db), failed, ORGANIZATIONS);
  const end = performance.now() + MILLISECONDS;
  const forgetSome = async (id: string) => (performance.now() < end ? forgetOldEvents(ctx, id, days, BATCH) : 0);
  return due.map((id) => ({ key: id, run: () => forgetSome(id) }));
}
