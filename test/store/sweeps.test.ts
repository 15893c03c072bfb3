import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import { dueCheckouts } from "../../src/store/checkouts.ts";
import { countHeld } from "../../src/store/catch-up.ts";
import type { Deleting } from "../../src/store/driver/delete-rows.ts";
import { openDatabase, sql, type Database, type Statement, type Tx } from "../../src/store/driver/db.ts";
import { claimFile, findNextFile, lateFiles } from "../../src/store/email-files.ts";
import { claimEmails, dueOrganizations, secondsOverdue as emailsOverdue } from "../../src/store/email-queue.ts";
import { forgetChanges } from "../../src/store/email-changes.ts";
import { forgetEmails } from "../../src/store/emails.ts";
import { benefitRounds } from "../../src/store/benefits.ts";
import { dueForRetention } from "../../src/store/event-retention.ts";
import { forget } from "../../src/store/idempotency.ts";
import { expiredListeners, forgetListeners } from "../../src/store/listeners.ts";
import { dueCounts } from "../../src/store/metrics.ts";
import { freeClocks } from "../../src/store/organizations.ts";
import { dueCards } from "../../src/store/payment-methods.ts";
import { duePauses } from "../../src/store/payment-pauses.ts";
import { duePayments } from "../../src/store/payments.ts";
import { forgetPortal } from "../../src/store/portal.ts";
import { productRounds } from "../../src/store/products.ts";
import { dueImports, forgetTransactions } from "../../src/store/provider-transactions.ts";
import { readQueueHeads } from "../../src/store/queue-heads.ts";
import { dueRefunds } from "../../src/store/refunds.ts";
import { freeFills } from "../../src/store/sandbox-fills.ts";
import { typedAddresses } from "../../src/store/sign-ins.ts";
import { countGrownTables } from "../../src/store/driver/statistics.ts";
import { dueCustomers } from "../../src/store/subscriptions.ts";
import { openRedeliveries, skippingEndpoints } from "../../src/store/webhook-backlogs.ts";
import {
  dueEndpoints,
  secondsOverdue as webhooksOverdue,
  takeEvents,
  waitingOrganizations,
} from "../../src/store/webhook-queue.ts";
import { forgetDeliveries } from "../../src/store/webhooks.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { asDistributed } from "../support/distributed.ts";
import { dropChecks, readFillers } from "../support/fillers.ts";

const ROWS = 10_000;
const ORGANIZATION = "org_sweeps";

/** Deletions within an open transaction. */
const within = (tx: Tx, isDistributed = false): Deleting => ({
  isDistributed: () => isDistributed,
  read: { kind: "read", query: tx.query },
  tx: (work) => work(tx),
});

/** Every look of the worker, the deliverer and the mailer for due rows. */
const LOOKS: Record<string, (tx: Tx) => Promise<unknown>> = {
  payments: (tx) => duePayments(tx, 100),
  refunds: (tx) => dueRefunds(tx, 100),
  "paused accounts": (tx) => duePauses(tx, 100),
  subscriptions: (tx) => dueCustomers(tx, 100),
  cards: (tx) => dueCards(tx, 100),
  checkouts: (tx) => dueCheckouts(tx, 100),
  products: (tx) => productRounds.due(tx, [], 8),
  benefits: (tx) => benefitRounds.due(tx, [], 8),
  skips: (tx) => skippingEndpoints(tx, 100),
  redeliveries: (tx) => openRedeliveries(tx, 100),
  "sign-ins": (tx) => typedAddresses(tx, 100),
  clocks: (tx) => freeClocks(tx, 100),
  fills: (tx) => freeFills(tx, 100),
  "provider-books": (tx) => dueImports(tx, 100),
  "old entries of books": (tx) => forgetTransactions(within(tx), 1000),
  metrics: (tx) => dueCounts(tx, 100),
  "old events": (tx) => dueForRetention(tx, [], 100),
  "held Subscriptions": countHeld,
  "Organizations with listeners that have left": expiredListeners,
  "listeners that have left": (tx) => forgetListeners(tx, ORGANIZATION),
  "old answers": (tx) => forget(within(tx), 1000),
  "old e-mails": (tx) => forgetEmails(within(tx), 1000, 30),
  "old visits of the portal": (tx) => forgetPortal(within(tx), 1000, 30),
  "old changes of e-mail addresses": (tx) => forgetChanges(within(tx), 1000),
  "old deliveries": (tx) => forgetDeliveries(within(tx), 1000, 30),
  "events to be spread": (tx) => waitingOrganizations(tx, "", 100),
  "an Organization's events": (tx) => takeEvents(tx, ORGANIZATION, 100),
  "endpoints with something to be sent": dueEndpoints,
  "Organizations with e-mails": (tx) => dueOrganizations(tx, []),
  "an Organization's e-mails": (tx) => claimEmails(tx, ORGANIZATION, { limit: 8, first: "oldest", held: [] }),
  "an Organization's newest e-mails": (tx) => claimEmails(tx, ORGANIZATION, { limit: 8, first: "newest", held: [] }),
  "the next message for a file": findNextFile,
  "a message for a file": (tx) =>
    claimFile(tx, { organizationId: ORGANIZATION, id: "100", fileAt: instant(0), isLate: false }),
  "messages that wait too long for a file": (tx) => lateFiles(tx, 100),
};

/** Looks with another text for a distributed database. */
const DISTRIBUTED: Record<string, (tx: Tx) => Promise<unknown>> = {
  "the heads of all queues": (tx) => readQueueHeads(asDistributed(tx)),
  "events to be spread": (tx) => waitingOrganizations(asDistributed(tx), "", 100),
  "endpoints with something to be sent": (tx) => dueEndpoints(asDistributed(tx)),
  "webhooks that wait": (tx) => webhooksOverdue(asDistributed(tx)),
  "Organizations with e-mails": (tx) => dueOrganizations(asDistributed(tx), []),
  "e-mails that wait": (tx) => emailsOverdue(asDistributed(tx)),
  "old entries of books": (tx) => forgetTransactions(within(tx, true), 1000),
  "old answers": (tx) => forget(within(tx, true), 1000),
  "old e-mails": (tx) => forgetEmails(within(tx, true), 1000, 30),
  "old visits of the portal": (tx) => forgetPortal(within(tx, true), 1000, 30),
  "old changes of e-mail addresses": (tx) => forgetChanges(within(tx, true), 1000),
  "old deliveries": (tx) => forgetDeliveries(within(tx, true), 1000, 30),
};
const ALL = [
  ...Object.entries(LOOKS),
  ...Object.entries(DISTRIBUTED).map(([name, look]) => [`${name} of a distributed database`, look] as const),
];

/**
 * For every searched table, the columns that differ in its n-th row. One row in a hundred is due later, and all
 * others are done. `later` is the due instant, null for a row that is done.
 */
const ROW: Record<string, string> = {
  organizations: `'id', 'org_' || n, 'mode', 'sandbox', 'clock_target', later, 'clock_lease_until', later`,
  products: `'id', n::text, 'key', n::text, 'sync_at', later`,
  benefits: `'id', n::text, 'key', n::text, 'sync_at', later`,
  subscriptions: `'id', n::text, 'customer_id', n::text, 'due_at', now() + n * interval '1 minute'`,
  payment_methods: `'id', n::text, 'customer_id', n::text, 'due_at', later`,
  checkouts: `'id', n::text, 'customer_id', n::text, 'status', CASE WHEN later IS NULL THEN 'completed' ELSE 'open' END,
    'due_at', later`,
  payments: `'id', n::text, 'provider_key', n::text, 'source_id', n::text,
    'status', CASE WHEN later IS NULL THEN 'succeeded' ELSE 'unknown' END,
    'check_at', later`,
  payment_pauses: `'id', n::text, 'provider', n::text, 'ended_at', CASE WHEN later IS NULL THEN now() END, 'check_at',
    later`,
  refunds: `'id', n::text, 'status', CASE WHEN later IS NULL THEN 'succeeded' ELSE 'unknown' END, 'check_at', later`,
  provider_book_imports: `'provider_account', n::text, 'import_at', later`,
  sandbox_fills: `'organization_id', 'org_' || n, 'lease_until', later, 'fault', NULL, 'done', 0`,
  metric_progress: `'organization_id', 'org_' || n, 'due_at', now() + n * interval '1 minute',
    'delete_at', now() + n * interval '1 minute'`,
  provider_book: `'ref', n::text, 'created_at', now()`,
  events: `'id', n::text, 'resource_id', n::text`,
  emails: `'id', n::text, 'status', CASE WHEN later IS NULL THEN 'sent' ELSE 'queued' END, 'attempt_at', later,
    'queued_at', now()`,
  webhook_endpoints: `'id', n::text, 'kind', CASE WHEN later IS NULL THEN 'http' ELSE 'listener' END, 'status',
    'enabled',
     'expires_at', later`,
  webhook_deliveries: `'id', n::text, 'endpoint_id', (n % 2)::text, 'event_id', n::text, 'attempt_at', later,
     'status', CASE WHEN later IS NULL THEN 'succeeded' ELSE 'retrying' END,
     'created_at', CASE WHEN later IS NULL THEN now() ELSE now() - interval '31 days' END`,
  idempotency_keys: `'key', n::text, 'status', 200, 'created_at', now()`,
  portal_links:
    "'digest', '\\x' || lpad(to_hex(n), 8, '0'), 'email_id', n::text, 'expires_at', now() + interval '1 hour'",
  email_changes: `'id', n::text, 'status', 'asked', 'expires_at', now() + interval '1 hour'`,
  portal_sessions: `'digest', '\\x' || lpad(to_hex(n), 8, '0'), 'expires_at', now() + interval '1 hour'`,
};

async function fill(db: Database, first: number, last: number): Promise<void> {
  const fillers = await readFillers(db, ORGANIZATION);
  for (const [table, filler] of [...fillers].filter(([each]) => each in ROW)) {
    await db.script(`INSERT INTO ${table} SELECT r.*
      FROM (SELECT n, CASE WHEN n % 100 = 0 THEN now() + n * interval '1 minute' END AS later
      FROM generate_series(${first}, ${last}) n) g
      CROSS JOIN LATERAL jsonb_populate_record(NULL::${table},
      '${JSON.stringify(filler)}'::jsonb || jsonb_build_object(${ROW[table]})) r`);
  }
}

type Plan = { "Relation Name"?: string; "Actual Rows"?: number; "Actual Loops"?: number; Plans?: Plan[] } & Record<
  string,
  unknown
>;

/** The number of rows that a plan has read from tables, including those that it then left out. */
function readBy(plan: Plan): number {
  const left = ["Rows Removed by Filter", "Rows Removed by Index Recheck"].map((name) => Number(plan[name] ?? 0));
  const own = plan["Relation Name"] ? (plan["Actual Rows"] ?? 0) + left.reduce((sum, rows) => sum + rows, 0) : 0;
  return own * (plan["Actual Loops"] ?? 1) + (plan.Plans ?? []).reduce((sum, child) => sum + readBy(child), 0);
}

type Explained = { "QUERY PLAN": { Plan: Plan }[] }[];
function literal(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(", ")}]::text[]`;
  return typeof value === "number" ? String(value) : `'${String(value)}'`;
}

/**
 * A transaction that notes the number of rows that each statement reads, with a new plan or with the one that the
 * connection keeps.
 */
function noting(tx: Tx, reads: Map<string, number>, isKept: boolean): Tx {
  const note = async (statement: Statement, values: unknown[] = []) => {
    const execute = `EXECUTE "${statement.name}"${values.length > 0 ? `(${values.map(literal).join(", ")})` : ""}`;
    const text = `EXPLAIN (ANALYZE, FORMAT JSON) ${isKept ? execute : statement.text}`;
    const [row] = (await tx.query({ name: `explain.${statement.name}`, text }, isKept ? [] : values)) as Explained;
    reads.set(statement.name, readBy(row!["QUERY PLAN"][0]!.Plan));
  };
  return {
    kind: "tx",
    isDistributed: tx.isDistributed,
    async query<Row>(statement: Statement, values: unknown[] = []) {
      await note(statement, values);
      return tx.query<Row>(statement, values);
    },
    send: (statement, values) => void note(statement, values),
    wakes: () => {},
  };
}

/** The numbers of rows by the names of statements. */
async function rowsRead(
  db: Database,
  look: (tx: Tx) => Promise<unknown>,
  isKept = false,
): Promise<Record<string, number>> {
  const reads = new Map<string, number>();
  await db.tx((tx) => look(noting(tx, reads, isKept)));
  return Object.fromEntries(reads);
}

/** A look reads a row for each Organization or endpoint with waiting work, as it steps from one to the next. */
const A_FEW = 10;
let database: TestDatabase;
let one: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  await dropChecks(database.db);
  // As in a young installation: statistics and plans were made when tables were nearly empty.
  await fill(database.db, 1, 1);
  await database.db.script("ANALYZE");
  one = openDatabase(database.connection, { transactions: 1 });
  for (const [, look] of ALL) for (let times = 0; times < 7; times += 1) await one.tx(look);
  await fill(database.db, 2, ROWS);
});
afterAll(async () => {
  await one.end();
  await database.drop();
});

const countedStatement = sql(
  "test.counted",
  `SELECT relname AS name FROM pg_class
   WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > $1 ORDER BY relname`,
);

test("tables that have grown are counted again", async () => {
  const counted = async () => {
    await countGrownTables(database.db);
    return (await database.db.read.query<{ name: string }>(countedStatement, [ROWS / 2])).map(({ name }) => name);
  };
  await expect.poll(counted).toEqual(Object.keys(ROW).sort());
});

describe.each(ALL)("a look for %s reads no row that is not due", (_, look) => {
  test("as it is planned now", async () => {
    const reads = await rowsRead(database.db, look);
    expect(Object.values(reads).length).toBeGreaterThan(0);
    for (const [name, rows] of Object.entries(reads)) expect(rows, name).toBeLessThanOrEqual(A_FEW);
  });

  test("on a connection that planned it when tables were nearly empty", async () => {
    const reads = await rowsRead(one, look, true);
    expect(Object.values(reads).length).toBeGreaterThan(0);
    for (const [name, rows] of Object.entries(reads)) expect(rows, name).toBeLessThanOrEqual(A_FEW);
  });
});
