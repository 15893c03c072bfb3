import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caller, startTestApp, type TestApp } from "../support/app.ts";
import { lines, sendRaw } from "./raw-request.ts";

let app: TestApp;
let customerId: string;
beforeAll(async () => {
  app = await startTestApp({ publicBasePaths: ["/public/v2", "/billing/public/v2"], rateLimit: 1000 });
  customerId = (await app.api("POST", "/customers", { email: "a@example.com" })).body.id;
});
afterAll(() => app.close());

const SUBSCRIPTION = "/public/v2/subscriptions/sub_1";

test.each([
  ["DELETE", SUBSCRIPTION, "GET, HEAD, PATCH, OPTIONS"],
  ["PUT", SUBSCRIPTION, "GET, HEAD, PATCH, OPTIONS"],
  ["TRACE", SUBSCRIPTION, "GET, HEAD, PATCH, OPTIONS"],
  ["PURGE", SUBSCRIPTION, "GET, HEAD, PATCH, OPTIONS"],
  ["GET", "/public/v2/customers", "POST, OPTIONS"],
  ["HEAD", "/public/v2/customers", "POST, OPTIONS"],
  ["POST", "/healthz", "GET, HEAD"],
])("%s %s is answered 405 with Allow: %s", async (method, path, allow) => {
  const answer = await sendRaw(app.url, lines(`${method} ${path} HTTP/1.1`, "Host: x"));
  expect(answer).toMatchObject({ status: 405, headers: { allow } });
});

test("OPTIONS tells the allowed methods, and nothing about other origins", async () => {
  const headers = { Origin: "https://example.com", "Access-Control-Request-Method": "GET" };
  const answer = await fetch(app.url + SUBSCRIPTION, { method: "OPTIONS", headers });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("Allow")).toBe("GET, HEAD, PATCH, OPTIONS");
  expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("OPTIONS of the server as a whole is a request, other methods have no such target", async () => {
  expect(await sendRaw(app.url, lines("OPTIONS * HTTP/1.1", "Host: x"))).toMatchObject({ status: 204, body: "" });
  expect(await sendRaw(app.url, lines("GET * HTTP/1.1", "Host: x"))).toMatchObject({ status: 400 });
});

test.each([
  "/public/v2",
  "/public/v2/",
  "/public/v2/customers/",
  "/public/v2//customers",
  "/public/v2/nothing",
  "/manage/v1",
  "/manage/v1/nothing",
])("%s is not found", async (path) => {
  const answer = await fetch(app.url + path, { headers: { Authorization: `Bearer ${app.keys.public}` } });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: "not_found", requestId: answer.headers.get("Request-Id") });
});

test("HEAD answers as GET does, without the body", async () => {
  const read = (method: string) => app.manage(method, `/customers/${customerId}`);
  const [head, get] = [await read("HEAD"), await read("GET")];
  expect(head).toMatchObject({ status: 200, body: "" });
  for (const name of ["ETag", "Content-Type", "Content-Length"])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  expect(await app.api("HEAD", "/checkouts/chk_1")).toMatchObject({ status: 404, body: "" });
});

describe("several base paths", () => {
  test("serve the same operations", async () => {
    const other = caller(`${app.url}/billing/public/v2`, app.keys.public);
    const found = await other("GET", `/benefit-grants?customerId=${customerId}`);
    expect(found).toMatchObject({ status: 200, body: { data: [], nextCursor: null } });
    expect((await other("DELETE", "/customers")).headers.get("Allow")).toBe("POST, OPTIONS");
    expect((await fetch(`${app.url}/billing/public/v2/openapi.json`)).status).toBe(200);
    expect((await fetch(`${app.url}/billing/healthz`)).status).toBe(404);
  });

  test("are one place to an Idempotency-Key", async () => {
    const other = caller(`${app.url}/billing/public/v2`, app.keys.public);
    const body = { email: "twice@example.com" };
    const first = await app.api("POST", "/customers", body, { "Idempotency-Key": "k1" });
    const again = await other("POST", "/customers", body, { "Idempotency-Key": '"k1"' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(first.headers.get("Idempotency-Replayed")).toBe(null);
  });
});

test.each([
  ["GET", "/public/v2/benefit-grants", "public"],
  ["GET", "/public/v2/nothing", "public"],
  ["GET", "/public/v2/benefit-grants", "none"],
  ["PUT", "/public/v2/benefit-grants", "none"],
  ["GET", "/healthz", "none"],
  ["GET", "/docs", "none"],
])("%s %s (key: %s) carries the headers of every answer", async (method, path, key) => {
  const authorization = key === "public" ? { Authorization: `Bearer ${app.keys.public}` } : {};
  const { headers } = await fetch(app.url + path, { method, headers: { ...authorization } });
  expect(headers.get("Request-Id")).toMatch(/^req_[0-9a-z]{26}$/);
  expect(headers.get("Billow-Version")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'/);
  expect(headers.get("Billow-Clock")).toBe(null);
});

test.each([
  ["GET", "/public/v2/benefit-grants", "public", "key"],
  ["GET", "/public/v2/benefit-grants", "none", "address"],
  ["PUT", "/public/v2/benefit-grants", "none", "address"],
  ["GET", "/public/v2/nothing", "public", null],
  ["GET", "/healthz", "none", null],
  ["GET", "/docs", "none", null],
])("%s %s (key: %s) tells the rest of the limit by %s", async (method, path, key, by) => {
  const authorization = key === "public" ? { Authorization: `Bearer ${app.keys.public}` } : {};
  const { headers } = await fetch(app.url + path, { method, headers: authorization });
  const limits = ["RateLimit-Policy", "RateLimit"].map((name) => headers.get(name)?.replace(/r=\d+/, "r=1"));
  expect(limits).toEqual(by === null ? [undefined, undefined] : [`"${by}";q=2000;w=2`, `"${by}";r=1;t=1`]);
});

test("Billow-Clock shows the clock that was set, from the very answer that sets it", async () => {
  const { keys } = await app.otherOrganization();
  const [api, manage] = [caller(`${app.url}/public/v2`, keys.public), caller(`${app.url}/manage/v1`, keys.manage)];
  expect((await api("GET", "/benefit-grants?externalCustomerId=x")).headers.get("Billow-Clock")).toBe(null);
  const set = await manage("PUT", "/sandbox/clock", { now: "2027-01-31T00:00:00Z" });
  expect(set.headers.get("Billow-Clock")).toBe("2027-01-31T00:00:00.000Z");
  expect((await api("GET", "/benefit-grants?externalCustomerId=x")).headers.get("Billow-Clock")).toBe(
    "2027-01-31T00:00:00.000Z",
  );
  expect((await api("GET", "/nothing")).headers.get("Billow-Clock")).toBe(null);
});

test("the sandbox is not there in a live Organization", async () => {
  const { keys } = await app.otherOrganization({ mode: "live" });
  const answer = await caller(`${app.url}/manage/v1`, keys.manage)("GET", "/sandbox/clock");
  expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
});
