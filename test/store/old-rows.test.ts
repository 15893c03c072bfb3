import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forgetRequests } from "../../src/store/api-requests.ts";
import type { Deleting } from "../../src/store/driver/delete-rows.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { forgetChanges } from "../../src/store/email-changes.ts";
import { forgetEmails } from "../../src/store/emails.ts";
import { forget } from "../../src/store/idempotency.ts";
import { forgetInvitations } from "../../src/store/invitations.ts";
import { forgetPortal } from "../../src/store/portal.ts";
import { forgetNotices } from "../../src/store/provider-notices.ts";
import { forgetTransactions } from "../../src/store/provider-transactions.ts";
import { forgetDeliveries } from "../../src/store/webhooks.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { dropChecks, insertRows } from "../support/fillers.ts";

// One PostgreSQL deletes the old rows of all Organizations in one transaction. A distributed database looks first, and
// takes a transaction for each Organization (decision 0107).

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
/** The names of rows are in a column of their own kind, `id` or `key`. */
type Kind = {
  name: string;
  table: string;
  row(id: string, days: number): object;
  /** Ages in days. */
  old: number;
  young: number;
  run(db: Deleting, limit: number): Promise<number>;
};
const hex = (id: string) => `\\x${Buffer.from(id).toString("hex")}`;
const KINDS: Kind[] = [
  {
    name: "answers",
    table: "idempotency_keys",
    row: (key, days) => ({ key, status: 200, created_at: ago(days) }),
    old: 1.1,
    young: 0.9,
    run: forget,
  },
  {
    name: "e-mails",
    table: "emails",
    row: (id, days) => ({ id, queued_at: ago(days) }),
    old: 31,
    young: 29,
    run: (db, limit) => forgetEmails(db, limit, 30),
  },
  {
    name: "e-mailed links",
    table: "portal_links",
    row: (id, days) => ({ digest: hex(id), email_id: id, expires_at: ago(days) }),
    old: 31.1,
    young: 30.9,
    run: (db, limit) => forgetPortal(db, limit, 30),
  },
  {
    name: "links",
    table: "portal_links",
    row: (id, days) => ({ digest: hex(id), email_id: null, expires_at: ago(days) }),
    old: 0.1,
    young: -0.1,
    run: (db, limit) => forgetPortal(db, limit, 30),
  },
  {
    name: "sessions of the portal",
    table: "portal_sessions",
    row: (id, days) => ({ digest: hex(id), expires_at: ago(days) }),
    old: 0.1,
    young: -0.1,
    run: (db, limit) => forgetPortal(db, limit, 30),
  },
  {
    name: "changes of e-mail addresses",
    table: "email_changes",
    row: (id, days) => ({ id, status: "asked", expires_at: ago(days) }),
    old: 0.1,
    young: -0.1,
    run: forgetChanges,
  },
  {
    name: "taken notices",
    table: "provider_notices",
    row: (id, days) => ({ id, ref: id, status: "taken", received_at: ago(days) }),
    old: 3.1,
    young: 2.9,
    run: forgetNotices,
  },
  {
    name: "unmatched notices",
    table: "provider_notices",
    row: (id, days) => ({ id, ref: id, status: "unmatched", received_at: ago(days) }),
    old: 30.1,
    young: 29.9,
    run: forgetNotices,
  },
  {
    name: "entries of books",
    table: "provider_book",
    row: (ref, days) => ({ provider: "stripe", provider_account: "acct", ref, created_at: ago(days) }),
    old: 35.1,
    young: 34.9,
    run: forgetTransactions,
  },
  {
    name: "deliveries",
    table: "webhook_deliveries",
    row: (id, days) => ({ id, event_id: id, attempt_at: null, created_at: ago(days) }),
    old: 30.1,
    young: 29.9,
    run: (db, limit) => forgetDeliveries(db, limit, 30),
  },
  {
    name: "invitations",
    table: "invitations",
    row: (id, days) => ({ id, email_key: id, expires_at: ago(days) }),
    old: 0.1,
    young: -0.1,
    run: forgetInvitations,
  },
  {
    name: "requests",
    table: "api_requests",
    row: (id, days) => ({ id, at: ago(days) }),
    old: 7.1,
    young: 6.9,
    run: (db, limit) => forgetRequests(db, limit, 7),
  },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropChecks(database.db);
});
beforeEach(() =>
  database.db.script(...[...new Set(KINDS.map(({ table }) => table))].map((table) => `DELETE FROM ${table}`)),
);
afterAll(() => database.drop());

const asCluster = (db: Database): Deleting => ({ ...db, isDistributed: () => true });

async function countsOf(table: string): Promise<Record<string, number>> {
  const statement = sql(
    `test.old_rows_of_${table}`,
    `SELECT organization_id AS id, count(*)::integer AS count FROM ${table} GROUP BY 1 ORDER BY 1`,
  );
  const rows = await database.db.read.query<{ id: string; count: number }>(statement);
  return Object.fromEntries(rows.map(({ id, count }) => [id, count]));
}

describe.each([
  ["one PostgreSQL", (db: Database): Deleting => db],
  ["a distributed database", asCluster],
])("%s", (_, over) => {
  describe.each(KINDS)("forgets old $name", ({ table, row, old, young, run }) => {
    const rows = (count: number, days: number) =>
      Array.from({ length: count }, (__, n) => ["a", "b"].map((organization_id) => ({ organization_id, n }))).flatMap(
        (some) => some.map(({ organization_id, n }) => ({ organization_id, ...row(`${days}-${n}`, days) })),
      );

    test("of every Organization, and leaves the others", async () => {
      await insertRows(database.db, table, [...rows(3, old), ...rows(2, young)]);
      expect(await run(over(database.db), 1000)).toBe(6);
      expect(await countsOf(table)).toEqual({ a: 2, b: 2 });
      expect(await run(over(database.db), 1000)).toBe(0);
    });

    test("a batch at a time, the oldest first", async () => {
      await insertRows(database.db, table, rows(2, old));
      await insertRows(database.db, table, [{ organization_id: "c", ...row("oldest", old + 5) }]);
      expect(await run(over(database.db), 1)).toBe(1);
      expect(await countsOf(table)).toEqual({ a: 2, b: 2 });
      expect(await run(over(database.db), 3)).toBe(3);
    });
  });

  test("keeps the newest unmatched notices of an Organization", async () => {
    const notice = (organization_id: string, n: number) => ({
      organization_id,
      id: String(n).padStart(6, "0"),
      ref: String(n),
      status: "unmatched",
      received_at: ago(1),
    });
    const notices = Array.from({ length: 10_003 }, (__, n) => notice("a", n));
    await insertRows(database.db, "provider_notices", [...notices, notice("b", 1)]);
    await insertRows(database.db, "provider_connections", [{ organization_id: "a" }, { organization_id: "b" }]);
    expect(await forgetNotices(over(database.db), 1000)).toBe(3);
    expect(await countsOf("provider_notices")).toEqual({ a: 10_000, b: 1 });
    await database.db.script("DELETE FROM provider_connections");
  });
});

test.each([
  ["a key that was claimed again", KINDS[0]!, "UPDATE idempotency_keys SET created_at = now()"],
  ["an invitation that was sent again", KINDS[10]!, "UPDATE invitations SET expires_at = now() + interval '1 day'"],
  ["a delivery that was requested again", KINDS[9]!, "UPDATE webhook_deliveries SET attempt_at = now()"],
])("on a distributed database %s since the look stays", async (_, { table, row, old, run }, change) => {
  const { db } = database;
  await insertRows(db, table, [{ organization_id: "a", ...row("one", old) }]);
  const read: Deleting["read"] = {
    kind: "read",
    async query(statement, values) {
      const rows = await db.read.query<never>(statement, values);
      await db.script(change);
      return rows;
    },
  };
  expect(await run({ ...asCluster(db), read }, 1000)).toBe(0);
  expect(await countsOf(table)).toEqual({ a: 1 });
});
