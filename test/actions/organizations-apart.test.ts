import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adopt, watchTimeline } from "../../src/actions/installation.ts";
import { approveCatchUp, noteTime, readCatchUp } from "../../src/actions/organization/catch-up.ts";
import type { Context } from "../../src/context.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { organizations } from "../../src/store/organizations.ts";
import { heldAccounts } from "../../src/store/promotions.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { connect } from "../support/connections.ts";
import { lastApproved, lastSeen } from "../support/downtime.ts";

// Rare changes of all Organizations. One PostgreSQL makes them in one transaction. A distributed database takes a
// transaction for each Organization, and records last that the change was made (decision 0107).

const MANY = 6;

const FIRST = sql("test.apart_first_timeline", "SELECT 1::bigint AS timeline");
const AWAY = sql("test.apart_no_timeline", "SELECT NULL::bigint AS timeline");
const promotedStatement = sql("test.apart_promoted", "UPDATE installation SET timeline = 0");
const copiedStatement = sql("test.apart_copied", "UPDATE installation SET database_oid = '1', adopted_at = NULL");
const unheldStatement = sql("test.apart_unheld", "UPDATE organizations SET catch_up_since = NULL WHERE id = $1");
const laterStatement = sql(
  "test.apart_later",
  `UPDATE provider_book_imports SET import_at = statement_timestamp() + interval '1 hour', held_since = NULL,
     held_differences = NULL WHERE organization_id = $1`,
);
const waitingStatement = sql(
  "test.apart_waiting",
  `SELECT organization_id AS id FROM provider_book_imports WHERE import_at > statement_timestamp()
   ORDER BY organization_id`,
);
const unnotedStatement = sql(
  "test.apart_unnoted",
  `SELECT abs(extract(epoch FROM statement_timestamp() - seen_at)) > 60 AS unnoted FROM worker_heartbeat`,
);
const storedStatement = sql(
  "test.apart_stored",
  "SELECT timeline, adopted_at IS NOT NULL AS adopted FROM installation",
);
const writersStatement = sql(
  "test.apart_writers",
  `SELECT max(owners)::integer AS most FROM (
     SELECT count(DISTINCT id) AS owners FROM (
       SELECT xmin::text AS writer, id FROM organizations
       UNION ALL SELECT xmin::text, organization_id FROM provider_book_imports) AS written
     WHERE id = ANY($1) GROUP BY writer) AS counted`,
);

let app: TestApp;
let ids: string[];
beforeEach(async () => {
  app = await startTestApp({}, { mode: "live" });
  const others = [];
  for (let n = 1; n < MANY; n += 1) others.push(await app.otherOrganization({ mode: "live" }));
  ids = [app, ...others].map(({ organization }) => organization.id).sort();
  for (const organizationId of ids)
    await connect(app.ctx.db, { organizationId, account: "acct_1", secret: "s".repeat(32), key: "key" });
  await noteTime(app.ctx);
  await watchTimeline(over(app.ctx.db));
});
afterEach(() => app.close());

/** A process of its own over `db`. */
const over = (db: Database): Context => ({ ...app.ctx, db, installation: { isCopy: null, lookedAt: 0 } });
/** One PostgreSQL answers for the function of Citus that asks all nodes for their timelines. */
function asCluster(db: Database): Database {
  const query: Database["read"]["query"] = (statement, values) =>
    db.read.query(!db.isDistributed() && /run_command_on_all_nodes/.test(statement.text) ? FIRST : statement, values);
  return { ...db, read: { kind: "read", query }, isDistributed: () => true };
}

/** A process that dies when it begins its transaction number `last`, once the others are done. */
function dying(db: Database, last: number): Database {
  const begun: Promise<unknown>[] = [];
  let isDead = false;
  return {
    ...asCluster(db),
    async tx(work) {
      isDead ||= begun.length === last - 1;
      if (isDead) {
        await Promise.allSettled(begun);
        throw new Error("the process died");
      }
      const done = db.tx(work);
      begun.push(done);
      return done;
    },
  };
}

/** A process that is slow after its look: `meanwhile` happens before its first transaction. */
function slow(db: Database, meanwhile: () => Promise<unknown>): Database {
  let happened: Promise<unknown> | undefined;
  return { ...asCluster(db), tx: async (work) => (await (happened ??= meanwhile()), db.tx(work)) };
}

const sinceOf = async () => {
  const found = await Promise.all(ids.map((id) => organizations.find(app.ctx.db.read, id)));
  return found.map((organization) => organization!.catchUpSince);
};
const approvals = async () => {
  const found = await Promise.all(ids.map((id) => organizations.find(app.ctx.db.read, id)));
  return found.map((organization) => organization!.catchUpApprovedUntil! > Date.now() + 60_000);
};
const held = async () => (await heldAccounts(app.ctx.db.read)).map(({ organizationId }) => organizationId);
const waiting = async () => (await app.ctx.db.read.query<{ id: string }>(waitingStatement)).map(({ id }) => id);
const stored = async () => (await app.ctx.db.read.query<{ timeline: number; adopted: boolean }>(storedStatement))[0]!;
const isUnnoted = async () => (await app.ctx.db.read.query<{ unnoted: boolean }>(unnotedStatement))[0]!.unnoted;
/** The Organizations as before a change, each in a transaction of its own. */
async function reset(): Promise<void> {
  for (const id of ids)
    for (const statement of [unheldStatement, laterStatement]) await app.ctx.db.tx((tx) => tx.query(statement, [id]));
}
const promote = () => app.ctx.db.tx((tx) => tx.query(promotedStatement));
const approveAll = async () => {
  for (const id of ids)
    await approveCatchUp(app.ctx, await readCatchUp(app.ctx, (await organizations.find(app.ctx.db.read, id))!));
};

type Change = {
  name: string;
  /** Makes the change due. */
  cause(): Promise<unknown>;
  run(ctx: Context): Promise<unknown>;
  /** The number of Organizations with the change. */
  changed(): Promise<number>;
  isRecorded(): Promise<boolean>;
};
const CHANGES: Change[] = [
  {
    name: "a clock that jumped holds due work",
    cause: () => lastSeen(app.ctx, 3),
    run: noteTime,
    changed: async () => (await sinceOf()).filter((since) => since !== null).length,
    isRecorded: async () => !(await isUnnoted()),
  },
  {
    name: "a clock that went back withdraws approvals",
    cause: async () => {
      await lastApproved(app.ctx, -300);
      await lastSeen(app.ctx, -300);
    },
    run: noteTime,
    changed: async () => (await approvals()).filter((isAhead) => !isAhead).length,
    isRecorded: async () => !(await isUnnoted()),
  },
  {
    name: "a promotion holds the accounts",
    cause: promote,
    run: watchTimeline,
    changed: async () => (await held()).length,
    isRecorded: async () => (await stored()).timeline !== 0,
  },
  {
    name: "an adoption plans the imports",
    cause: () => app.ctx.db.tx((tx) => tx.query(copiedStatement)),
    run: adopt,
    changed: async () => MANY - (await waiting()).length,
    isRecorded: async () => (await stored()).adopted,
  },
];

describe.each(CHANGES)("$name", ({ cause, run, changed, isRecorded }) => {
  test("in one transaction on one PostgreSQL, and in one of each Organization on several nodes", async () => {
    await reset();
    await cause();
    expect([await changed(), await isRecorded()]).toEqual([0, false]);
    const isOne = !app.ctx.db.isDistributed();
    await run(over(app.ctx.db));
    expect([await changed(), await isRecorded()]).toEqual([MANY, true]);
    expect(await app.ctx.db.read.query(writersStatement, [ids])).toEqual([{ most: isOne ? MANY : 1 }]);
  });

  test("after a crash between any two Organizations the next process makes the whole change", async () => {
    for (let last = 1; last <= MANY + 1; last += 1) {
      await reset();
      await cause();
      await expect(run(over(dying(app.ctx.db, last)))).rejects.toThrow("the process died");
      expect([await changed(), await isRecorded()]).toEqual([last - 1, false]);
      await run(over(asCluster(app.ctx.db)));
      expect([await changed(), await isRecorded()]).toEqual([MANY, true]);
      expect(await app.ctx.db.read.query(writersStatement, [ids])).toEqual([{ most: 1 }]);
    }
  });

  test("two processes at the same time make it once", async () => {
    await reset();
    await cause();
    const processes = [over(asCluster(app.ctx.db)), over(asCluster(app.ctx.db))];
    await Promise.all(processes.map(run));
    expect([await changed(), await isRecorded()]).toEqual([MANY, true]);
  });
});

describe("a process that was slow after its look", () => {
  test("holds no work that was approved after another process had recorded the clock", async () => {
    await lastSeen(app.ctx, 3);
    const meanwhile = async () => {
      await noteTime(over(asCluster(app.ctx.db)));
      expect((await sinceOf()).filter((since) => since === null)).toEqual([]);
      await approveAll();
    };
    await noteTime(over(slow(app.ctx.db, meanwhile)));
    expect(await sinceOf()).toEqual(ids.map(() => null));
  });

  test("withdraws no approval that came after another process had recorded the clock", async () => {
    await lastApproved(app.ctx, -300);
    await lastSeen(app.ctx, -300);
    const meanwhile = async () => {
      await noteTime(over(asCluster(app.ctx.db)));
      await lastApproved(app.ctx, -1);
    };
    await noteTime(over(slow(app.ctx.db, meanwhile)));
    expect(await approvals()).toEqual(ids.map(() => true));
  });

  test("holds no account that was released after another process had stored the timeline", async () => {
    await promote();
    const meanwhile = async () => {
      await watchTimeline(over(asCluster(app.ctx.db)));
      expect(await held()).toEqual(ids);
      expect(await adopt(over(asCluster(app.ctx.db)))).toMatchObject({ accounts: MANY });
    };
    await watchTimeline(over(slow(app.ctx.db, meanwhile)));
    expect(await held()).toEqual([]);
  });
});

test("a promotion that follows an outage is noticed before the next work", async () => {
  const cluster = asCluster(app.ctx.db);
  let isAway = true;
  const query: Database["read"]["query"] = (statement, values) =>
    cluster.read.query(isAway && /run_command_on_all_nodes/.test(statement.text) ? AWAY : statement, values);
  const process = over({ ...cluster, read: { kind: "read", query } });
  await promote();
  await watchTimeline(process);
  expect(await held()).toEqual([]);
  isAway = false;
  await watchTimeline(process);
  expect(await held()).toEqual(ids);
});

test("an end of the holds that died is finished by the next one", async () => {
  await promote();
  await watchTimeline(over(asCluster(app.ctx.db)));
  await expect(adopt(over(dying(app.ctx.db, 3)))).rejects.toThrow("the process died");
  expect(await held()).toEqual(ids.slice(2));
  expect(await adopt(over(asCluster(app.ctx.db)))).toMatchObject({ isAdopted: false, accounts: MANY - 2 });
  expect(await held()).toEqual([]);
});
