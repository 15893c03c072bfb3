import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { moved } from "../support/sql-instants.ts";
import { endpointsOf } from "../support/webhook-endpoints.ts";

let app: TestApp;
let receiver: Receiver;

beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestApp(), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const { create, tell, pages } = endpointsOf(() => app);

describe("a test", () => {
  it("is one delivery by one Idempotency-Key, signed like any", async () => {
    const endpoint = await create({ url: receiver.url, events: ["invoice.paid"] });
    const send = () =>
      app.manage("POST", `/webhook-endpoints/${endpoint.id}/test`, undefined, { "Idempotency-Key": "test-once" });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
    expect(first.body).toMatchObject({
      endpointId: endpoint.id,
      eventType: "webhook_endpoint.test",
      status: "pending",
      attempts: 0,
    });
    await app.runDue();
    const came = receiver.received.filter(({ body }) => body.data.id === endpoint.id);
    expect(came).toHaveLength(1);
    expect(new Webhook(endpoint.secret).verify(came[0]!.text, came[0]!.headers as Record<string, string>)).toEqual(
      came[0]!.body,
    );
  });

  it("is refused by a disabled endpoint, and so is a redelivery", async () => {
    const endpoint = await create({ url: receiver.url });
    const delivery = await tell(endpoint);
    await app.manage("PATCH", `/webhook-endpoints/${endpoint.id}`, { status: "disabled" });
    for (const path of [
      `/webhook-endpoints/${endpoint.id}/test`,
      `/webhook-endpoints/${endpoint.id}/redeliver`,
      `/deliveries/${delivery.id}/redeliver`,
    ])
      expect(await app.manage("POST", path), path).toMatchObject({ status: 409, body: { code: "endpoint_disabled" } });
  });
});

describe("redelivery", () => {
  test.each([
    [{ status: "any" }, "/from"],
    [{ from: "2026-02-01T00:00:00Z", to: "2026-02-01T00:00:00Z" }, "/to"],
    [{ from: "yesterday" }, "/from"],
    [{ status: "skipped" }, "/status"],
  ])("of %j is refused at %s", async (wanted, pointer) => {
    const endpoint = await create();
    const { status, body } = await app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`, wanted);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("of one delivery sends it once more, also if it succeeded, once by one Idempotency-Key", async () => {
    const endpoint = await create({ url: receiver.url });
    const delivery = await tell(endpoint);
    const send = () =>
      app.manage("POST", `/deliveries/${delivery.id}/redeliver`, undefined, { "Idempotency-Key": "again-once" });
    const [first, again] = [await send(), await send()];
    expect([first.status, first.body.status, again.body]).toEqual([202, "pending", first.body]);
    // The delivery is under way already.
    expect((await app.manage("POST", `/deliveries/${delivery.id}/redeliver`)).body).toEqual(first.body);
    await app.runDue();
    expect(receiver.received.filter(({ body }) => body.id === delivery.eventId)).toHaveLength(2);
    expect((await app.manage("GET", `/deliveries/${delivery.id}`)).body).toMatchObject({
      status: "succeeded",
      attempts: 1,
    });
  });

  it("doesn't wait for the hours that a failed one would have waited", async () => {
    const endpoint = await create({ url: receiver.url });
    receiver.react = () => ({ status: 500, headers: { "Retry-After": "86400" } });
    const delivery = await tell(endpoint);
    expect(delivery).toMatchObject({ status: "retrying", attempts: 1 });
    receiver.react = () => 200;
    const again = await app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`);
    expect([again.status, again.body]).toEqual([202, { count: 1, done: true }]);
    await app.runDue();
    expect((await app.manage("GET", `/deliveries/${delivery.id}`)).body).toMatchObject({ status: "succeeded" });
    expect((await app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`)).body).toEqual({
      count: 0,
      done: true,
    });
    const since = { from: delivery.createdAt, status: "any" };
    expect((await app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`, since)).body).toEqual({
      count: 1,
      done: true,
    });
    const before = { from: "2020-01-01T00:00:00Z", to: delivery.createdAt, status: "any" };
    expect((await app.manage("POST", `/webhook-endpoints/${endpoint.id}/redeliver`, before)).body).toEqual({
      count: 0,
      done: true,
    });
    await app.runDue();
  });
});

describe("an answer that comes too late", () => {
  it("of an address that is not the endpoint's any more does not count for the new one", async () => {
    const old = await startReceiver();
    const endpoint = await create({ url: old.url });
    const path = `/webhook-endpoints/${endpoint.id}`;
    const movedAway = Promise.withResolvers<void>();
    old.react = () => {
      void app.manage("PATCH", path, { url: receiver.url }).then(() => movedAway.resolve());
      return "hang";
    };
    const delivery = tell(endpoint);
    await movedAway.promise;
    await old.close();
    expect(await delivery).toMatchObject({ status: "succeeded", attempts: 1 });
    expect((await app.manage("GET", path)).body).toMatchObject({ status: "enabled", failingSince: null });
  });

  it("of an endpoint that was disabled meanwhile leaves it as it is", async () => {
    const slow = await startReceiver();
    const endpoint = await create({ url: slow.url });
    const path = `/webhook-endpoints/${endpoint.id}`;
    const disabled = Promise.withResolvers<void>();
    slow.react = () => {
      void app.manage("PATCH", path, { status: "disabled" }).then(() => disabled.resolve());
      return "hang";
    };
    const delivery = tell(endpoint);
    await disabled.promise;
    await slow.close();
    expect(await delivery).toMatchObject({ status: "skipped", attempts: 0 });
    expect((await app.manage("GET", path)).body).toMatchObject({
      status: "disabled",
      disabledReason: "by_hand",
      failingSince: null,
    });
  });
});

describe("lists", () => {
  it("of deliveries come newest first, in pages, by status, event, type and resource", async () => {
    const endpoint = await create({ url: receiver.url, events: ["customer.created"] });
    const path = `/webhook-endpoints/${endpoint.id}/deliveries?`;
    const { body: customer } = await app.api("POST", "/customers", { email: "listed@example.com" });
    await tell(endpoint);
    receiver.react = () => 500;
    const failed = await tell(endpoint);
    receiver.react = () => 200;
    const all = await pages(path);
    expect(all.map((page) => page.length)).toEqual([2, 1]);
    const rows = all.flat();
    expect(rows.map(({ id }) => id)).toEqual(
      rows
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const by = async (query: string) => (await pages(path + query)).flat().map(({ id }) => id);
    const ids = (which: (row: Json) => boolean) => rows.filter(which).map(({ id }) => id);
    expect(await by("status=retrying")).toEqual([failed.id]);
    expect(await by(`eventId=${failed.eventId}`)).toEqual([failed.id]);
    expect(await by("type=webhook_endpoint.test")).toEqual(ids((row) => row.eventType === "webhook_endpoint.test"));
    expect(await by(`resourceId=${customer.id}`)).toEqual(ids((row) => row.resourceId === customer.id));
    expect(await by(`resourceId=${newId("cus")}`)).toEqual([]);
    for (const query of ["status=lost", "type=invoice.lost", "limit=101"])
      expect((await app.manage("GET", path + query)).status, query).toBe(422);
  });

  it("forget deliveries that are older than 30 days", async () => {
    const endpoint = await create({ url: receiver.url });
    await tell(endpoint);
    const age = sql(
      "test.age_deliveries",
      `UPDATE webhook_deliveries SET created_at = ${moved("created_at", "- interval '30 days'")}
       WHERE endpoint_id = $1`,
    );
    await app.ctx.db.tx((tx) => tx.query(age, [endpoint.id]));
    await app.runDue();
    expect((await app.manage("GET", `/webhook-endpoints/${endpoint.id}/deliveries`)).body.data).toEqual([]);
  });
});
