import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
let path: string;
let etag: string;
beforeAll(async () => {
  app = await startTestApp();
  const product = await app.manage("POST", "/products", {
    name: "Pro",
    interval: "month",
    prices: [{ currency: "usd", amount: 1000 }],
  });
  path = `/products/${product.body.id}`;
  etag = (await app.manage("GET", path)).headers.get("ETag") ?? "";
});
afterAll(() => app.close());

const OTHER = '"other"';

test("a resource has a strong ETag", () => expect(etag).toMatch(/^"[^"]+"$/));

test.each([
  // If-None-Match             status
  [() => etag, 304],
  [() => `W/${etag}`, 304],
  [() => `${OTHER}, ${etag}`, 304],
  [() => "*", 304],
  [() => OTHER, 200],
  [() => etag.slice(1, -1), 200],
  [() => "", 200],
])("GET with If-None-Match %s: %i", async (header, status) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await app.manage(method, path, undefined, { "If-None-Match": header() });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("ETag")).toBe(etag);
    if (status === 304) expect(answer).toMatchObject({ body: "" });
  }
});

test.each([
  // If-Match                  status
  [() => etag, 200],
  [() => `${OTHER}, ${etag}`, 200],
  [() => "*", 200],
  [() => `W/${etag}`, 412],
  [() => OTHER, 412],
  [() => "garbage", 412],
])("PATCH and GET with If-Match %s: %i", async (header, status) => {
  const patched = await app.manage("PATCH", path, { name: "Pro" }, { "If-Match": header() });
  expect(patched.status).toBe(status);
  if (status === 412) expect(patched.body.code).toBe("precondition_failed");
  expect((await app.manage("GET", path, undefined, { "If-Match": header() })).status).toBe(status);
});

test("the ETag of before a change is stale after it", async () => {
  const changed = await app.manage("PATCH", path, { name: "Pro 2" }, { "If-Match": etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("ETag")).not.toBe(etag);
  expect((await app.manage("PATCH", path, { name: "Pro 3" }, { "If-Match": etag })).status).toBe(412);
  expect((await app.manage("GET", path)).body.name).toBe("Pro 2");
  etag = changed.headers.get("ETag") ?? "";
});

test("a missing resource is not found under any condition", async () => {
  const missing = `/products/prd_${"0".repeat(26)}`;
  expect((await app.manage("GET", missing, undefined, { "If-None-Match": "*" })).status).toBe(404);
  expect((await app.manage("PATCH", missing, { name: "x" }, { "If-Match": "*" })).status).toBe(404);
});
