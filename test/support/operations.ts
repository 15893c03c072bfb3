import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "../../src/actions/organization/create-api-key.ts";
import { realNow } from "../../src/clock.ts";
import type { ApiKeyScope } from "../../src/domain/organization/api-key.ts";
import { instant } from "../../src/domain/calendar.ts";
import { apiKeys } from "../../src/store/api-keys.ts";
import { caller, type TestApp } from "./app.ts";

/** One operation of the public API, with a request that would succeed. `allow`: the methods of the path. */
export type Operation = { method: "GET" | "POST" | "PATCH"; path: () => string; body?: () => object; allow: string };

type Headers_ = Record<string, string>;

/** The secret of an API key of the Organization, which may be expired or revoked. */
async function secretOf(
  { ctx, organization }: TestApp,
  scopes: ApiKeyScope[],
  past: "expired" | "revoked" | null,
): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const { key, secret } = await createApiKey(tx, organization, { name: "test", scopes, expiresAt: null });
    const before = instant(realNow() - 1000);
    if (past === "expired") await apiKeys.update(tx, { ...key, expiresAt: before });
    if (past === "revoked") await apiKeys.update(tx, { ...key, revokedAt: before });
    return secret;
  });
}

/** The tests that every operation has in common: its callers, and the form of its requests. */
export function testOperation(get: () => TestApp, operation: Operation): void {
  const { method, path, body, allow } = operation;
  const send = (headers: Headers_ = {}, sent: unknown = body?.(), on = path()) => get().api(method, on, sent, headers);
  const events = async () => (await get().manage("GET", "/events?limit=100")).body.data.length;

  describe(`${method}, as any operation`, () => {
    let before: number;
    beforeAll(async () => {
      before = await events();
    });

    test.each(["missing", "invalid", "expired", "revoked"] as const)("401 api_key_%s", async (what) => {
      const past = what === "expired" || what === "revoked" ? what : null;
      const key = past ? await secretOf(get(), ["public"], past) : "blw_test_nonsense";
      const answer = await send({ Authorization: what === "missing" ? "Basic eDp5" : `Bearer ${key}` });
      expect(answer).toMatchObject({ status: 401, body: { code: `api_key_${what}` } });
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
    });

    test("403 for a key of another surface", async () => {
      const answer = await send({ Authorization: `Bearer ${await secretOf(get(), ["manage"], null)}` });
      expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    });

    test("405 names the methods of the path", async () => {
      for (const other of [
        "PUT",
        "DELETE",
        ...["GET", "POST", "PATCH"].filter((each) => !allow.split(", ").includes(each)),
      ]) {
        const answer = await get().api(other, path());
        expect([answer.status, answer.body.code, answer.headers.get("Allow")]).toEqual([
          405,
          "method_not_allowed",
          allow,
        ]);
      }
    });

    test("406 where JSON is ruled out", async () => {
      expect(await send({ Accept: "text/html" })).toMatchObject({ status: 406, body: { code: "not_acceptable" } });
    });

    test("422 for a query parameter that does not exist", async () => {
      const answer = await send({}, body?.(), `${path()}${path().includes("?") ? "&" : "?"}colour=red`);
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: [{ in: "query", pointer: "colour", code: "unknown_parameter" }] },
      });
    });

    const testOwn = body ? testBody : testRead;
    testOwn(get, operation);

    test("all this changed nothing", async () => expect(await events()).toBe(before));
  });
}

function testRead(get: () => TestApp, { path }: Operation): void {
  test("HEAD answers as GET does, without the body", async () => {
    const [found, head] = [await get().api("GET", path()), await get().api("HEAD", path())];
    expect([head.status, head.body]).toEqual([found.status, ""]);
    for (const name of ["Content-Type", "ETag"]) expect(head.headers.get(name)).toBe(found.headers.get(name));
  });
}

function testBody(get: () => TestApp, { method, path, body = () => ({}) }: Operation): void {
  const send = (sent: unknown, headers: Headers_ = {}) => get().api(method, path(), sent, headers);

  test.each([
    ["415 for another media type", { "Content-Type": "text/plain" }, 415, "unsupported_media_type"],
    ["415 for a compressed body", { "Content-Encoding": "gzip" }, 415, "unsupported_media_type"],
  ])("%s", async (_, headers, status, code) => {
    expect(await send(body(), headers)).toMatchObject({ status, body: { code } });
  });

  test("413 above 64 KiB", async () => {
    expect(await send(`${JSON.stringify(body())}${" ".repeat(65_536)}`)).toMatchObject({
      status: 413,
      body: { code: "body_too_large" },
    });
  });

  test.each(["", "{", "{}{}", "undefined"])("400 for %j", async (text) => {
    expect(await send(text)).toMatchObject({ status: 400, body: { code: "malformed_json" } });
  });

  test.each(["[]", "null", '"text"', "1"])("422 for %s", async (text) => {
    expect(await send(text)).toMatchObject({
      status: 422,
      body: { errors: [{ in: "body", pointer: "", code: "invalid_type" }] },
    });
  });

  test("422 for a field that does not exist", async () => {
    const answer = await send({ ...body(), colour: "red" });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: "/colour", code: "unknown_field" }] } });
  });

  test.each(["", '""', "x".repeat(256), "naïve"])("422 for the Idempotency-Key %j", async (key) => {
    const answer = await send(body(), { "Idempotency-Key": key });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ in: "header", pointer: "Idempotency-Key" }] } });
  });
}

/** A second Organization of the same server, which must see no data of the first. */
export async function foreignCallersOf(app: TestApp) {
  const { keys } = await app.otherOrganization();
  return { api: caller(`${app.url}/public/v2`, keys.public), manage: caller(`${app.url}/manage/v1`, keys.manage) };
}
