import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { sql, type Snapshot } from "../../src/store/driver/db.ts";
import { takeSnapshot } from "../../src/store/verify/snapshot.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const addKeys = sql(
  "test.add_idempotency_keys",
  `INSERT INTO idempotency_keys (organization_id, key, method, path, body_digest, created_at)
   SELECT $1, 'key ' || n, 'POST', '/checkouts', '', '2025-06-01' FROM generate_series(1, $2::integer) n`,
);
const readSettings = sql(
  "test.verify_settings",
  `SELECT current_setting('plan_cache_mode') AS plans, current_setting('enable_seqscan') AS whole,
     current_setting('enable_nestloop') AS loops, current_setting('statement_timeout') AS limit`,
);

/** The settings of a verification, and one table of its snapshot. */
async function verifiedWith(rows: number) {
  const { organization } = await database.db.tx((tx) =>
    createOrganizationWithKeys(tx, { name: `With ${rows} rows`, mode: "sandbox" }),
  );
  await database.db.tx((tx) => tx.query(addKeys, [organization.id, rows]));
  return database.db.snapshot(async (tx: Snapshot) => {
    const { filled } = await takeSnapshot(tx, organization.id);
    return { filled: filled.idempotency_keys, settings: (await tx.query(readSettings))[0] };
  });
}

const KEPT = { plans: "force_generic_plan", whole: "off", loops: "on", limit: "0" };
const OWN = { plans: "force_custom_plan", whole: "on", loops: "off", limit: "0" };

test.each([
  [0, false, KEPT],
  [500, true, KEPT],
  [501, true, OWN],
])("the rules on %i rows keep their plans up to 500 rows on one PostgreSQL", async (rows, filled, onOne) => {
  const verified = await verifiedWith(rows);
  expect(verified).toEqual({ filled, settings: database.db.isDistributed() ? OWN : onOne });
});
