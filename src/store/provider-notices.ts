import { instant, type Instant } from "../domain/calendar.ts";
import type { NoticeStatus, ProviderNotice } from "../domain/model/provider-notice.ts";
import type { ListProviderNoticesQuery } from "../resources/provider-notice.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineTable } from "./driver/table.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

export const providerNotices = defineTable<ProviderNotice>("provider_notices", {
  organizationId: "plain",
  id: "plain",
  provider: "plain",
  providerAccount: "plain",
  ref: "plain",
  type: "plain",
  object: "plain",
  status: "plain",
  checkAt: "instant",
  checks: "plain",
  receivedAt: "instant",
});

const dueStatement = sql(
  "provider_notices.due",
  `SELECT organization_id AS "organizationId", id FROM provider_notices
   WHERE check_at <= statement_timestamp() ORDER BY check_at LIMIT $1`,
);
// A compare-and-set lease, as for payments. Each lease is twice as long as the one before.
const leaseStatement = sql(
  "provider_notices.lease",
  `UPDATE provider_notices SET checks = checks + 1,
     check_at = to_timestamp(
       extract(epoch FROM statement_timestamp())::float8 + least($3 * power(2, checks), $4) / 1000)
   WHERE organization_id = $1 AND id = $2 AND check_at <= statement_timestamp()
   RETURNING ${providerNotices.columns()}`,
);
const endStatement = sql(
  "provider_notices.end",
  "UPDATE provider_notices SET status = $3, check_at = NULL WHERE organization_id = $1 AND id = $2",
);
const listStatement = sql(
  "provider_notices.list",
  `SELECT ${providerNotices.columns()} FROM provider_notices
   WHERE organization_id = $1 AND ($2::text IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3)
   ORDER BY id DESC LIMIT $4`,
);
const oldNotices = defineOldRows({
  name: "provider_notices.forget",
  table: "provider_notices",
  keys: { id: "text" },
  isOld: `status <> 'waiting' AND received_at < statement_timestamp() - interval '3 days'
    AND (status = 'taken' OR received_at < statement_timestamp() - interval '30 days')`,
  by: "received_at",
});
// Only an Organization with a connected account has notices.
const excessNotices = defineOldRows({
  name: "provider_notices.forget_more",
  table: "provider_notices",
  keys: { id: "text" },
  isOld: "status = 'unmatched'",
  rows: `SELECT n.organization_id, n.id
    FROM (SELECT DISTINCT organization_id FROM provider_connections) AS c CROSS JOIN LATERAL (
      SELECT organization_id, id FROM provider_notices
      WHERE organization_id = c.organization_id AND status = 'unmatched' ORDER BY id DESC OFFSET $2) AS n
    LIMIT $1`,
});

/** Notices that wait for a look at their object, in real time. */
export function dueNotices(db: Queryable, limit: number): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueStatement, [limit]);
}

/** `leasedAt`: real time by the database's clock, so that the leases of several processes have an order. */
export type LeasedNotice = ProviderNotice & { leasedAt: Instant };

/**
 * Leases a due notice for `least` milliseconds the first time, and for twice as long each later time, up to `most`.
 * Null if another process holds the notice.
 */
export async function leaseNotice(
  tx: Tx,
  organizationId: string,
  id: string,
  { least, most }: { least: number; most: number },
): Promise<LeasedNotice | null> {
  const [notice] = await tx.query<ProviderNotice>(leaseStatement, [organizationId, id, least, most]);
  if (!notice) return null;
  return { ...notice, leasedAt: instant(notice.checkAt! - Math.min(least * 2 ** (notice.checks - 1), most)) };
}

export function endNotice(
  tx: Tx,
  { organizationId, id }: Pick<ProviderNotice, "organizationId" | "id">,
  status: Exclude<NoticeStatus, "waiting">,
): void {
  tx.send(endStatement, [organizationId, id, status]);
}

/** Newest first; returns one row more than the page holds. */
export function listNotices(
  db: Queryable,
  organizationId: string,
  { cursor, status, limit }: ListProviderNoticesQuery,
): Promise<ProviderNotice[]> {
  return db.query<ProviderNotice>(listStatement, [organizationId, cursor, status, limit + 1]);
}

/** The most unmatched notices of an Organization that are kept. */
const MOST_UNMATCHED = 10_000;

/**
 * Deletes taken notices older than three days, unmatched notices older than thirty days, and all but the newest 10,000
 * unmatched notices of each Organization.
 */
export async function forgetNotices(db: Deleting, limit: number): Promise<number> {
  return (await forgetRows(db, oldNotices, limit)) + (await forgetRows(db, excessNotices, limit, MOST_UNMATCHED));
}
