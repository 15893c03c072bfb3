import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { sql, type Database, type Statement } from "../../src/store/driver/db.ts";
import { startDeliverer } from "../../src/worker/deliverer.ts";
import { startPoller } from "../../src/worker/poller.ts";
import { caller, startOwnTestApp, type Json, type TestApp } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { ok } from "../support/story.ts";
import { until } from "../support/until.ts";

let app: TestApp;
let receivers: Receiver[];
beforeEach(async () => {
  app = await startOwnTestApp();
  receivers = [];
});
afterEach(async () => {
  await Promise.all(receivers.map((each) => each.close()));
  await app.close();
});

/** A receiver, with an endpoint for it. */
async function receiver(create = app.manage): Promise<{ receiver: Receiver; id: string }> {
  const made = await startReceiver();
  receivers.push(made);
  return { receiver: made, id: (await ok(create("POST", "/webhook-endpoints", { url: made.url }))).id };
}

/** Starts a deliverer without the rest of a worker. */
function start(ctx: Context): { stop(): Promise<void> } {
  const parts = [startDeliverer(ctx), startPoller(ctx)];
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
}

const deliveries = async (id: string): Promise<Json[]> =>
  (await ok(app.manage("GET", `/webhook-endpoints/${id}/deliveries`))).data;
const tell = (name: string) => ok(app.api("POST", "/customers", { email: `${name}@example.com` }));

/** The same process, but `before` runs before each statement. It may delay the statement or fail. */
function disturbed(ctx: Context, before: (name: string, values: unknown[]) => Promise<void> | void): Context {
  const { db } = ctx;
  const around = (query: Database["read"]["query"]): Database["read"]["query"] => {
    return async <Row>(statement: Statement, values: unknown[] = []) => {
      await before(statement.name, values);
      return query<Row>(statement, values);
    };
  };
  const read = { ...db.read, query: around(db.read.query) };
  return { ...ctx, db: { ...db, read, tx: (work) => db.tx((tx) => work({ ...tx, query: around(tx.query) })) } };
}

test("a claim that fails does not end a slow one, and is made again", async () => {
  const [failing, slow] = [await receiver(), await receiver()];
  let [looks, failures, claims] = [0, 0, 0];
  const ctx = disturbed(app.ctx, async (name, values) => {
    if (name === "webhooks.due_endpoints") looks += 1;
    if (name !== "webhooks.claim") return;
    if (values[1] === failing.id && (failures += 1) <= 2) throw new AppError("unavailable");
    // The deliverer looks several times more meanwhile.
    const enough = looks + 3;
    if (values[1] === slow.id && (claims += 1) === 1) await until(() => looks >= enough);
  });
  await tell("ada");
  const deliverer = start(ctx);
  await until(() => failing.receiver.received.length > 0 && slow.receiver.received.length > 0);
  await deliverer.stop();
  for (const { receiver: each, id } of [failing, slow]) {
    expect(each.story()).toEqual(["customer.created 1"]);
    expect(await deliveries(id)).toMatchObject([{ status: "succeeded", attempts: 1 }]);
  }
});

test("deliveries that a claim brings after the end are given back", async () => {
  const { receiver: one, id } = await receiver();
  const [claiming, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ctx = disturbed(app.ctx, async (name) => {
    if (name !== "webhooks.claim") return;
    claiming.resolve();
    await goOn.promise;
  });
  await tell("ada");
  const deliverer = start(ctx);
  await claiming.promise;
  const stopped = deliverer.stop();
  await sleep(0);
  goOn.resolve();
  await stopped;
  const [delivery] = await deliveries(id);
  expect(delivery).toMatchObject({ status: "pending", attempts: 0 });
  // A claim that was kept would hold for 40 seconds.
  expect(Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.createdAt)).toBeLessThan(35_000);
  await app.runDue();
  expect(one.story()).toEqual(["customer.created 1"]);
});

test("an arrival is kept once the database can be asked again, and not sent twice", async () => {
  const { receiver: one, id } = await receiver();
  let failures = 0;
  const ctx = disturbed(app.ctx, (name) => {
    if (name === "webhooks.lock_deliveries" && (failures += 1) <= 2) throw new AppError("unavailable");
  });
  for (const name of ["ada", "grace", "jean"]) await tell(name);
  const deliverer = start(ctx);
  await until(async () => (await deliveries(id)).filter(({ status }) => status === "succeeded").length === 3);
  await deliverer.stop();
  expect(one.received).toHaveLength(3);
  expect(failures).toBeGreaterThan(2);
});

const againStatement = sql(
  "test.failed_due_ids",
  "UPDATE webhook_deliveries SET attempt_at = statement_timestamp() WHERE status = 'retrying' RETURNING id",
);

const waitingDueStatement = sql(
  "test.waiting_due",
  "UPDATE webhook_deliveries SET attempt_at = statement_timestamp() WHERE status = 'pending' RETURNING id",
);

test("events behind a failed one wait for its next attempt, and follow its arrival or third failure", async () => {
  const { receiver: one, id } = await receiver();
  const customer = await tell("ada");
  for (const name of ["Ada", "Ada K.", "Ada King"])
    await ok(app.manage("PATCH", `/customers/${customer.id}`, { name }));
  const again = () => app.ctx.db.tx((tx) => tx.query(againStatement));
  one.react = () => 500;
  await app.runDue();
  // The later events were put off before the first one failed. From now on they wait for its next attempt.
  await app.ctx.db.tx((tx) => tx.query(waitingDueStatement));
  await app.runDue();
  const waiting = await deliveries(id);
  expect(waiting.map(({ status }) => status)).toEqual(["pending", "pending", "pending", "retrying"]);
  expect(new Set(waiting.map(({ nextAttemptAt }) => nextAttemptAt)).size).toBe(1);
  for (let n = 0; n < 2; n++) {
    await again();
    await app.runDue();
  }
  // The second event is sent although its planned time has not come. From now on it holds back the other events.
  expect(one.story()).toEqual(["customer.created 1", "customer.created 1", "customer.created 1", "customer.updated 2"]);
  one.react = () => 200;
  await again();
  await app.runDue();
  expect(one.story().slice(4).toSorted()).toEqual([
    "customer.created 1",
    ...[2, 3, 4].map((n) => `customer.updated ${n}`),
  ]);
  expect(new Set((await deliveries(id)).map(({ status }) => status))).toEqual(new Set(["succeeded"]));
});

/** The same process, but only the receiver ends a request. A request holds its slot for `slowMilliseconds`. */
const patient = (slowMilliseconds: number): Context => ({
  ...app.ctx,
  webhooks: { timeoutMilliseconds: 600_000, slowMilliseconds },
});

test("endpoints of one Organization that hang at once have a quarter of the slots", async () => {
  const [ENDPOINTS, QUARTER] = [40, 64];
  const { receiver: hanging } = await receiver();
  hanging.react = () => "hang";
  for (let n = 1; n < ENDPOINTS; n++) await ok(app.manage("POST", "/webhook-endpoints", { url: hanging.url }));
  const other = await app.otherOrganization();
  const { receiver: calm } = await receiver(caller(`${app.url}/manage/v1`, other.keys.manage));
  for (const name of ["ada", "grace", "jean", "joan"]) await tell(name);
  const deliverer = start(patient(600_000));
  await until(() => hanging.received.length >= QUARTER);
  await ok(caller(`${app.url}/public/v2`, other.keys.public)("POST", "/customers", { email: "mary@example.com" }));
  await until(() => calm.received.length > 0);
  expect(hanging.received).toHaveLength(QUARTER);
  const stopped = deliverer.stop();
  await hanging.close();
  await stopped;
});

describe("a slot of an endpoint that hangs is given up after a while", () => {
  let deliverer: { stop(): Promise<void> };
  afterEach(async () => {
    const stopped = deliverer.stop();
    await Promise.all(receivers.map((each) => each.close()));
    await stopped;
  });

  test("so that 49 endpoints that do from the first keep no other one of their Organization waiting", async () => {
    const { receiver: hanging } = await receiver();
    hanging.react = () => "hang";
    for (let n = 1; n < 49; n++) await ok(app.manage("POST", "/webhook-endpoints", { url: hanging.url }));
    for (const name of ["ada", "grace", "jean", "joan"]) await tell(name);
    deliverer = start(patient(200));
    await until(() => hanging.received.length >= 49);
    const { receiver: fast } = await receiver();
    for (const name of ["mary", "anita"]) await tell(name);
    await until(() => fast.received.length === 2);
    // Each endpoint has at most the slots with which it began.
    expect(hanging.received.length).toBeLessThanOrEqual(2 * 49);
  });

  test("so that four that were quick and have many slots don't either", async () => {
    const many = await Promise.all(Array.from({ length: 4 }, () => receiver()));
    for (const { receiver: each } of many) each.react = () => (each.received.length > 8 ? "hang" : 200);
    await Promise.all(Array.from({ length: 40 }, (_, n) => tell(`ada-${n}`)));
    deliverer = start(patient(200));
    await until(() => many.every(({ receiver: each }) => each.received.length > 8));
    const { receiver: fast } = await receiver();
    for (const name of ["mary", "anita"]) await tell(name);
    await until(() => fast.received.length === 2);
    expect(many.every(({ receiver: each }) => each.received.length <= 8 + 16)).toBe(true);
  });

  test("so that those of four Organizations, which have all slots, keep no fifth one waiting", async () => {
    const { receiver: hanging } = await receiver();
    hanging.react = () => "hang";
    const others = await Promise.all(Array.from({ length: 3 }, () => app.otherOrganization()));
    const all = [app, ...others];
    const fill = async ({ keys }: (typeof all)[number]) => {
      const [manage, api] = [caller(`${app.url}/manage/v1`, keys.manage), caller(`${app.url}/public/v2`, keys.public)];
      for (let n = keys === app.keys ? 1 : 0; n < 32; n++)
        await ok(manage("POST", "/webhook-endpoints", { url: hanging.url }));
      for (const name of ["ada", "grace", "jean", "joan"])
        await ok(api("POST", "/customers", { email: `${name}@example.com` }));
    };
    await Promise.all(all.map(fill));
    deliverer = start(patient(200));
    await until(() => hanging.received.length >= 4 * 32);
    const fifth = await app.otherOrganization();
    const { receiver: fast } = await receiver(caller(`${app.url}/manage/v1`, fifth.keys.manage));
    await ok(caller(`${app.url}/public/v2`, fifth.keys.public)("POST", "/customers", { email: "mary@example.com" }));
    await until(() => fast.received.length > 0);
  });
});
