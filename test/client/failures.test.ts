import { ApiError, BillowError, ConnectionError, PaymentError, ValidationError } from "@billow/client";
import { beforeEach, expect, test, vi } from "vitest";
import {
  brokenBody,
  empty,
  html,
  json,
  ok,
  problem,
  rejection,
  reset,
  silence,
  slowBody,
  startServer,
} from "./server.ts";
import type { Reply } from "./server.ts";

/** Full jitter comes to 0: retries follow at once, unless the server asks to wait. */
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

const created = json(201, { id: "cus_1" });

test.each<[string, Reply]>([
  ["a reset before the answer", reset],
  ["a reset in the middle of the body", brokenBody(201)],
  ["a success that is not JSON", html(200)],
  ["500 with HTML", html(500)],
  ["500 that breaks off", brokenBody(500)],
  ["502 without a body", empty(502)],
  ["503 with a problem", problem(503, "unavailable", {}, { "Retry-After": "0" })],
  ["429", problem(429, "rate_limited", {}, { "Retry-After": "0" })],
  ["409 while the first attempt still runs", problem(409, "idempotency_in_progress", {}, { "Retry-After": "0" })],
])("%s is retried under one Idempotency-Key", async (_failure, reply) => {
  await using server = await startServer(reply, reply, reply, created);
  expect(await server.client().customers.create({ email: "ada@example.com" })).toEqual({ id: "cus_1" });
  expect(server.requests).toHaveLength(4);
  expect(new Set(server.idempotencyKeys()).size).toBe(1);
  expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
});

test.each<[string, Reply]>([
  ["no answer", silence],
  ["a body that never ends", slowBody(200)],
])("%s ends with the time-out and is retried", async (_failure, reply) => {
  await using server = await startServer(reply, created);
  expect(await server.client({ timeoutMs: 500 }).customers.create({ email: "ada@example.com" })).toEqual({
    id: "cus_1",
  });
  expect(new Set(server.idempotencyKeys()).size).toBe(1);
});

test.each<[string, Reply, typeof BillowError, object]>([
  ["reset", reset, ConnectionError, { status: undefined, code: undefined, problem: undefined }],
  [
    "HTML",
    html(500),
    ApiError,
    { status: 500, code: undefined, requestId: "req_html", message: "The server answered 500" },
  ],
  ["empty", empty(502), ApiError, { status: 502, requestId: undefined }],
  [
    "problem",
    problem(503, "unavailable"),
    ApiError,
    { code: "unavailable", requestId: "req_1", message: "unavailable: About unavailable." },
  ],
])("after maxAttempts the last failure is thrown: %s", async (_failure, reply, ErrorClass, facts) => {
  await using server = await startServer(reply);
  const error = await rejection(server.client({ maxAttempts: 3 }).checkouts.get("chk_1"));
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error).toMatchObject(facts);
  expect(server.requests).toHaveLength(3);
});

const errors = [{ in: "body", pointer: "/email", code: "invalid_email", message: "Not an e-mail address." }];
const payment = { declineCode: "insufficient_funds", checkoutId: "chk_1", url: "https://billing.test/checkout/chk_1" };

test.each<[string, Reply, typeof BillowError, object]>([
  [
    "422",
    problem(422, "validation_failed", { errors }),
    ValidationError,
    { status: 422, code: "validation_failed", errors },
  ],
  ["422 with HTML", html(422), ValidationError, { status: 422, errors: [], code: undefined }],
  ["422 that breaks off", brokenBody(422), ValidationError, { status: 422, errors: [] }],
  [
    "422 without errors",
    problem(422, "idempotency_key_reused"),
    ValidationError,
    { code: "idempotency_key_reused", errors: [] },
  ],
  ["402", problem(402, "payment_failed", payment), PaymentError, { status: 402, code: "payment_failed", ...payment }],
  [
    "402 without a body",
    empty(402),
    PaymentError,
    { status: 402, declineCode: undefined, checkoutId: undefined, url: undefined },
  ],
  ["400", problem(400, "malformed_json"), ApiError, { status: 400 }],
  ["403", problem(403, "insufficient_scope"), ApiError, { status: 403, code: "insufficient_scope" }],
  ["404 with HTML", html(404), ApiError, { status: 404, requestId: "req_html" }],
  [
    "409",
    problem(409, "customer_exists", { customerId: "cus_1" }),
    ApiError,
    { status: 409, problem: { customerId: "cus_1" } },
  ],
  ["409 with HTML", html(409), ApiError, { status: 409, code: undefined }],
  ["412", problem(412, "precondition_failed"), ApiError, { status: 412 }],
  [
    "418 with a code of a newer server",
    json(418, { code: "is_a_teapot" }),
    ApiError,
    { status: 418, code: "is_a_teapot" },
  ],
  ["JSON that is no object", json(404, null), ApiError, { status: 404, problem: undefined }],
  ["a redirect", empty(302, { Location: "/elsewhere" }), ApiError, { status: 302 }],
])("%s is thrown at once, never retried", async (_failure, reply, ErrorClass, facts) => {
  await using server = await startServer(reply, ok);
  const billow = server.client();
  const error = await rejection(billow.subscriptions.update("sub_1", { productKey: "team" }));
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error).toBeInstanceOf(BillowError);
  expect(error).toMatchObject(facts);
  expect(server.requests).toHaveLength(1);
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
});

test("an error with a body that never ends has the class of its status", async () => {
  await using server = await startServer(slowBody(422));
  const error = await rejection(server.client({ timeoutMs: 500 }).customers.create({ email: "" }));
  expect(error).toBeInstanceOf(ValidationError);
  expect(server.requests).toHaveLength(1);
});

test.each<[string, Reply]>([
  ["no answer yet", silence],
  ["a body on its way", slowBody(200)],
  ["a wait for the next attempt", problem(503, "unavailable", {}, { "Retry-After": "60" })],
])("a signal ends the call at once: %s", async (_moment, reply) => {
  const stop = new AbortController();
  const reason = new Error("enough");
  await using server = await startServer((response, request) => {
    reply(response, request);
    setImmediate(() => stop.abort(reason));
  });
  expect(await rejection(server.client().customers.create({ email: "ada@example.com" }, { signal: stop.signal }))).toBe(
    reason,
  );
  expect(server.requests).toHaveLength(1);
});

test("a signal that is aborted already sends nothing", async () => {
  await using server = await startServer(ok);
  expect(await rejection(server.client().checkouts.get("chk_1", { signal: AbortSignal.abort() }))).toMatchObject({
    name: "AbortError",
  });
  expect(server.requests).toHaveLength(0);
});

test("no error tells the key", async () => {
  await using server = await startServer(reset);
  const error = await rejection(server.client({ apiKey: "blw_test_secret", maxAttempts: 1 }).checkouts.get("chk_1"));
  for (let cause = error; cause instanceof Error; cause = cause.cause) expect(`${cause.stack}`).not.toContain("secret");
});

const emailFault = { in: "body", pointer: "/customer/email", code: "invalid_email", message: "This is no e-mail." };
const countryFault = { in: "body", pointer: "/country", code: "unknown_country", message: "There is no such country." };

test.each([
  ["a fault in the detail", { detail: "/customer/email: This is no e-mail.", errors: [emailFault] }, ""],
  [
    "a fault beside the detail",
    { detail: "/customer/email: This is no e-mail.", errors: [emailFault, countryFault] },
    "\n  /country: There is no such country.",
  ],
  ["no list of faults", { detail: "/customer/email: This is no e-mail.", errors: "?" }, ""],
])("the message has the code, the detail and each field once: %s", async (_, members, more) => {
  await using server = await startServer(problem(422, "validation_failed", members));
  expect(await rejection(server.client().customers.create({ email: "ada" }))).toMatchObject({
    message: `validation_failed: /customer/email: This is no e-mail.${more}`,
  });
});
