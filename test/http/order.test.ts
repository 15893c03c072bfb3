import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { lines, sendRaw } from "./raw-request.ts";

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  key = app.keys.public;
});
afterAll(() => app.close());

const subscription = `/subscriptions/${newId("sub")}`;

/** The first request has every fault. Each row mends one more, in the order of the checks. */
type Mended = {
  path?: string;
  method?: string;
  key?: "manage" | "public";
  accept?: string;
  type?: string;
  body?: string;
};
const steps: [mended: Mended, status: number, code: string][] = [
  [{}, 404, "not_found"],
  [{ path: subscription }, 405, "method_not_allowed"],
  [{ method: "PATCH" }, 401, "api_key_missing"],
  [{ key: "manage" }, 403, "insufficient_scope"],
  [{ key: "public" }, 406, "not_acceptable"],
  [{ accept: "application/json" }, 415, "unsupported_media_type"],
  [{ type: "application/json" }, 413, "body_too_large"],
  [{ body: "{" }, 400, "malformed_json"],
  [{ body: "{}" }, 422, "validation_failed"],
  [{ body: '{"cancelAtPeriodEnd":true}' }, 404, "not_found"],
];

describe("of all that is wrong the first check tells", () => {
  const cases = steps.map(([, status, code], n) => {
    const worst = {
      path: "/nothing",
      method: "PUT",
      accept: "text/html",
      type: "text/plain",
      body: "x".repeat(70_000),
    };
    return {
      request: Object.assign({}, worst, ...steps.slice(0, n + 1).map(([mended]) => mended)) as Required<Mended>,
      status,
      code,
    };
  });
  test.each(cases)("$status $code", async ({ request, status, code }) => {
    const answer = await fetch(`${app.url}/public/v2${request.path}`, {
      method: request.method,
      body: request.body,
      headers: {
        Accept: request.accept,
        "Content-Type": request.type,
        ...(request.key && { Authorization: `Bearer ${app.keys[request.key]}` }),
      },
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ status, code });
  });
});

test("an Idempotency-Key is looked at before the resource", async () => {
  const answer = await app.api("PATCH", subscription, { cancelAtPeriodEnd: true }, { "Idempotency-Key": "ü" });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ in: "header", pointer: "Idempotency-Key" }] } });
});

describe("limits of HTTP", () => {
  test.each([
    ["a long URL", `GET /public/v2/customers?q=${"x".repeat(9_000)} HTTP/1.1`, "X: y", 414, "uri_too_long"],
    [
      "a URL beyond every bound",
      `GET /public/v2/customers?q=${"x".repeat(20_000)} HTTP/1.1`,
      "X: y",
      414,
      "uri_too_long",
    ],
    ["long headers", "GET /public/v2/customers HTTP/1.1", `X: ${"y".repeat(17_000)}`, 431, "headers_too_large"],
    ["no such method", "BREW /coffee HTTP/1.1", "X: y", 400, "malformed_request"],
    ["garbage", "\u0001\u0002", "X: y", 400, "malformed_request"],
    [
      "two lengths",
      "POST /public/v2/customers HTTP/1.1",
      "Content-Length: 1\r\nTransfer-Encoding: chunked",
      400,
      "malformed_request",
    ],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1", "X: y", 405, "method_not_allowed"],
  ])("%s", async (_name, first, header, status, code) => {
    const answer = await sendRaw(app.url, lines(first, "Host: localhost", header));
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "application/problem+json",
      "request-id": answer.body.requestId,
    });
    expect(answer.body).toMatchObject({ status, code });
  });

  test("a request without Host, or with two", async () => {
    expect(await sendRaw(app.url, lines("GET /healthz HTTP/1.1", "Host: x", "Host: y"))).toMatchObject({ status: 400 });
    const none = await sendRaw(app.url, lines("GET /public/v2/customers HTTP/1.1"));
    expect(none).toMatchObject({ status: 400, body: { code: "malformed_request" } });
    expect(await sendRaw(app.url, lines("GET /healthz HTTP/1.0"))).toMatchObject({ status: 200 });
  });

  test("a URL with its origin", async () => {
    const first = `GET http://elsewhere/public/v2${subscription} HTTP/1.1`;
    const answer = await sendRaw(app.url, lines(first, "Host: x", `Authorization: Bearer ${key}`));
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });
});
