import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { startOwnTestApp, type Json, type TestApp } from "../support/app.ts";
import { startReceiver, type Reaction, type Receiver } from "../support/receiver.ts";
import { moved } from "../support/sql-instants.ts";
import { ok } from "../support/story.ts";

let app: TestApp;
let receiver: Receiver;
let path: string;
beforeEach(async () => {
  [app, receiver] = await Promise.all([startOwnTestApp(), startReceiver()]);
  path = `/webhook-endpoints/${(await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }))).id}`;
});
afterEach(async () => {
  await receiver.close();
  await app.close();
});

let statements = 0;
const change = (text: string) => app.ctx.db.tx((tx) => tx.query(sql(`test.outage_${(statements += 1)}`, text)));
const tell = (name: string): Promise<Json> => ok(app.api("POST", "/customers", { email: `${name}@example.com` }));
const rename = ({ id }: Json, name: string) => ok(app.manage("PATCH", `/customers/${id}`, { name }));
const deliveries = async (query = ""): Promise<Json[]> =>
  (await ok(app.manage("GET", `${path}/deliveries?limit=100${query}`))).data;
const read = () => ok(app.manage("GET", path));
const redeliver = () => ok(app.manage("POST", `${path}/redeliver`));
/** The events received since the last call. */
const heard = () => receiver.received.splice(0).map(({ body }) => `${body.type} ${body.sequence}`);
const names = (count: number) => Array.from({ length: count }, (_, n) => `customer-${n}`);

/** After two hours of failures alone, waiting deliveries are tried again only hours later. */
async function outage(reaction: Reaction = 500): Promise<void> {
  receiver.react = () => reaction;
  for (let attempt = 1; attempt <= 4; attempt++) {
    await app.runDue();
    if (attempt < 4)
      await change("UPDATE webhook_deliveries SET attempt_at = statement_timestamp() WHERE attempt_at IS NOT NULL");
  }
  await change("UPDATE webhook_endpoints SET failing_since = statement_timestamp() - interval '2 hours'");
  receiver.received.length = 0;
}

describe("after an outage", () => {
  it("failed events follow the first arrival, each once, instead of hours later", async () => {
    for (const name of names(40)) await tell(name);
    await outage();
    expect(await deliveries("&status=retrying")).toHaveLength(40);
    receiver.react = () => 200;
    await tell("first");
    await app.runDue();
    expect(heard()).toHaveLength(41);
    expect(await deliveries("&status=retrying")).toEqual([]);
    expect(await read()).toMatchObject({ failingSince: null });
  });

  it("an event that the receiver asked to wait with waits", async () => {
    await tell("asked");
    await outage({ status: 500, headers: { "Retry-After": "7200" } });
    receiver.react = () => 200;
    await tell("first");
    await app.runDue();
    expect(heard()).toHaveLength(1);
    expect(await deliveries("&status=retrying")).toHaveLength(1);
  });

  it("an event that fails again keeps its earlier time, and is not brought forward a second time", async () => {
    const ada = await tell("ada");
    await outage();
    const [planned] = await deliveries();
    receiver.react = ({ body }) => (body.data.id === ada.id ? 500 : 200);
    for (const name of names(3)) {
      await tell(name);
      await app.runDue();
    }
    expect(heard().filter((each) => each === "customer.created 1")).toHaveLength(4);
    expect(await deliveries(`&resourceId=${ada.id}`)).toMatchObject([
      { attempts: 5, nextAttemptAt: planned!.nextAttemptAt },
    ]);
  });

  it("of another time, it is brought forward once more", async () => {
    for (const name of names(10)) await tell(name);
    await outage();
    receiver.react = ({ body }) => (body.data.email === "first@example.com" ? 200 : 500);
    await tell("first");
    await app.runDue();
    expect(await deliveries("&status=retrying")).toHaveLength(10);
    await change("UPDATE webhook_endpoints SET failing_since = statement_timestamp() - interval '2 hours'");
    heard();
    receiver.react = () => 200;
    await tell("second");
    await app.runDue();
    expect(heard()).toHaveLength(11);
    expect(await deliveries("&status=retrying")).toEqual([]);
  });

  it("a refused event keeps no event behind it waiting", async () => {
    const refused: string[] = [];
    for (const name of names(20)) refused.push((await tell(name)).id);
    for (const name of names(20)) await tell(`good-${name}`);
    await outage();
    receiver.react = ({ body }) => (refused.includes(body.data.id) ? 400 : 200);
    await tell("first");
    await app.runDue();
    expect(heard()).toHaveLength(41);
    expect(await deliveries("&status=retrying")).toHaveLength(20);
  });

  it("failed events follow at another address, too, though the old one had asked to wait", async () => {
    for (const name of names(10)) await tell(name);
    await outage({ status: 500, headers: { "Retry-After": "7200" } });
    receiver.react = ({ path: to }) => (to.endsWith("/new") ? 200 : 500);
    await ok(app.manage("PATCH", path, { url: `${receiver.url}/new` }));
    await tell("first");
    await app.runDue();
    expect(heard()).toHaveLength(11);
  });

  it("a refused event keeps its distance where others arrive: that is no outage", async () => {
    const refused = await tell("refused");
    receiver.react = ({ body }) => (body.data.id === refused.id ? 500 : 200);
    await app.runDue();
    // Longer than this test takes on a slow machine.
    await change("UPDATE webhook_deliveries SET attempt_at = statement_timestamp() + interval '1 hour'");
    for (const name of names(5)) {
      await tell(name);
      await app.runDue();
    }
    expect(await deliveries(`&resourceId=${refused.id}`)).toMatchObject([{ status: "retrying", attempts: 1 }]);
  });
});

describe("a receiver that asks for a pause", () => {
  const busy = { status: 429, headers: { "Retry-After": "1800" } };

  it("gets no event until the pause is over, and then all of them", async () => {
    receiver.react = () => busy;
    for (const name of names(30)) await tell(name);
    await app.runDue();
    // An endpoint that is still unknown gets no more than this at once.
    expect(heard().length).toBeLessThanOrEqual(2);
    const { pausedUntil, updatedAt, status } = await read();
    expect([status, Date.parse(pausedUntil) > Date.parse(updatedAt)]).toEqual(["enabled", true]);
    receiver.react = () => 200;
    await tell("later");
    await app.runDue();
    expect(heard()).toEqual([]);
    await change("UPDATE webhook_endpoints SET paused_until = statement_timestamp()");
    await app.runDue();
    // All others come now. The refused ones come at the time that the receiver asked for.
    expect(heard().length).toBeGreaterThanOrEqual(29);
    expect((await deliveries("&status=pending")).length).toBe(0);
  });

  it.each([
    ["and then has another address", () => ({ url: `${receiver.url}/new` })],
    ["and is then said to be enabled", () => ({ status: "enabled" })],
  ])("%s, gets the waiting events", async (_, params) => {
    receiver.react = () => busy;
    for (const name of names(10)) await tell(name);
    await app.runDue();
    heard();
    receiver.react = () => 200;
    await ok(app.manage("PATCH", path, params()));
    expect(await read()).toMatchObject({ status: "enabled", pausedUntil: null });
    await app.runDue();
    expect(heard().length).toBeGreaterThanOrEqual(8);
  });

  it("keeps no other endpoint waiting", async () => {
    await ok(app.manage("POST", "/webhook-endpoints", { url: `${receiver.url}/other` }));
    receiver.react = ({ path: to }) => (to.endsWith("/other") ? 200 : busy);
    for (const name of names(5)) await tell(name);
    await app.runDue();
    expect(receiver.received.filter(({ path: to }) => to.endsWith("/other"))).toHaveLength(5);
  });
});

describe("an event that is asked for again", () => {
  it("comes at once, also right after it has failed, and so do the events that it held back, in order", async () => {
    const ada = await tell("ada");
    for (const name of names(9)) await rename(ada, name);
    receiver.react = () => 500;
    await app.runDue();
    expect(heard()).toEqual(["customer.created 1"]);
    expect(await redeliver()).toEqual({ count: 10, done: true });
    receiver.react = () => 200;
    await app.runDue();
    const story = heard();
    expect(story.filter((each) => each.startsWith("customer.updated"))).toEqual(
      names(9).map((_, n) => `customer.updated ${n + 2}`),
    );
    expect(story).toContain("customer.created 1");
    expect(await redeliver()).toEqual({ count: 0, done: true });
  });

  it("comes in order, also if it happened while the endpoint was disabled", async () => {
    await ok(app.manage("PATCH", path, { status: "disabled" }));
    const ada = await tell("ada");
    for (const name of names(3)) await rename(ada, name);
    await app.runDue();
    expect(await deliveries()).toMatchObject(
      names(4).map(() => ({ status: "skipped", attempts: 0, nextAttemptAt: null })),
    );
    await ok(app.manage("PATCH", path, { status: "enabled" }));
    await app.runDue();
    expect(heard()).toEqual([]);
    expect(await redeliver()).toEqual({ count: 4, done: true });
    await app.runDue();
    expect(heard()).toEqual(["customer.created 1", "customer.updated 2", "customer.updated 3", "customer.updated 4"]);
  });

  it("is kept for 30 days: a receiver that stays away longer has the log of events", async () => {
    await ok(app.manage("PATCH", path, { status: "disabled" }));
    await change(`UPDATE webhook_endpoints SET disabled_at = ${moved("disabled_at", "- interval '30 days'")}`);
    await tell("ada");
    await app.runDue();
    expect(await deliveries()).toEqual([]);
  });
});
