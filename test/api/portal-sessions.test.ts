import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realNow } from "../../src/clock.ts";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { strangerOf } from "../support/operations.ts";

let app: TestApp;
let ada: Json;
let path: string;

beforeAll(async () => {
  app = await startTestApp({}, { clock: "2026-03-01T09:00:00Z" });
  ada = (await app.api("POST", "/customers", { email: "ada@example.com", name: "Ada" })).body;
  path = `/customers/${ada.id}/portal-sessions`;
});
afterAll(() => app.close());

const MINUTES = 60_000;

describe("POST /customers/{id}/portal-sessions", () => {
  test("answers a new link each time, good for fifteen minutes of real time, not of a sandbox's clock", async () => {
    const before = realNow();
    const one = await app.manage("POST", path, { returnUrl: "https://app.example.com/settings" });
    const other = await app.manage("POST", path);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body.url).toMatch(new RegExp(`^${app.url}/portal/${app.organization.id}/sign-in/[\\w-]{43}$`));
    expect(one.body.url).not.toBe(other.body.url);
    const expires = Date.parse(one.body.expiresAt);
    expect(expires).toBeGreaterThanOrEqual(before + 15 * MINUTES - 1000);
    expect(expires).toBeLessThanOrEqual(realNow() + 15 * MINUTES + 1000);
  });

  test("takes a public key as well, and no other address for it", async () => {
    const key = { Authorization: `Bearer ${app.keys.public}` };
    expect((await app.manage("POST", path, {}, key)).status).toBe(201);
    expect((await app.manage("GET", `/customers/${ada.id}`, undefined, key)).body.code).toBe("insufficient_scope");
    expect((await app.api("POST", path, {})).status).toBe(404);
  });

  test.each([
    [{ returnUrl: "javascript:alert(1)" }, "/returnUrl", "invalid_url"],
    [{ returnUrl: "https://me:secret@example.com/" }, "/returnUrl", "invalid_url"],
    [{ returnUrl: 5 }, "/returnUrl", "invalid_type"],
    [{ colour: "red" }, "/colour", "unknown_field"],
  ])("422 for %j", async (body, pointer, code) => {
    expect(await app.manage("POST", path, body)).toMatchObject({
      status: 422,
      body: { errors: [{ in: "body", pointer, code }] },
    });
  });

  test("404 for a Customer that is another Organization's, unknown, or deleted", async () => {
    const gone = (await app.api("POST", "/customers", { email: "gone@example.com" })).body;
    expect((await app.manage("DELETE", `/customers/${gone.id}`)).status).toBe(204);
    for (const id of [gone.id, newId("cus"), "cus_x"]) {
      expect((await app.manage("POST", `/customers/${id}/portal-sessions`, {})).status).toBe(404);
    }
    expect((await (await strangerOf(app)).manage("POST", path, {})).status).toBe(404);
  });

  test("shows the link once: the same Idempotency-Key answers 409", async () => {
    const key = { "Idempotency-Key": "portal-1" };
    expect((await app.manage("POST", path, {}, key)).status).toBe(201);
    expect(await app.manage("POST", path, {}, key)).toMatchObject({
      status: 409,
      body: { code: "idempotency_key_used" },
    });
    const other = await app.manage("POST", path, { returnUrl: "https://example.com/" }, key);
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });
});

test("the Organization tells where its portal is", async () => {
  const portalUrl = `${app.url}/portal/${app.organization.id}`;
  expect((await app.manage("GET", "/organization")).body).toMatchObject({ portalUrl });
  expect((await app.manage("PATCH", "/organization", { name: "Acme" })).body).toMatchObject({ portalUrl });
  expect((await app.manage("PATCH", "/organization", { portalUrl })).body.errors).toMatchObject([
    { code: "unknown_field" },
  ]);
  expect((await app.manage("PATCH", "/organization", { emails: { portalSignIn: false } })).status).toBe(422);
});
