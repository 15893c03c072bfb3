import type { Instant } from "../domain/calendar.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

const storeStatement = sql(
  "verifications.store",
  `INSERT INTO verifications (organization_id, checked_at, clock_at, disagreements)
   SELECT id, ${REAL_NOW}, clock_at, $2 FROM organizations WHERE id = $1
   ON CONFLICT (organization_id) DO UPDATE SET checked_at = EXCLUDED.checked_at, clock_at = EXCLUDED.clock_at,
     disagreements = EXCLUDED.disagreements`,
);
const findStatement = sql(
  "verifications.find",
  `SELECT checked_at AS "checkedAt", clock_at AS "clockAt", disagreements
   FROM verifications WHERE organization_id = $1`,
);

/** A rule that did not hold, and the number of its violations. */
export type Disagreement = { rule: string; says: string; count: number };
/** `checkedAt`: in real time. `clockAt`: the sandbox's own clock at the check; null: it followed real time. */
export type Verification = { checkedAt: Instant; clockAt: Instant | null; disagreements: Disagreement[] };

/** Keeps the result of a check in the place of the one before. */
export async function writeVerification(
  tx: Tx,
  organizationId: string,
  disagreements: readonly Disagreement[],
): Promise<void> {
  await tx.query(storeStatement, [organizationId, JSON.stringify(disagreements)]);
}

/** The last check of an Organization; null: there was none. */
export async function findVerification(db: Queryable, organizationId: string): Promise<Verification | null> {
  return (await db.query<Verification>(findStatement, [organizationId]))[0] ?? null;
}
