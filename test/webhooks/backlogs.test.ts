import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import { sql } from "../../src/store/driver/db.ts";
import { PIECE } from "../../src/store/webhook-backlogs.ts";
import { SWEEPS } from "../../src/worker/schedule.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { caller, startOwnTestApp, type Json, type TestApp } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { moved } from "../support/sql-instants.ts";
import { ok } from "../support/story.ts";
import { until } from "../support/until.ts";

const fail = (key: string, error: unknown): never => {
  throw new Error(`due work of ${key} failed`, { cause: error });
};

const MANY = 2 * PIECE + 100;

let app: TestApp;
let receiver: Receiver;
beforeEach(async () => void ([app, receiver] = await Promise.all([startOwnTestApp(), startReceiver()])));
afterEach(async () => {
  vi.restoreAllMocks();
  await receiver.close();
  await app.close();
});

const eventsStatement = sql(
  "test.storm_events",
  `INSERT INTO events (organization_id, id, type, resource_id, sequence, data, created_at, dispatch_at)
   SELECT organization_id, left(id, 20) || lpad(n::text, 10, '0'), type, resource_id, n + 1, data, created_at,
   statement_timestamp()
   FROM events, generate_series(1, $2::integer) AS n WHERE organization_id = $1 AND type = 'customer.created'`,
);
/** Adds `count` events of the Organization's one Customer, which wait to be spread. */
async function storm(organizationId: string, count: number): Promise<void> {
  await app.ctx.db.tx(async (tx) => void (await tx.query(eventsStatement, [organizationId, count])));
}

const backlogStatement = sql(
  "test.backlog",
  `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence,
    status, repeated, attempts, attempt_at, created_at, updated_at)
   SELECT e.organization_id, 'whd_' || substr(e.id, 5), $2, e.id, e.type, e.resource_id, e.sequence, $3, false, 1,
     CASE WHEN $3 = 'retrying' THEN statement_timestamp() + interval '1 hour' END, statement_timestamp(),
     statement_timestamp()
   FROM events e WHERE e.organization_id = $1 AND e.type = 'customer.created'`,
);
const goneStatement = sql("test.numbers_gone", "DELETE FROM webhook_deliveries RETURNING 1");
const eventsGoneStatement = sql(
  "test.events_gone",
  "DELETE FROM events WHERE sequence > 1 OR resource_id ~ '^cus_[0-9]+$' RETURNING 1",
);
const spreadStatement = sql("test.all_spread", "UPDATE events SET dispatch_at = NULL RETURNING 1");
const agedStatement = sql(
  "test.aged",
  `UPDATE webhook_deliveries SET created_at = ${moved("created_at", "- interval '30 days'")} RETURNING 1`,
);
const statusStatement = sql(
  "test.statuses",
  "SELECT status, count(*) AS count FROM webhook_deliveries GROUP BY status ORDER BY status",
);

/** An endpoint with more deliveries of this status than one round goes through. */
async function backlog(status: "retrying" | "failed" | "succeeded"): Promise<Json> {
  await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
  await storm(app.organization.id, MANY - 1);
  const endpoint = await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
  await app.ctx.db.tx(async (tx) => {
    await tx.query(spreadStatement);
    await tx.query(backlogStatement, [app.organization.id, endpoint.id, status]);
  });
  return endpoint;
}
const statuses = async () =>
  Object.fromEntries(
    (await app.ctx.db.read.query<{ status: string; count: number }>(statusStatement)).map(({ status, count }) => [
      status,
      count,
    ]),
  );
/** Removes the made-up rows, because the books know of no such changes. */
async function tidy(): Promise<void> {
  await app.ctx.db.tx(async (tx) => {
    await tx.query(goneStatement);
    await tx.query(eventsGoneStatement);
  });
}

describe("a backlog", () => {
  it.each([
    ["disabled", (path: string) => app.manage("PATCH", path, { status: "disabled" })],
    ["deleted", (path: string) => app.manage("DELETE", path)],
  ])("of an endpoint that is %s is skipped in pieces, and not sent", async (_, act) => {
    const { id } = await backlog("retrying");
    expect((await act(`/webhook-endpoints/${id}`)).status).toBeLessThan(300);
    expect(await statuses()).toEqual({ retrying: MANY - PIECE, skipped: PIECE });
    await app.runDue();
    expect(await statuses()).toEqual({ skipped: MANY });
    expect(receiver.received).toEqual([]);
    await tidy();
  });

  it("is skipped as it was, also if the endpoint is enabled again and asked to send one once more", async () => {
    const { id } = await backlog("retrying");
    await ok(app.manage("PATCH", `/webhook-endpoints/${id}`, { status: "disabled" }));
    await ok(app.manage("PATCH", `/webhook-endpoints/${id}`, { status: "enabled" }));
    const [last] = (await ok(app.manage("GET", `/webhook-endpoints/${id}/deliveries?limit=1&status=retrying`))).data;
    await ok(app.manage("POST", `/deliveries/${last.id}/redeliver`));
    await app.runDue();
    expect(await statuses()).toEqual({ skipped: MANY - 1, succeeded: 1 });
    expect(receiver.story()).toEqual([`customer.created ${last.sequence}`]);
    await tidy();
  });

  it.each([
    ["that failed", "failed", {}],
    ["of a span of time", "succeeded", { from: "2000-01-01T00:00:00Z", status: "any" }],
  ] as const)("%s is sent again in pieces, all of it", async (_, status, params) => {
    const { id } = await backlog(status);
    const key = { "Idempotency-Key": "again" };
    const [first, repeated] = [
      await app.manage("POST", `/webhook-endpoints/${id}/redeliver`, params, key),
      await app.manage("POST", `/webhook-endpoints/${id}/redeliver`, params, key),
    ];
    expect([first.status, first.body]).toEqual([202, { count: PIECE, done: false }]);
    expect(repeated.body).toEqual(first.body);
    expect(await statuses()).toEqual({ [status]: MANY - PIECE, pending: PIECE });
    const sweep = SWEEPS.find(({ name }) => name === "redeliveries")!;
    for (let items = await sweep.find(app.ctx); items.length > 0; items = await sweep.find(app.ctx)) {
      await Promise.all(items.map((item) => item.run(fail)));
    }
    expect(await statuses()).toEqual({ pending: MANY });
    await tidy();
  });

  it("that was skipped before its first attempt comes in the order of its resource when it is sent again", async () => {
    const endpoint = await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
    const { id } = await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    for (const name of ["Ada", "Ada L.", "Ada Lovelace"]) await ok(app.manage("PATCH", `/customers/${id}`, { name }));
    receiver.react = () => 500;
    await app.runDue();
    expect(receiver.story()).toEqual(["customer.created 1"]);
    const path = `/webhook-endpoints/${endpoint.id}`;
    await ok(app.manage("PATCH", path, { status: "disabled" }));
    await ok(app.manage("PATCH", path, { status: "enabled" }));
    await ok(app.manage("POST", `${path}/redeliver`));
    receiver.received.length = 0;
    receiver.react = ({ body }) => (body.sequence === 2 ? 500 : 200);
    await app.runDue();
    expect(receiver.story().toSorted()).toEqual(["customer.created 1", "customer.updated 2"]);
    expect((await ok(app.manage("GET", "/organization"))).notices).toEqual([]);
  });

  it("of more than 30 days is forgotten a batch at a time, and waiting deliveries are not", async () => {
    await backlog("succeeded");
    await ok(app.api("POST", "/customers", { email: "grace@example.com" }));
    await app.ctx.db.tx((tx) => tx.query(agedStatement));
    const forget = SWEEPS.find(({ name }) => name === "forgetting")!;
    const item = (await forget.find(app.ctx)).find(({ key }) => key === "deliveries");
    const batch = await item!.run(fail);
    expect([batch, await statuses()]).toEqual([1000, { succeeded: MANY - 1000 }]);
    receiver.react = () => 500;
    await app.runDue();
    expect(await statuses()).toEqual({ retrying: 1 });
    await tidy();
  });

  it("that was asked for ends with the endpoint", async () => {
    const { id } = await backlog("failed");
    await ok(app.manage("POST", `/webhook-endpoints/${id}/redeliver`));
    expect((await app.manage("DELETE", `/webhook-endpoints/${id}`)).status).toBe(204);
    await app.runDue();
    expect(await statuses()).toEqual({ failed: MANY - PIECE, skipped: PIECE });
    await tidy();
  });
});

const manyStatement = sql(
  "test.many_resources",
  `INSERT INTO events (organization_id, id, type, resource_id, sequence, data, created_at)
   SELECT organization_id, left(id, 20) || lpad(s::text, 4, '0') || lpad(r::text, 6, '0'), 'customer.updated',
   'cus_' || r, s, json_build_object('id', 'cus_' || r), created_at
   FROM events, generate_series(1, $2::integer) AS r, generate_series(1, $3::integer) AS s
   WHERE organization_id = $1 AND type = 'customer.created'`,
);
const claimRanOutStatement = sql(
  "test.claim_ran_out",
  `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence,
    status, repeated, attempts, attempt_at, created_at, updated_at)
   SELECT organization_id, 'whd_' || substr(id, 5), $2, id, type, resource_id, sequence, 'pending', false, 0,
     statement_timestamp() - CASE WHEN sequence = 1 THEN 1 ELSE 60 END * interval '1 second', statement_timestamp(),
     statement_timestamp()
   FROM events WHERE organization_id = $1 AND type = 'customer.updated'`,
);

describe("a backlog behind claims that have run out", () => {
  /**
   * Makes `each` events for each of `resources` made-up resources. Their first events come due after all the others.
   */
  async function claimsRunOut(resources: number, each: number): Promise<void> {
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    const { id } = await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
    await app.ctx.db.tx(async (tx) => {
      await tx.query(spreadStatement);
      await tx.query(manyStatement, [app.organization.id, resources, each]);
      await tx.query(claimRanOutStatement, [app.organization.id, id]);
    });
  }

  it("comes in order, however much of it waits before them", async () => {
    const [RESOURCES, EACH] = [250, 10];
    await claimsRunOut(RESOURCES, EACH);
    await app.runDue();
    expect(receiver.received).toHaveLength(RESOURCES * EACH);
    const sequences = Map.groupBy(receiver.received, ({ body }) => body.data.id as string).values();
    const inOrder = Array.from({ length: EACH }, (_, n) => n + 1);
    for (const came of sequences) expect(came.map(({ body }) => body.sequence)).toEqual(inOrder);
    await tidy();
  });

  it("keeps no later event waiting", async () => {
    await claimsRunOut(1, 2_500);
    await ok(app.api("POST", "/customers", { email: "grace@example.com" }));
    const came = Promise.withResolvers<void>();
    receiver.react = ({ body }) => (body.type === "customer.created" && came.resolve(), 200);
    const worker = startWorker(app.ctx);
    await came.promise;
    expect(receiver.received.length).toBeLessThan(250);
    await worker.stop();
    await tidy();
  });
});

test("one Organization's storm keeps another's event waiting for a moment only", { timeout: 360_000 }, async () => {
  const EVENTS = 5_000;
  const [calm, other] = [await startReceiver(), await app.otherOrganization()];
  const [api, manage] = [
    caller(`${app.url}/public/v2`, other.keys.public),
    caller(`${app.url}/manage/v1`, other.keys.manage),
  ];
  await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
  await ok(manage("POST", "/webhook-endpoints", { url: calm.url }));
  await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
  await storm(app.organization.id, EVENTS - 1);
  await ok(api("POST", "/customers", { email: "grace@example.com" }));
  let before = 0;
  calm.react = () => {
    before = receiver.received.length;
    return 200;
  };
  const worker = startWorker(app.ctx);
  await until(() => calm.received.length > 0);
  await worker.stop();
  // Both Organizations have had a few turns, not the hundreds that the storm takes.
  expect(before).toBeLessThan(EVENTS / 10);
  expect(calm.story()).toEqual(["customer.created 1"]);
  await tidy();
  await calm.close();
});

describe.each([
  ["an hour ahead", 3_600_000],
  ["an hour behind", -3_600_000],
])("a process with a clock that is %s", (_how, off) => {
  const { now } = Date;
  beforeEach(() => void vi.spyOn(Date, "now").mockImplementation(() => now() + off));
  const near = (text: string) => Math.abs(Date.parse(text) - now()) < 600_000;

  it("delivers at once, signs with the right time, retries in seconds, dates by the database's clock", async () => {
    const endpoint = await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
    expect([endpoint.createdAt, endpoint.updatedAt].every(near)).toBe(true);
    receiver.react = () => (receiver.received.length === 1 ? 500 : 200);
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    await app.runDue();
    const timestamp = Number(receiver.received[0]!.headers["webhook-timestamp"]);
    expect(Math.abs(timestamp * 1000 - now())).toBeLessThan(600_000);
    const path = `/webhook-endpoints/${endpoint.id}`;
    const [tried] = (await ok(app.manage("GET", `${path}/deliveries`))).data;
    expect([tried.createdAt, tried.updatedAt, tried.nextAttemptAt].every(near)).toBe(true);
    const rotated = await ok(app.manage("POST", `${path}/rotate-secret`, { overlapHours: 1 }));
    expect(near(new Date(Date.parse(rotated.previousSecretUntil) - 3_600_000).toISOString())).toBe(true);
    const sent = await ok(app.manage("POST", `${path}/test`));
    expect([sent.createdAt, sent.nextAttemptAt].every(near)).toBe(true);
    await app.runDue();
    const { text, headers } = receiver.received.at(-1)!;
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    vi.restoreAllMocks();
    expect(new Webhook(endpoint.secret).verify(text, headers as Record<string, string>)).toMatchObject({
      type: "webhook_endpoint.test",
    });
  });
});

test("a process with a clock that is a day behind counts an Organization again on the next day", async () => {
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() - 90_000_000);
  await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
  await app.runDue();
  vi.restoreAllMocks();
  const due = sql("test.count_due", "SELECT due_at > statement_timestamp() AS later FROM metric_progress");
  expect(await app.ctx.db.read.query(due)).toEqual([{ later: true }]);
});

test("an Organization has 50 endpoints at most, disabled ones included", async () => {
  const create = () => app.manage("POST", "/webhook-endpoints", { url: "https://example.com/hook" });
  const made: Json[] = [];
  for (let n = 0; n < 49; n++) made.push(await ok(create()));
  await ok(app.manage("PATCH", `/webhook-endpoints/${made[0]!.id}`, { status: "disabled" }));
  const both = await Promise.all([create(), create()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)!.body.code).toBe("webhook_endpoint_limit_reached");
  await app.manage("DELETE", `/webhook-endpoints/${made[1]!.id}`);
  expect((await create()).status).toBe(201);
  const other = await app.otherOrganization();
  const theirs = await caller(`${app.url}/manage/v1`, other.keys.manage)("POST", "/webhook-endpoints", {
    url: "https://example.com/hook",
  });
  expect(theirs.status).toBe(201);
});
