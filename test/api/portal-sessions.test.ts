import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realNow } from "../../src/clock.ts";
import { newId } from "../../src/ids.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { foreignCallersOf } from "../support/operations.ts";

let app: TestApp;
let ada: Json;
let path: string;

beforeAll(async () => {
  app = await startTestApp({}, { clock: "2026-03-01T09:00:00Z" });
  ada = (await app.api("POST", "/customers", { email: "ada@example.com", name: "Ada" })).body;
  path = `/customers/${ada.id}/portal-sessions`;
});
afterAll(() => app.close());

const MINUTE = 60_000;

describe("POST /customers/{id}/portal-sessions", () => {
  test("answers a new link each time, good for a minute of real time, not of a sandbox's clock", async () => {
    const before = realNow();
    const one = await app.manage("POST", path, { returnUrl: "https://app.example.com/settings" });
    const other = await app.manage("POST", path);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body.url).toMatch(new RegExp(`^${app.url}/portal/${app.organization.id}/sign-in/[\\w-]{43}$`));
    expect(one.body.url).not.toBe(other.body.url);
    const expires = Date.parse(one.body.expiresAt);
    expect(expires).toBeGreaterThanOrEqual(before + MINUTE - 1000);
    expect(expires).toBeLessThanOrEqual(realNow() + MINUTE + 1000);
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
    expect((await (await foreignCallersOf(app)).manage("POST", path, {})).status).toBe(404);
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

describe("POST /portal-sessions", () => {
  const named = { externalCustomerId: "workspace_42" };
  beforeAll(async () => {
    await app.api("POST", "/customers", { email: "grace@example.com", externalId: "workspace_42" });
  });

  test("links the Customer of an id or an externalId, for a public key as well", async () => {
    const names = async (body: object, headers = {}) => {
      const { status, body: session } = await app.manage("POST", "/portal-sessions", body, headers);
      expect(status).toBe(201);
      return (await fetch(session.url)).text();
    };
    expect(await names({ customerId: ada.id })).toContain("ada@example.com");
    expect(await names({ ...named, returnUrl: "https://app.example.com/" })).toContain("grace@example.com");
    const key = { Authorization: `Bearer ${app.keys.public}` };
    expect(await names(named, key)).toContain("grace@example.com");
    expect((await app.api("POST", "/portal-sessions", named)).status).toBe(404);
  });

  test("422 for no Customer, two names, and one that is another Organization's, unknown, or deleted", async () => {
    const codeOf = async (body: object, manage = app.manage) => {
      const answer = await manage("POST", "/portal-sessions", body);
      expect(answer.status).toBe(422);
      const [{ pointer, code, message }] = answer.body.errors;
      if (code === "unknown_customer") expect(message).toBe("No such Customer exists.");
      return `${pointer} ${code}`;
    };
    expect(await codeOf({})).toBe("/customerId one_customer");
    expect(await codeOf({ ...named, customerId: ada.id })).toBe("/customerId one_customer");
    expect(await codeOf({ customerId: newId("cus") })).toBe("/customerId unknown_customer");
    expect(await codeOf({ externalCustomerId: "workspace_43" })).toBe("/externalCustomerId unknown_customer");
    const { manage } = await foreignCallersOf(app);
    expect(await codeOf(named, manage)).toBe("/externalCustomerId unknown_customer");
    expect(await codeOf({ customerId: ada.id }, manage)).toBe("/customerId unknown_customer");
    const gone = (await app.api("POST", "/customers", { email: "left@example.com", externalId: "left" })).body;
    expect((await app.manage("DELETE", `/customers/${gone.id}`)).status).toBe(204);
    expect(await codeOf({ customerId: gone.id })).toBe("/customerId unknown_customer");
    expect(await codeOf({ externalCustomerId: "left" })).toBe("/externalCustomerId unknown_customer");
  });

  test("shows the link once: the same Idempotency-Key answers 409", async () => {
    const key = { "Idempotency-Key": "portal-2" };
    expect((await app.manage("POST", "/portal-sessions", named, key)).status).toBe(201);
    expect((await app.manage("POST", "/portal-sessions", named, key)).body.code).toBe("idempotency_key_used");
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
