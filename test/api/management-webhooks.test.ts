import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { sql } from "../../src/store/db.ts";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";

let app: TestApp;
let live: TestCall;
let receiver: Receiver;

beforeAll(async () => {
  [app, receiver] = await Promise.all([startTestApp(), startReceiver()]);
  live = caller(`${app.url}/manage/v1`, (await app.otherOrganization({ mode: "live" })).keys.manage);
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const URL_ = "https://example.com/hook";

async function create(more: object = {}): Promise<Json> {
  const { status, body } = await app.manage("POST", "/webhook-endpoints", { url: URL_, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}
/** Sends a test event to `endpoint` and returns its delivery. */
async function tell(endpoint: Json): Promise<Json> {
  const { status, body } = await app.manage("POST", `/webhook-endpoints/${endpoint.id}/test`);
  expect(status).toBe(202);
  await app.runDue();
  return (await app.manage("GET", `/deliveries/${body.id}`)).body;
}

describe("an endpoint", () => {
  it("is created with its secret, which is never shown again", async () => {
    const created = await app.manage("POST", "/webhook-endpoints", { url: URL_ });
    expect(created.status).toBe(201);
    const { secret, ...shown } = created.body;
    expect(shown).toEqual({
      id: expect.stringMatching(/^whk_/),
      url: URL_,
      description: null,
      events: ["*"],
      status: "enabled",
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      pausedUntil: null,
      previousSecretUntil: null,
      createdAt: expect.any(String),
      updatedAt: shown.createdAt,
    });
    expect(Buffer.from(/^whsec_(.+)$/.exec(secret)![1]!, "base64")).toHaveLength(32);
    const read = await app.manage("GET", `/webhook-endpoints/${shown.id}`);
    expect([read.status, read.body, read.headers.get("ETag")]).toEqual([200, shown, created.headers.get("ETag")]);
    expect(JSON.stringify((await app.manage("GET", "/webhook-endpoints")).body)).not.toContain("whsec_");
  });

  it("is made once by one Idempotency-Key, and a repeat has no secret to show", async () => {
    const key = { "Idempotency-Key": "endpoint-once" };
    const send = () => app.manage("POST", "/webhook-endpoints", { url: "https://example.com/once" }, key);
    expect((await send()).status).toBe(201);
    expect(await send()).toMatchObject({ status: 409, body: { code: "idempotency_key_used" } });
    const { data } = (await app.manage("GET", "/webhook-endpoints?limit=100")).body;
    expect(data.filter(({ url }: Json) => url.endsWith("/once"))).toHaveLength(1);
  });

  test.each([
    [{ url: "nowhere" }, "/url", "invalid_url"],
    [{ url: "ftp://example.com" }, "/url", "invalid_url"],
    [{ url: "https://me:secret@example.com" }, "/url", "invalid_url"],
    [{ url: "https://example.com/#here" }, "/url", "invalid_url"],
    [{ url: "https://10.0.0.1/" }, "/url", "address_not_allowed"],
    [{ url: "https://169.254.169.254/latest" }, "/url", "address_not_allowed"],
    [{ url: "https://[fd00::1]/" }, "/url", "address_not_allowed"],
    [{ url: "http://0x0a000001/" }, "/url", "address_not_allowed"],
    [{ events: [] }, "/events", null],
    [{ events: ["*", "*"] }, "/events", "twice"],
    [{ events: ["invoice.paid", "invoice.lost"] }, "/events/1", null],
    [{ description: "x".repeat(257) }, "/description", null],
    [{ secret: "whsec_mine" }, "/secret", null],
  ])("of %j is refused at %s", async (more, pointer, code) => {
    const endpoint = await create();
    const calls = [
      ["POST", "/webhook-endpoints", { url: URL_, ...more }] as const,
      ["PATCH", `/webhook-endpoints/${endpoint.id}`, more] as const,
    ];
    for (const [method, path, sent] of calls) {
      const { status, body } = await app.manage(method, path, sent);
      expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
      if (code !== null) expect(body.errors[0].code).toBe(code);
    }
  });

  test.each([
    ["http://example.com/", null, "https_required"],
    ["http://127.0.0.1:9/", null, "https_required"],
    ["https://127.0.0.1:9/", null, "address_not_allowed"],
    ["https://localhost/", null, "address_not_allowed"],
    ["https://example.com/", null, null],
  ])("at %s is refused in a sandbox: %s, live: %s", async (url, sandbox, ofLive) => {
    const codes = async (call: TestCall) =>
      (await call("POST", "/webhook-endpoints", { url })).body.errors?.[0].code ?? null;
    expect([await codes(app.manage), await codes(live)]).toEqual([sandbox, ofLive]);
  });

  it("is changed, under its ETag, and left alone by a PATCH that changes nothing", async () => {
    const endpoint = await create({ description: "Ours" });
    const path = `/webhook-endpoints/${endpoint.id}`;
    const before = await app.manage("GET", path);
    const etag = before.headers.get("ETag")!;
    const same = await app.manage("PATCH", path, { description: "Ours", status: "enabled" });
    expect([same.status, same.body, same.headers.get("ETag")]).toEqual([200, before.body, etag]);
    const wanted = { url: "https://example.com/new", events: ["invoice.paid"], description: null };
    const changed = await app.manage("PATCH", path, wanted, { "If-Match": etag });
    expect(changed).toMatchObject({ status: 200, body: wanted });
    for (const [method, body] of [
      ["PATCH", { description: "Late" }],
      ["DELETE", undefined],
    ] as const)
      expect(await app.manage(method, path, body, { "If-Match": etag })).toMatchObject({
        status: 412,
        body: { code: "precondition_failed" },
      });
    const disabled = await app.manage(
      "PATCH",
      path,
      { status: "disabled" },
      { "If-Match": changed.headers.get("ETag")! },
    );
    expect(disabled.body).toMatchObject({ status: "disabled", disabledReason: "by_hand", ...wanted });
    expect((await app.manage("PATCH", path, { status: "enabled" })).body).toMatchObject({
      status: "enabled",
      disabledReason: null,
    });
  });

  it("is deleted once, with its log", async () => {
    const endpoint = await create({ url: receiver.url });
    const delivery = await tell(endpoint);
    expect(delivery.status).toBe("succeeded");
    expect(await app.manage("DELETE", `/webhook-endpoints/${endpoint.id}`)).toMatchObject({ status: 204, body: "" });
    const calls = [
      ["GET", `/webhook-endpoints/${endpoint.id}`],
      ["PATCH", `/webhook-endpoints/${endpoint.id}`, { status: "enabled" }],
      ["DELETE", `/webhook-endpoints/${endpoint.id}`],
      ["GET", `/webhook-endpoints/${endpoint.id}/deliveries`],
      ["POST", `/webhook-endpoints/${endpoint.id}/rotate-secret`],
      ["POST", `/webhook-endpoints/${endpoint.id}/test`],
      ["POST", `/webhook-endpoints/${endpoint.id}/redeliver`],
      ["GET", `/deliveries/${delivery.id}`],
      ["POST", `/deliveries/${delivery.id}/redeliver`],
    ] as const;
    for (const [method, path, body] of calls)
      expect((await app.manage(method, path, body)).status, `${method} ${path}`).toBe(404);
  });

  it("gets a new secret, once, and the one before lives on for as long as is said", async () => {
    const endpoint = await create();
    const path = `/webhook-endpoints/${endpoint.id}/rotate-secret`;
    const key = { "Idempotency-Key": "rotate-once" };
    const rotated = await app.manage("POST", path, undefined, key);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    const hours = (Date.parse(rotated.body.previousSecretUntil) - Date.parse(rotated.body.updatedAt)) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(await app.manage("POST", path, undefined, key)).toMatchObject({
      status: 409,
      body: { code: "idempotency_key_used" },
    });
    expect((await app.manage("POST", path, { overlapHours: 0 })).body.previousSecretUntil).toBeNull();
    for (const overlapHours of [-1, 169, 1.5]) {
      const refused = await app.manage("POST", path, { overlapHours });
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, "/overlapHours"]);
    }
  });

  it("that is rotated twice, as an answer was lost, still signs with each earlier secret", async () => {
    const endpoint = await create({ url: receiver.url, events: ["invoice.paid"] });
    const rotate = (overlapHours: number) =>
      app
        .manage("POST", `/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlapHours })
        .then(({ body }) => body as Json);
    const [second, third] = [await rotate(168), await rotate(1)];
    expect(Date.parse(third.previousSecretUntil)).toBe(Date.parse(second.previousSecretUntil));
    const sent = async () => {
      await app.manage("POST", `/webhook-endpoints/${endpoint.id}/test`);
      await app.runDue();
      const { text, headers } = receiver.received.at(-1)!;
      const verifies = ({ secret }: Json) => new Webhook(secret).verify(text, headers as Record<string, string>);
      return { verifies, signatures: (headers["webhook-signature"] as string).split(" ").length };
    };
    const all = await sent();
    for (const each of [endpoint, second, third])
      expect(all.verifies(each)).toMatchObject({ type: "webhook_endpoint.test" });
    const last = await rotate(0);
    const only = await sent();
    expect([all.signatures, only.signatures]).toEqual([3, 1]);
    expect(only.verifies(last)).toMatchObject({ type: "webhook_endpoint.test" });
  });
});

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
    const moved = Promise.withResolvers<void>();
    old.react = () => {
      void app.manage("PATCH", path, { url: receiver.url }).then(() => moved.resolve());
      return "hang";
    };
    const told = tell(endpoint);
    await moved.promise;
    await old.close();
    expect(await told).toMatchObject({ status: "succeeded", attempts: 1 });
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
    const told = tell(endpoint);
    await disabled.promise;
    await slow.close();
    expect(await told).toMatchObject({ status: "skipped", attempts: 0 });
    expect((await app.manage("GET", path)).body).toMatchObject({
      status: "disabled",
      disabledReason: "by_hand",
      failingSince: null,
    });
  });
});

describe("lists", () => {
  const pages = async (path: string): Promise<Json[][]> => {
    const found: Json[][] = [];
    for (let cursor = ""; ;) {
      const { data, nextCursor } = (await app.manage("GET", `${path}&limit=2${cursor}`)).body;
      found.push(data);
      if (nextCursor === null) return found;
      cursor = `&cursor=${nextCursor}`;
    }
  };

  it("of endpoints come newest first, in pages, by status", async () => {
    for (let n = 0; n < 3; n++) await create();
    const disabled = await create();
    await app.manage("PATCH", `/webhook-endpoints/${disabled.id}`, { status: "disabled" });
    const all = (await pages("/webhook-endpoints?")).flat();
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const some = (await pages("/webhook-endpoints?status=disabled")).flat();
    expect(some.map(({ id }) => id)).toContain(disabled.id);
    expect(some).toEqual(all.filter(({ status }) => status === "disabled"));
    for (const query of ["status=gone", "limit=0", "cursor=!", "url=x"])
      expect((await app.manage("GET", `/webhook-endpoints?${query}`)).status, query).toBe(422);
  });

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
      "test.age",
      "UPDATE webhook_deliveries SET created_at = created_at - interval '30 days' WHERE endpoint_id = $1",
    );
    await app.ctx.db.tx((tx) => tx.query(age, [endpoint.id]));
    await app.runDue();
    expect((await app.manage("GET", `/webhook-endpoints/${endpoint.id}/deliveries`)).body.data).toEqual([]);
  });
});

test.each([
  "GET /webhook-endpoints/x",
  "GET /deliveries/x",
  "POST /deliveries/x/redeliver",
  "DELETE /webhook-endpoints/x",
])("%s is 404", async (call) => {
  const [method, path] = call.split(" ") as [string, string];
  expect(await app.manage(method, path)).toMatchObject({ status: 404, body: { code: "not_found" } });
});
