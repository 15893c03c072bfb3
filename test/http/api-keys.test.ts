import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "../../src/actions/organization/create-api-key.ts";
import { realNow } from "../../src/clock.ts";
import { formatSecret } from "../../src/domain/organization/api-key.ts";
import { instant } from "../../src/domain/calendar.ts";
import { startServer } from "../../src/http/server.ts";
import { openDatabase } from "../../src/store/driver/db.ts";
import { caller, startTestApp, type TestApp } from "../support/app.ts";
import { lines, sendRaw } from "./raw-request.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const PATH = "/public/v2/benefit-grants?externalCustomerId=x";
const read = (authorization: string | null, url = app.url) =>
  fetch(url + PATH, { headers: authorization === null ? {} : { Authorization: authorization } });

async function newKey(scopes: ("public" | "manage")[] = ["public"], expiresAt: number | null = null) {
  const at = expiresAt === null ? null : instant(expiresAt);
  return app.ctx.db.tx((tx) => createApiKey(tx, app.organization, { name: "k", scopes, expiresAt: at }));
}

const INVALID = 'Bearer realm="billow", error="invalid_token"';

describe("authentication", () => {
  test.each([
    ["no header", () => null, "api_key_missing", 'Bearer realm="billow"'],
    ["another scheme", () => "Basic abc", "api_key_missing", 'Bearer realm="billow"'],
    ["an empty key", () => "Bearer", "api_key_missing", 'Bearer realm="billow"'],
    ["no key of ours", () => "Bearer abc", "api_key_invalid", INVALID],
    ["a typing error", () => `Bearer ${app.keys.public.slice(0, -1)}?`, "api_key_invalid", INVALID],
    ["two keys", () => `Bearer ${app.keys.public} ${app.keys.public}`, "api_key_invalid", INVALID],
    ["an unknown key", () => `Bearer ${formatSecret("sandbox", randomBytes(64))}`, "api_key_invalid", INVALID],
  ])("%s", async (_name, authorization, code, challenge) => {
    const answer = await read(authorization());
    expect(answer.status).toBe(401);
    expect(answer.headers.get("WWW-Authenticate")).toBe(challenge);
    expect(await answer.json()).toMatchObject({ code });
  });

  test("the scheme is written in any case", async () => {
    expect((await read(`bearer  ${app.keys.public}`)).status).toBe(200);
  });

  test("two headers are refused even if both are good", async () => {
    const header = `Authorization: Bearer ${app.keys.public}`;
    const send = () => sendRaw(app.url, lines(`GET ${PATH} HTTP/1.1`, "Host: x", header, header));
    expect(await send()).toMatchObject({ status: 401, body: { code: "api_key_invalid" } });
    expect((await read(`Bearer ${app.keys.public}`)).status).toBe(200);
    expect(await send()).toMatchObject({ status: 401, body: { code: "api_key_invalid" } });
  });

  test("an expired key", async () => {
    const { secret } = await newKey(["public"], realNow() - 1);
    const answer = await read(`Bearer ${secret}`);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "api_key_expired" });
  });

  test("a key is not refused while the database can't be asked", async () => {
    const db = openDatabase({ host: "127.0.0.1", port: 1, user: "x", database: "x", password: "x" });
    const server = await startServer({ ...app.ctx, db, probes: db, config: { ...app.ctx.config, port: 0 } });
    const url = `http://127.0.0.1:${server.port}`;
    for (const path of [PATH, "/readyz"]) {
      const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${app.keys.public}` } });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("1");
      expect(await answer.json()).toMatchObject({ code: "unavailable" });
    }
    expect((await read("Bearer abc", url)).status).toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await server.close();
    await db.end();
  });
});

describe("scopes", () => {
  test.each([
    ["public", "GET", PATH, 200],
    ["manage", "GET", PATH, 403],
    ["both", "GET", PATH, 200],
    ["manage", "GET", "/manage/v1/api-keys", 200],
    ["public", "GET", "/manage/v1/api-keys", 403],
    ["public", "POST", `/manage/v1/subscriptions/sub_${"0".repeat(26)}/preview`, 404],
    ["manage", "POST", `/manage/v1/subscriptions/sub_${"0".repeat(26)}/preview`, 404],
  ])("%s: %s %s is answered %i", async (scope, method, path, status) => {
    const { secret } = await newKey(scope === "both" ? ["public", "manage"] : [scope as "public" | "manage"]);
    const body = method === "POST" ? { body: '{"cancelAtPeriodEnd":true}' } : {};
    const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
    const answer = await fetch(app.url + path, { method, headers, ...body });
    expect(answer.status).toBe(status);
    if (status !== 403) return;
    const wanted = path.startsWith("/manage") ? "manage" : "public";
    expect(answer.headers.get("WWW-Authenticate")).toBe(
      `Bearer realm="billow", error="insufficient_scope", scope="${wanted}"`,
    );
  });
});

describe("the life of a key", () => {
  test("its secret is shown once", async () => {
    const params = { name: "Backend", scopes: ["public", "public"] };
    const create = () => app.manage("POST", "/api-keys", params, { "Idempotency-Key": "new-key" });
    const created = await create();
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: "Backend",
      scopes: ["public"],
      revokedAt: null,
      expiresAt: null,
      lastUsedAt: null,
    });
    const { secret, ...key } = created.body;
    expect(secret).toMatch(/^blw_test_[0-9A-Za-z]{38}$/);
    expect((await read(`Bearer ${secret}`)).status).toBe(200);
    const { data } = (await app.manage("GET", "/api-keys?limit=1")).body;
    expect(data).toEqual([{ ...key, lastUsedAt: data[0].lastUsedAt }]);
    expect(await create()).toMatchObject({ status: 409, body: { code: "idempotency_key_used" } });
  });

  test("live keys say so", async () => {
    const { keys } = await app.otherOrganization({ mode: "live" });
    expect(keys.public).toMatch(/^blw_live_/);
  });

  test("that it was used is remembered", async () => {
    const { key, secret } = await newKey();
    await read(`Bearer ${secret}`);
    const lastUse = async () => {
      const { data } = (await app.manage("GET", "/api-keys")).body;
      return data.find(({ id }: { id: string }) => id === key.id).lastUsedAt;
    };
    await expect.poll(lastUse).toMatch(/Z$/);
  });

  test("revoked here, it is of no use within a second anywhere", async () => {
    const other = await startServer({ ...app.ctx, config: { ...app.ctx.config, port: 0 } });
    const url = `http://127.0.0.1:${other.port}`;
    const { key, secret } = await newKey();
    expect((await read(`Bearer ${secret}`)).status).toBe(200);
    expect((await read(`Bearer ${secret}`, url)).status).toBe(200);
    expect(await app.manage("DELETE", `/api-keys/${key.id}`)).toMatchObject({
      status: 200,
      body: { revokedAt: expect.any(String) },
    });
    const revokedAt = performance.now();
    expect(await (await read(`Bearer ${secret}`)).json()).toMatchObject({ code: "api_key_revoked" });
    for (;;) {
      const askedAt = performance.now();
      const { status } = await read(`Bearer ${secret}`, url);
      if (status === 401) break;
      // A request that began within the second may still pass, but no later one.
      expect(askedAt - revokedAt).toBeLessThan(1000);
    }
    expect((await app.manage("DELETE", `/api-keys/${key.id}`)).status).toBe(200);
    await other.close();
  });

  test("a key can't revoke itself", async () => {
    const { key, secret } = await newKey(["manage"]);
    const manage = caller(`${app.url}/manage/v1`, secret);
    expect(await manage("DELETE", `/api-keys/${key.id}`)).toMatchObject({
      status: 409,
      body: { code: "api_key_in_use" },
    });
    expect((await manage("GET", "/api-keys")).status).toBe(200);
  });

  test("rotated, it lives on for the overlap", async () => {
    const { key, secret } = await newKey();
    const rotate = (overlapSeconds: number) => app.manage("POST", `/api-keys/${key.id}/rotate`, { overlapSeconds });
    const rotated = await rotate(3600);
    expect(rotated).toMatchObject({ status: 201, body: { name: "k", scopes: ["public"], expiresAt: null } });
    for (const each of [secret, rotated.body.secret]) expect((await read(`Bearer ${each}`)).status).toBe(200);
    const { data } = (await app.manage("GET", "/api-keys")).body;
    const old = data.find(({ id }: { id: string }) => id === key.id);
    expect(old).toMatchObject({ replacedBy: rotated.body.id, expiresAt: expect.any(String) });
    expect((await rotate(0)).status).toBe(201);
    expect(await (await read(`Bearer ${secret}`)).json()).toMatchObject({ code: "api_key_expired" });
    expect(await rotate(0)).toMatchObject({ status: 409, body: { code: "api_key_not_active" } });
  });

  test.each([
    ["POST", "/api-keys", { name: "k", scopes: [] }, "/scopes", "too_few"],
    ["POST", "/api-keys", { name: "k", scopes: ["root"] }, "/scopes/0", "invalid_value"],
    [
      "POST",
      "/api-keys",
      { name: "k", scopes: ["public"], expiresAt: "2020-01-01T00:00:00Z" },
      "/expiresAt",
      "in_the_past",
    ],
    ["POST", `/api-keys/key_${"0".repeat(26)}/rotate`, { overlapSeconds: 604_801 }, "/overlapSeconds", "too_large"],
    ["POST", `/api-keys/key_${"0".repeat(26)}/rotate`, {}, "/overlapSeconds", "required"],
  ])("%s %s %j is refused at %s", async (method, path, body, pointer, code) => {
    expect(await app.manage(method, path, body)).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });

  test("keys of another Organization are not there", async () => {
    const other = await app.otherOrganization();
    const manage = caller(`${app.url}/manage/v1`, other.keys.manage);
    const { key } = await newKey();
    const unknown = `key_${"0".repeat(26)}`;
    for (const id of [key.id, unknown, "nonsense"]) {
      expect((await manage("DELETE", `/api-keys/${id}`)).status).toBe(404);
      expect((await manage("POST", `/api-keys/${id}/rotate`, { overlapSeconds: 0 })).status).toBe(404);
    }
    const { data } = (await manage("GET", "/api-keys")).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(["manage", "public"]);
  });
});
