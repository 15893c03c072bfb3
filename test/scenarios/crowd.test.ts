import { afterAll, beforeAll, expect, test } from "vitest";
import { createCrowd, digest, START } from "../../bench/crowd.ts";
import { advanceClock, advanceToEnd } from "../../src/actions/sandbox/advance-clock.ts";
import type { Context } from "../../src/context.ts";
import { addCalendar, addDays24, type Instant } from "../../src/domain/calendar.ts";
import { sql, type Tx } from "../../src/store/driver/db.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { killedAt, letLeasesRunOut } from "../support/processes.ts";

const SUBSCRIPTIONS = 40;
const END = addCalendar(START, "UTC", "P1Y");

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

test(
  "a year at once, left by a process that was killed, is a year week by week (rules T4, T5)",
  { timeout: 300_000 },
  async () => {
    const { ctx } = app;
    const [one, other] = [await createCrowd(ctx, SUBSCRIPTIONS), await createCrowd(ctx, SUBSCRIPTIONS)];
    const before = await digest(ctx, one);
    expect(await digest(ctx, other)).toEqual(before);

    const dying = killedAt(ctx, 1500);
    const arrived = advanceClock(dying.ctx, one, { to: END }).then(() =>
      Promise.reject(new Error("it lived to see the end")),
    );
    await Promise.race([dying.died, arrived]);
    await letLeasesRunOut(ctx.db);
    await advanceToEnd(ctx, one, END);

    for (let at: Instant = START; at < END;) {
      at = addDays24(at, 7) < END ? addDays24(at, 7) : END;
      expect(await advanceClock(ctx, other, { to: at })).toMatchObject({ now: at, arrived: true });
    }
    const after = await digest(ctx, one);
    expect(after.invoices).toBeGreaterThan(before.invoices + SUBSCRIPTIONS * 8);
    expect(await digest(ctx, other)).toEqual(after);
    for (const id of [one, other]) expect(await audit(ctx.db, id)).toEqual([]);
  },
);

/** The same process. `transactions` counts the transactions that it begins. */
function counting(ctx: Context): { ctx: Context; transactions(): number } {
  let begun = 0;
  const { db } = ctx;
  const tx: typeof db.tx = (work, milliseconds) => {
    begun += 1;
    return db.tx(work, milliseconds);
  };
  return { ctx: { ...ctx, db: { ...db, tx } }, transactions: () => begun };
}

test("renewals of many at different instants are done together, each as of its own instant (rule T5)", async () => {
  const id = await createCrowd(app.ctx, 100);
  const counted = counting(app.ctx);
  const { done, arrived } = await advanceClock(counted.ctx, id, { to: addCalendar(START, "UTC", "P1M") });
  expect(arrived).toBe(true);
  expect(done).toBeGreaterThan(90);
  expect(counted.transactions()).toBeLessThan(done * 0.4);
  const strange = await app.ctx.db.read.query(strangeStatement, [id]);
  expect(strange).toEqual([]);
  expect(await audit(app.ctx.db, id)).toEqual([]);
});

/** The same process, but the database refuses each transaction that locks several Customers. */
function refusedTogether(ctx: Context): Context {
  const { db } = ctx;
  const alone = (tx: Tx): Tx => ({
    ...tx,
    query(statement, values = []) {
      if (statement.name === "accounts.lock_many_by_customer") throw new Error("refused together");
      return tx.query(statement, values);
    },
  });
  return { ...ctx, db: { ...db, tx: (work, milliseconds) => db.tx((tx) => work(alone(tx)), milliseconds) } };
}

test("where a slice is refused, its Customers are done one by one, and no work is lost", async () => {
  const [one, other] = [await createCrowd(app.ctx, 25), await createCrowd(app.ctx, 25)];
  const to = addCalendar(START, "UTC", "P1M");
  expect(await advanceClock(refusedTogether(app.ctx), one, { to })).toMatchObject({ arrived: true });
  expect(await advanceClock(app.ctx, other, { to })).toMatchObject({ arrived: true });
  expect(await digest(app.ctx, one)).toEqual(await digest(app.ctx, other));
});

/** Renewals with an invoice or a charge that was not made at the start of their period. */
const strangeStatement = sql(
  "test.strange_renewals",
  `SELECT i.id FROM invoices i JOIN payments p ON (p.organization_id, p.invoice_id) = (i.organization_id, i.id)
   WHERE i.organization_id = $1 AND i.reason = 'renewal' AND p.purpose = 'renewal'
     AND (i.created_at, p.created_at, p.settled_at) <> (i.period_start, i.period_start, i.period_start)`,
);
