import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError, AuthenticationError, Billow } from "@billow/client";
import { beforeEach, expect, test, vi } from "vitest";
import type { OpenApiDocument } from "../../src/http/openapi-document.ts";
import { ROOT } from "../support/source.ts";
import { empty, json, ok, problem, rejection, reset, startServer } from "./server.ts";

const document = JSON.parse(readFileSync(join(ROOT, "docs/api/management.openapi.json"), "utf8")) as OpenApiDocument;

/** Full jitter comes to 0: retries follow at once. */
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

type Methods = Record<string, Record<string, (...parameters: unknown[]) => Promise<unknown>>>;

test("has every operation of the management API as a method, and no other one", async () => {
  await using server = await startServer((response, request) =>
    (request.method === "DELETE" ? empty(204) : json(200, { data: [{ id: "found" }], nextCursor: null }))(
      response,
      request,
    ),
  );
  const manage = server.client({ manageKey: "blw_test_2" }).manage as unknown as Methods;
  for (const methods of Object.values(manage)) {
    for (const [name, method] of Object.entries(methods)) {
      if (name !== "getByKey") await method("id1", "id2", {}).catch((error: unknown) => expect(error).toBeNull());
    }
  }
  const named = (path: string) => path.replace(/\{\w+\}|\bid\d\b/g, "{}");
  const sent = server.requests.map(({ method, url }) => `${method} ${named(url.split("?")[0]!)}`);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /manage/v1${named(path)}`),
  );
  expect(sent.sort()).toEqual(described.sort());
});

test("sends the manage key, filters, bodies and Idempotency-Keys", async () => {
  await using server = await startServer(json(200, { data: [], nextCursor: null }));
  const { manage } = server.client({ manageKey: "blw_test_2" });
  await manage.subscriptions.list({ externalCustomerId: "a&b", status: "active" });
  await manage.products.list({ archived: false, limit: 2 });
  await manage.portalSessions.create({ externalCustomerId: "1" }, { idempotencyKey: "portal 7" });
  await manage.subscriptions.preview("sub_1", { productKey: "pro" });
  await manage.subscriptions.cancelNow("sub_1/../x?y");
  await manage.invoices.pay("inv_1");
  await manage.sandbox.setClock({ now: "2026-01-01T00:00:00Z" });
  await manage.customers.delete("cus_1", { forfeitBalance: true });
  expect(server.requests.map(({ method, url, body }) => [method, url, body && JSON.parse(body)])).toEqual([
    ["GET", "/manage/v1/subscriptions?externalCustomerId=a%26b&status=active", ""],
    ["GET", "/manage/v1/products?archived=false&limit=2", ""],
    ["POST", "/manage/v1/portal-sessions", { externalCustomerId: "1" }],
    ["POST", "/manage/v1/subscriptions/sub_1/preview", { productKey: "pro" }],
    ["POST", "/manage/v1/subscriptions/sub_1%2F..%2Fx%3Fy/cancel-now", {}],
    ["POST", "/manage/v1/invoices/inv_1/pay", ""],
    ["PUT", "/manage/v1/sandbox/clock", { now: "2026-01-01T00:00:00Z" }],
    ["DELETE", "/manage/v1/customers/cus_1?forfeitBalance=true", ""],
  ]);
  const keys = server.idempotencyKeys();
  expect(keys.map((key) => (key === undefined ? null : key.length > 20 ? "own" : key))).toEqual([
    null,
    null,
    "portal 7",
    "own",
    "own",
    "own",
    null,
    null,
  ]);
  for (const { headers, body } of server.requests) {
    expect(headers.authorization).toBe("Bearer blw_test_2");
    expect(headers["content-type"]).toBe(body === "" ? undefined : "application/json");
  }
});

test("a list goes through all pages", async () => {
  await using server = await startServer(
    json(200, { data: [{ id: "1" }, { id: "2" }], nextCursor: "2" }),
    json(200, { data: [{ id: "3" }], nextCursor: null }),
  );
  const ids: string[] = [];
  for await (const { id } of server.client().manage.invoices.list({ subscriptionId: "sub_1" })) ids.push(id);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/manage/v1/invoices?subscriptionId=sub_1",
    "/manage/v1/invoices?subscriptionId=sub_1&cursor=2",
  ]);
});

test("a file comes as its bytes", async () => {
  const bytes = Uint8Array.of(0x25, 0x50, 0xff, 0x00);
  await using server = await startServer((response) => response.end(bytes));
  expect(await server.client().manage.invoices.getPdf("inv_1")).toEqual(bytes);
});

test("an unknown key is an error, as an unknown id is", async () => {
  await using server = await startServer(json(200, { data: [], nextCursor: null }));
  const error = await rejection(server.client().manage.products.getByKey("por"));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, code: "not_found", message: 'not_found: /products has no key "por"' });
});

test("a deletion whose answer was lost has succeeded if the resource is gone", async () => {
  await using server = await startServer(reset, problem(404, "not_found"));
  expect(await server.client().manage.benefits.delete("bft_1")).toBeUndefined();
  await using other = await startServer(problem(404, "not_found"));
  expect(await rejection(other.client().manage.benefits.delete("bft_1"))).toMatchObject({ code: "not_found" });
});

test("without a manage key, the API key is used, and a 403 names the option", async () => {
  await using server = await startServer(problem(403, "insufficient_scope"));
  const { manage } = server.client();
  expect(await rejection(manage.products.list())).toMatchObject({
    code: "insufficient_scope",
    message:
      "insufficient_scope: About insufficient_scope. " +
      "Pass the option manageKey, a key with the scope manage. Make one in Billow's folder: " +
      "node bin/billow.mjs keys create --scope manage",
  });
  expect(server.requests[0]?.headers.authorization).toBe("Bearer blw_test_1");
  const own = server.client({ manageKey: "blw_test_2" });
  expect(await rejection(own.manage.products.list())).toMatchObject({
    message: "insufficient_scope: About insufficient_scope.",
  });
});

test("a refused manage key stops `manage` alone", async () => {
  await using server = await startServer((response, request) =>
    (request.headers.authorization === "Bearer blw_test_2" ? problem(401, "api_key_revoked") : ok)(response, request),
  );
  const billow = server.client({ manageKey: "blw_test_2" });
  for (let n = 0; n < 2; n += 1)
    expect(await rejection(billow.manage.products.list())).toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(1);
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
});

test("`manage` may have a URL of its own", async () => {
  await using server = await startServer(ok);
  const manageUrl = `${server.origin}/internal/manage/v1`;
  await server.client({ baseUrl: `${server.origin}/billing/public/v2` }).manage.organization.get();
  await server.client({ manageUrl }).manage.organization.get();
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/billing/manage/v1/organization",
    "/internal/manage/v1/organization",
  ]);
  expect(() => server.client({ manageUrl: `${server.origin}/public/v2` })).toThrow(
    /^manageUrl must end in \/manage\/v1/,
  );
});

test.each([
  [{ manageKey: "a b" }, /^manageKey has the character " ", which no key has\. Copy the whole key/],
  [{ apiKey: "blw_test_…" }, /^apiKey has the character "…", which no key has\. Copy the whole key/],
])("%j is refused in words that name the option", (wrong, message) => {
  const options = { apiKey: "blw_test_1", baseUrl: "https://billing.test/public/v2", ...wrong };
  expect(() => new Billow(options)).toThrow(message);
});

test("a function that answers no key is refused at the call", async () => {
  const billow = new Billow({ apiKey: () => "", baseUrl: "https://billing.test/public/v2" });
  await expect(billow.checkouts.get("chk_1")).rejects.toThrow(/^apiKey is missing/);
});
