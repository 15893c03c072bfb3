import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordAnswers, type Answered } from "../../src/actions/webhook/answers.ts";
import { dispatchEvents } from "../../src/actions/webhook/dispatch-events.ts";
import { openListener } from "../../src/actions/webhook/listener.ts";
import { sql, type Statement } from "../../src/store/driver/db.ts";
import { sendAgain, skipMore } from "../../src/store/webhook-backlogs.ts";
import { claimDeliveries, type DueDelivery } from "../../src/store/webhook-queue.ts";
import { deliveries, forgetDeliveries } from "../../src/store/webhooks.ts";
import { startOwnTestApp, type Json, type TestApp } from "../support/app.ts";
import { untilLocked } from "../support/locks.ts";
import { moved } from "../support/sql-instants.ts";
import { ok } from "../support/story.ts";

const URL = "http://127.0.0.1:9/hook";
const REFUSED = { status: 500, body: "", durationMs: 1, retryAfter: null } as const;
/** The receiver wants this delivery again only after a day. */
const BUSY = { ...REFUSED, retryAfter: 86_400 } as const;

let app: TestApp;
beforeEach(async () => void (app = await startOwnTestApp()));
afterEach(() => app.close());

const tell = async (email: string): Promise<Json> => ok(app.api("POST", "/customers", { email }));
const rename = ({ id }: Json, name: string) => ok(app.manage("PATCH", `/customers/${id}`, { name }));
const spread = () =>
  dispatchEvents(app.ctx, "", (_, error) => {
    throw error;
  });
const claim = (endpointId: string) => app.ctx.db.tx((tx) => claimDeliveries(tx, app.organization.id, endpointId, 8));
const record = (answered: Answered[]) => {
  const { organizationId, endpointId: id } = answered[0]!.due;
  return app.ctx.db.tx((tx) => recordAnswers(tx, { organizationId, id }, answered));
};
const keep = (due: DueDelivery, answer: Answered["answer"]) => record([{ due, answer, url: URL }]);
const change = (name: string, text: string) => app.ctx.db.tx((tx) => tx.query(sql(`test.${name}`, text)));
const comeDue = () =>
  change("come_due", "UPDATE webhook_deliveries SET attempt_at = statement_timestamp() WHERE attempt_at IS NOT NULL");
const listen = (): Promise<Json> => ok(app.manage("POST", "/webhook-endpoints", { url: URL }));
const sequences = ({ due }: { due: DueDelivery[] }) => due.map(({ sequence }) => sequence);

const lockStatement = sql(
  "test.lock_delivery",
  "SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND id = $2 FOR UPDATE",
);
const lockEventStatement = sql(
  "test.lock_event",
  "SELECT id FROM events WHERE organization_id = $1 AND resource_id = $2 FOR UPDATE",
);
/** Holds the lock of a redelivery until the returned function is called. */
const lock = ({ organizationId, id }: DueDelivery) => hold(lockStatement, organizationId, id);
/** Holds the lock of a process that spreads the events of this resource. */
const lockEvent = (resourceId: string) => hold(lockEventStatement, app.organization.id, resourceId);
async function hold(statement: Statement, ...values: string[]): Promise<() => Promise<void>> {
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = app.ctx.db.tx(async (tx) => {
    await tx.query(statement, values);
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  return async () => {
    free.resolve();
    await holding;
  };
}
// The statement takes about 20 ms. With the earlier plan it took 15 s and more.
const deadlineStatement = sql("test.deadline", "SELECT set_config('statement_timeout', '5000', true)");
const manyEventsStatement = sql(
  "test.many_events",
  `INSERT INTO events (organization_id, id, type, resource_id, sequence, data, created_at)
   SELECT organization_id, left(id, 20) || lpad(n::text, 10, '0'), type, 'cus_' || n / 12, n % 12 + 1, data, created_at
   FROM events, generate_series(1, 4000) AS n WHERE organization_id = $1 AND type = 'customer.created'`,
);
const manyDeliveriesStatement = sql(
  "test.many_deliveries",
  `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence,
   status, repeated, attempts, attempt_at, created_at, updated_at)
   SELECT organization_id, 'whd_' || substr(id, 5), $2, id, type, resource_id, sequence, 'pending', false, 0,
     statement_timestamp(), statement_timestamp(), statement_timestamp()
   FROM events WHERE organization_id = $1 AND resource_id ~ '^cus_[0-9]+$'`,
);

describe("an event that an earlier one of its resource holds back goes out at once", () => {
  test("when that one arrives while others that are kept with it are locked", async () => {
    const { id } = await listen();
    await tell("ada@example.com");
    const grace = await tell("grace@example.com");
    await spread();
    const { due } = await claim(id);
    const other = due.find(({ resourceId }) => resourceId !== grace.id)!;
    const free = await lock(other);
    const kept = record(due.map((each) => ({ due: each, answer: { ...REFUSED, status: 200 }, url: URL })));
    await untilLocked(app.ctx.db.read);
    await rename(grace, "Grace");
    await spread();
    expect(await claim(id)).toEqual({ due: [], held: 1 });
    await free();
    expect(await kept).toEqual({ more: true, stopped: null });
    expect(sequences(await claim(id))).toEqual([2]);
  });

  test("when a listener's is given up", async () => {
    const { endpoint } = await openListener(app.ctx, { organizationId: app.organization.id, url: URL, events: ["*"] });
    await rename(await tell("ada@example.com"), "Ada");
    await spread();
    for (let attempt = 1; attempt <= 2; attempt++) {
      const claimed = await claim(endpoint.id);
      expect(sequences(claimed)).toEqual([1]);
      await keep(claimed.due[0]!, REFUSED);
      if (attempt === 1) await comeDue();
    }
    expect(sequences(await claim(endpoint.id))).toEqual([2]);
  });

  test.each<[string, (endpointId: string, first: Json, second: Json) => [path: string, params: object]]>([
    ["alone", (_, first) => [`/deliveries/${first.id}/redeliver`, {}]],
    [
      "with all that were made before the other one",
      (id, _, { createdAt: to }) => [
        `/webhook-endpoints/${id}/redeliver`,
        { from: "2000-01-01T00:00:00Z", to, status: "any" },
      ],
    ],
  ])("when that one, which was to be tried again in a day, is asked for once more: %s", async (_, ask) => {
    const { id } = await listen();
    const ada = await tell("ada@example.com");
    await spread();
    await keep((await claim(id)).due[0]!, BUSY);
    await rename(ada, "Ada");
    await spread();
    expect(await claim(id)).toEqual({ due: [], held: 1 });
    const [second, first] = (await ok(app.manage("GET", `/webhook-endpoints/${id}/deliveries`))).data;
    await ok(app.manage("POST", ...ask(id, first, second)));
    const claimed = await claim(id);
    expect(sequences(claimed)).toEqual([1]);
    await keep(claimed.due[0]!, { ...REFUSED, status: 200 });
    expect(sequences(await claim(id))).toEqual([2]);
  });

  test("beside one that is asked for once more after others had ceased to wait for it", async () => {
    const { id } = await listen();
    const ada = await tell("ada@example.com");
    await spread();
    for (let attempt = 1; attempt <= 3; attempt++) {
      await comeDue();
      await keep((await claim(id)).due[0]!, BUSY);
    }
    const [first] = (await ok(app.manage("GET", `/webhook-endpoints/${id}/deliveries`))).data;
    await ok(app.manage("POST", `/deliveries/${first.id}/redeliver`));
    await rename(ada, "Ada");
    await spread();
    expect(sequences(await claim(id)).toSorted()).toEqual([1, 2]);
  });
});

test("a later event that is spread first waits for the one before it, which somebody else is spreading", async () => {
  const { id } = await listen();
  const ada = await tell("ada@example.com");
  const first = await lockEvent(ada.id);
  await rename(ada, "Ada");
  await spread();
  expect(await claim(id)).toEqual({ due: [], held: 0 });
  await first();
  await spread();
  const claimed = await claim(id);
  expect(sequences(claimed)).toEqual([1]);
  await keep(claimed.due[0]!, { ...REFUSED, status: 200 });
  expect(sequences(await claim(id))).toEqual([2]);
});

test("a delivery on its way is neither sent by others nor asked for again, until its sender has died", async () => {
  const { id } = await listen();
  await tell("ada@example.com");
  await spread();
  const [sent] = (await claim(id)).due;
  const again = () => ok(app.manage("POST", `/webhook-endpoints/${id}/redeliver`));
  expect([await again(), await claim(id)]).toEqual([
    { count: 0, done: true },
    { due: [], held: 0 },
  ]);
  await comeDue();
  const [other] = (await claim(id)).due;
  expect(other!.id).toBe(sent!.id);
  // Another process has the claim now. A failure under the old claim does not count, and an arrival under the new one
  // does.
  await keep(sent!, REFUSED);
  expect((await ok(app.manage("GET", `/deliveries/${sent!.id}`))).attempts).toBe(0);
  await keep(other!, { ...REFUSED, status: 200 });
  expect(await ok(app.manage("GET", `/deliveries/${sent!.id}`))).toMatchObject({ status: "succeeded", attempts: 1 });
});

test("a plan from an empty table does not walk over the whole table for each row", async () => {
  const { id } = await listen();
  await tell("ada@example.com");
  // PostgreSQL may keep such a plan after five calls.
  await change("keep_plans", "SELECT set_config('plan_cache_mode', 'force_generic_plan', false)");
  expect(await claim(id)).toEqual({ due: [], held: 0 });
  await app.ctx.db.tx(async (tx) => {
    await tx.query(manyEventsStatement, [app.organization.id]);
    await tx.query(manyDeliveriesStatement, [app.organization.id, id]);
  });
  const claimed = await app.ctx.db.tx((tx) => {
    tx.send(deadlineStatement, []);
    return claimDeliveries(tx, app.organization.id, id, 64);
  });
  expect(claimed.due).toHaveLength(64);
  await change("all_gone", "DELETE FROM webhook_deliveries");
  await change("made_up_gone", "DELETE FROM events WHERE resource_id ~ '^cus_[0-9]+$'");
});

test("no event is put off where a backlog is to be skipped, as the earlier event may go with it", async () => {
  const { id } = await listen();
  const ada = await tell("ada@example.com");
  await spread();
  await keep((await claim(id)).due[0]!, BUSY);
  await change("skipping", "UPDATE webhook_endpoints SET skip_until = statement_timestamp()");
  await rename(ada, "Ada");
  await spread();
  expect(await claim(id)).toEqual({ due: [], held: 0 });
  await app.ctx.db.tx((tx) => skipMore(tx, app.organization.id, id));
  expect(sequences(await claim(id))).toEqual([2]);
});

test("a delivery that is asked for once more on its last day is not forgotten", async () => {
  const { id } = await listen();
  await tell("ada@example.com");
  await spread();
  const [delivery] = (await claim(id)).due;
  await keep(delivery!, { ...REFUSED, status: 200 });
  await change("age", `UPDATE webhook_deliveries SET created_at = ${moved("created_at", "- interval '31 days'")}`);
  let forgotten: Promise<number> | undefined;
  await app.ctx.db.tx(async (tx) => {
    sendAgain(tx, app.organization.id, delivery!.id);
    // The read makes sure that the delivery is locked before the deletion begins.
    await deliveries.find(tx, app.organization.id, delivery!.id);
    forgotten = forgetDeliveries(app.ctx.db, 10, 30);
    await untilLocked(app.ctx.db.read);
  });
  expect(await forgotten).toBe(0);
});
