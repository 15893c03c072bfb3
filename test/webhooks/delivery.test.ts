import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { startOwnTestApp, type Json, type TestApp } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { moved } from "../support/sql-instants.ts";
import { CARDS, ok } from "../support/story.ts";
import { until } from "../support/until.ts";

let app: TestApp;
let receiver: Receiver;
let endpoint: Json;

beforeEach(async () => {
  [app, receiver] = await Promise.all([startOwnTestApp(), startReceiver()]);
  await ok(
    app.manage("POST", "/products", {
      key: "pro",
      name: "Pro",
      interval: "month",
      prices: [{ currency: "usd", amount: 1000 }],
    }),
  );
  endpoint = await ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url }));
});
afterEach(async () => {
  await receiver.close();
  await app.close();
});

async function buy(email = "ada@example.com"): Promise<Json> {
  const checkout = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer: { email } }));
  return ok(app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }));
}

const dueStatement = sql(
  "test.deliveries_due",
  "UPDATE webhook_deliveries SET attempt_at = statement_timestamp() WHERE attempt_at IS NOT NULL RETURNING id",
);
/** Makes all waiting deliveries due, and sends them. */
async function later(): Promise<void> {
  await app.ctx.db.tx((tx) => tx.query(dueStatement));
  await app.runDue();
}
const deliveries = async (query = ""): Promise<Json[]> =>
  (await ok(app.manage("GET", `/webhook-endpoints/${endpoint.id}/deliveries?limit=100${query}`))).data;
const read = () => ok(app.manage("GET", `/webhook-endpoints/${endpoint.id}`));
const headersOf = ({ headers }: { headers: object }) => headers as Record<string, string>;

describe("a delivery", () => {
  it("brings every event once, as the log has it, signed as Standard Webhooks have it", async () => {
    await buy();
    await app.runDue();
    const { data: log } = await ok(app.manage("GET", "/events?limit=100"));
    const recorded = log.filter((event: Json) => !event.type.startsWith("product."));
    expect(receiver.received.map(({ body }) => body).sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual(
      recorded,
    );
    const webhook = new Webhook(endpoint.secret);
    for (const came of receiver.received) {
      expect(webhook.verify(came.text, headersOf(came))).toEqual(came.body);
      expect(came.headers).toMatchObject({ "webhook-id": came.body.id, "content-type": "application/json" });
      expect(() => webhook.verify(`${came.text} `, headersOf(came))).toThrow();
    }
    expect(
      (await deliveries()).every(
        (each) => each.status === "succeeded" && each.attempts === 1 && each.responseStatus === 200,
      ),
    ).toBe(true);
  });

  it("comes in the order of its resource", async () => {
    const { subscriptionId } = await buy();
    for (const cancelAtPeriodEnd of [true, false, true, false])
      await ok(app.api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd }));
    await app.runDue();
    const sequences = receiver.received
      .filter(({ body }) => body.data.id === subscriptionId)
      .map(({ body }) => body.sequence);
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
  });

  it("has the same bytes at each attempt, and holds back later ones until it has failed three times", async () => {
    receiver.react = ({ body }) => (body.type === "subscription.created" ? 500 : 200);
    const { subscriptionId } = await buy();
    await ok(app.api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd: true }));
    await app.runDue();
    const ofSubscription = () =>
      receiver.received.filter(({ body }) => body.data.id === subscriptionId).map(({ body }) => body.sequence);
    expect(ofSubscription()).toEqual([1]);
    expect(receiver.story()).toContain("invoice.paid 2");
    await later();
    expect(ofSubscription()).toEqual([1, 1]);
    await later();
    await later();
    expect(ofSubscription().slice(0, 3)).toEqual([1, 1, 1]);
    expect(ofSubscription()).toContain(2);
    const attempts = receiver.received.filter(({ body }) => body.type === "subscription.created");
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
    receiver.react = () => 204;
    await later();
    expect((await deliveries("&status=retrying")).length).toBe(0);
  });

  it("waits at least as long as Retry-After says, and is given up after ten attempts", async () => {
    receiver.react = () => ({ status: 500, headers: { "Retry-After": "3600" } });
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    await app.runDue();
    const [first] = await deliveries();
    expect(first).toMatchObject({ status: "retrying", attempts: 1, responseStatus: 500, responseBody: "answered 500" });
    expect(Date.parse(first!.nextAttemptAt) - Date.parse(first!.updatedAt)).toBeGreaterThanOrEqual(3_600_000);
    for (let attempt = 2; attempt <= 10; attempt++) await later();
    expect(await deliveries()).toMatchObject([{ status: "failed", attempts: 10, nextAttemptAt: null }]);
    expect(receiver.received).toHaveLength(10);
    expect(await read()).toMatchObject({ status: "enabled", failingSince: expect.any(String) });
    receiver.react = () => 200;
    expect(await ok(app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`))).toEqual({
      count: 1,
      done: true,
    });
    await app.runDue();
    expect(await deliveries()).toMatchObject([{ status: "succeeded" }]);
    expect(await read()).toMatchObject({ failingSince: null });
  });

  it("is sent again by the next sender after one that died", async () => {
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    receiver.react = () => "hang";
    const sending = app.runDue();
    await until(() => receiver.received.length > 0);
    receiver.react = () => 200;
    await later();
    expect(receiver.story()).toEqual(["customer.created 1", "customer.created 1"]);
    expect(await deliveries()).toMatchObject([{ status: "succeeded", attempts: 1 }]);
    await receiver.close();
    await sending;
    expect(await deliveries()).toMatchObject([{ status: "succeeded", attempts: 1 }]);
    receiver = await startReceiver();
  });
});

describe("an endpoint", () => {
  it("hears only of the events that it wants", async () => {
    await ok(
      app.manage("PATCH", `/webhook-endpoints/${endpoint.id}`, { events: ["subscription.created", "invoice.paid"] }),
    );
    await buy();
    await app.runDue();
    expect(receiver.story().sort()).toEqual(["invoice.paid 2", "subscription.created 1"]);
  });

  it("is disabled at once by 410, and the others are told", async () => {
    const other = await startReceiver();
    await ok(app.manage("POST", "/webhook-endpoints", { url: other.url, events: ["webhook_endpoint.disabled"] }));
    receiver.react = () => 410;
    await buy();
    await app.runDue();
    const { disabledReason, disabledAt } = await read();
    expect([disabledReason, disabledAt]).toEqual(["gone", expect.any(String)]);
    const notice = {
      type: "webhook_endpoint_disabled",
      resourceId: endpoint.id,
      at: disabledAt,
      text: expect.stringContaining("410"),
    };
    const organization = await app.manage("GET", "/organization");
    expect(organization.body.notices).toEqual([notice]);
    expect(other.story()).toEqual(["webhook_endpoint.disabled 1"]);
    expect(other.received[0]!.body.data).toMatchObject({ id: endpoint.id, status: "disabled" });
    const seen = receiver.received.length;
    await later();
    expect(receiver.received).toHaveLength(seen);
    expect(new Set((await deliveries()).map((each) => each.status))).toEqual(new Set(["failed", "skipped"]));
    const refused = await app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`);
    expect([refused.status, refused.body.code]).toEqual([409, "endpoint_disabled"]);
    expect(new Set((await deliveries("&status=skipped")).map((each) => each.status))).toEqual(new Set(["skipped"]));
    await ok(app.manage("PATCH", `/webhook-endpoints/${endpoint.id}`, { status: "enabled" }));
    expect(await read()).toMatchObject({ disabledReason: null, disabledAt: null });
    const afterwards = await app.manage("GET", "/organization", undefined, {
      "If-None-Match": organization.headers.get("ETag")!,
    });
    expect([afterwards.status, afterwards.body.notices]).toEqual([200, []]);
    receiver.react = () => 200;
    await ok(app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`));
    await app.runDue();
    expect(new Set((await deliveries()).map((each) => each.status))).toEqual(new Set(["succeeded"]));
    await other.close();
  });

  it("is disabled after five days of failures alone", async () => {
    receiver.react = () => 500;
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    await app.runDue();
    const since = sql(
      "test.failing_since",
      `UPDATE webhook_endpoints SET failing_since = ${moved("failing_since", "- interval '5 days'")} RETURNING id`,
    );
    await app.ctx.db.tx((tx) => tx.query(since));
    await later();
    expect(await read()).toMatchObject({ status: "disabled", disabledReason: "failing" });
    const notices = async () => (await ok(app.manage("GET", "/organization"))).notices;
    expect(await notices()).toMatchObject([{ resourceId: endpoint.id, text: expect.stringContaining("five days") }]);
    await app.manage("DELETE", `/webhook-endpoints/${endpoint.id}`);
    expect(await notices()).toEqual([]);
  });

  it("is not disabled by one failure after a quiet time, though it failed before", async () => {
    receiver.react = () => 500;
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    await app.runDue();
    const outage = sql(
      "test.old_outage",
      `UPDATE webhook_endpoints SET failing_since = ${moved("failing_since", "- interval '60 days'")},
         failed_at = ${moved("failed_at", "- interval '57 days'")}`,
    );
    await app.ctx.db.tx((tx) => tx.query(outage));
    const { failingSince } = await read();
    await later();
    const now = await read();
    expect(now).toMatchObject({ status: "enabled", disabledReason: null });
    expect(Date.parse(now.failingSince)).toBeGreaterThan(Date.parse(failingSince) + 59 * 86_400_000);
  });

  it("signs with both secrets while one takes over from the other", async () => {
    const rotated = await ok(
      app.manage("POST", `/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlapHours: 1 }),
    );
    expect(rotated.secret).not.toBe(endpoint.secret);
    await ok(app.api("POST", "/customers", { email: "ada@example.com" }));
    await app.runDue();
    const [came] = receiver.received;
    for (const secret of [endpoint.secret, rotated.secret]) new Webhook(secret).verify(came!.text, headersOf(came!));
    const again = await ok(app.manage("POST", `/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlapHours: 0 }));
    await ok(app.manage("POST", `/webhook-endpoints/${endpoint.id}/test`));
    await app.runDue();
    const last = receiver.received.at(-1)!;
    expect(last.body).toMatchObject({ type: "webhook_endpoint.test", data: { id: endpoint.id } });
    new Webhook(again.secret).verify(last.text, headersOf(last));
    expect(() => new Webhook(rotated.secret).verify(last.text, headersOf(last))).toThrow();
  });

  it("that was deleted hears nothing, and can't be read", async () => {
    expect((await app.manage("DELETE", `/webhook-endpoints/${endpoint.id}`)).status).toBe(204);
    await buy();
    await app.runDue();
    expect(receiver.received).toEqual([]);
    for (const path of ["", "/deliveries"])
      expect((await app.manage("GET", `/webhook-endpoints/${endpoint.id}${path}`)).status).toBe(404);
  });

  it("that never answers, or is not there, keeps no other endpoint waiting", async () => {
    const other = await startReceiver();
    await ok(app.manage("POST", "/webhook-endpoints", { url: other.url }));
    await receiver.close();
    await buy();
    await app.runDue();
    expect(other.story()).toContain("subscription.created 1");
    expect((await deliveries())[0]).toMatchObject({ status: expect.stringMatching(/retrying|pending/) });
    expect((await deliveries("&status=retrying"))[0]).toMatchObject({
      error: "connection_failed",
      responseStatus: null,
    });
    await other.close();
    receiver = await startReceiver();
  });
});
