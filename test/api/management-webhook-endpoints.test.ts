import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { endpointsOf, URL_ } from "../support/webhook-endpoints.ts";

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

const { create, tell, pages } = endpointsOf(() => app);

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

describe("lists", () => {
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
