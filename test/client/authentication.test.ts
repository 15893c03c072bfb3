import { ApiError, AuthenticationError } from "@billow/client";
import { expect, test } from "vitest";
import { html, json, ok, problem, rejection, slowBody, startServer } from "./server.ts";
import type { Reply } from "./server.ts";

const refused = problem(401, "api_key_revoked");
const waitAMinute = problem(503, "unavailable", {}, { "Retry-After": "60" });

/** Accepts one key and refuses all others. */
function accepting(key: string): Reply {
  return (response, request) => (request.headers.authorization === `Bearer ${key}` ? ok : refused)(response, request);
}

/** A reply that waits for `release`. `arrived` resolves once the request has arrived. */
function held(reply: Reply) {
  const gate = Promise.withResolvers<void>();
  const arrival = Promise.withResolvers<void>();
  const heldReply: Reply = (response, request) => {
    arrival.resolve();
    void gate.promise.then(() => reply(response, request));
  };
  return { reply: heldReply, release: gate.resolve, arrived: arrival.promise };
}

test("a refused key is not retried, and later calls fail without a request", async () => {
  await using server = await startServer(refused);
  const billow = server.client();
  const error = await rejection(billow.checkouts.get("chk_1"));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({
    name: "AuthenticationError",
    status: 401,
    code: "api_key_revoked",
    requestId: "req_1",
    message: `api_key_revoked: About api_key_revoked. The key was sent to ${server.origin}.`,
  });
  await expect(billow.checkouts.get("chk_1")).rejects.toMatchObject({ status: 401, code: "api_key_revoked" });
  await expect(billow.customers.create({ email: "ada@example.com" })).rejects.toBeInstanceOf(AuthenticationError);
  await expect(billow.features({ customerId: "cus_1" })).rejects.toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(1);
});

test("a 401 with HTML stops the client as well", async () => {
  await using server = await startServer(html(401), ok);
  const billow = server.client();
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(1);
});

test("a 401 abandons the waiting retries of parallel calls, before its body has come", async () => {
  await using server = await startServer((response, request) =>
    (request.url.endsWith("refused") ? slowBody(401) : waitAMinute)(response, request),
  );
  const billow = server.client();
  const waiting = Array.from({ length: 12 }, (_, n) =>
    rejection(billow.customers.create({ email: `${n}@example.com` })),
  );
  const stop = new AbortController();
  const slow = rejection(billow.checkouts.get("refused", { signal: stop.signal }));
  for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(AuthenticationError);
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(13);
  stop.abort();
  await slow;
});

test("a call that fails after the client stopped does not wait for another attempt", async () => {
  const late = held(waitAMinute);
  await using server = await startServer(late.reply, refused);
  const billow = server.client();
  const first = rejection(billow.checkouts.get("chk_1"));
  await late.arrived;
  await expect(billow.checkouts.get("chk_2")).rejects.toBeInstanceOf(AuthenticationError);
  late.release();
  expect(await first).toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(2);
});

test("an answer that is under way when the client stops is still given", async () => {
  const late = held(json(201, { id: "cus_1" }));
  await using server = await startServer(late.reply, refused);
  const billow = server.client();
  const first = billow.customers.create({ email: "ada@example.com" });
  await late.arrived;
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  late.release();
  expect(await first).toEqual({ id: "cus_1" });
});

test("another key starts the client again, the same one does not", async () => {
  await using server = await startServer(accepting("blw_test_2"));
  const billow = server.client();
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  billow.setApiKey("blw_test_1");
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(1);
  billow.setApiKey("blw_test_2");
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
  billow.setApiKey(async () => "blw_test_1");
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(2);
});

test.each([
  ["at once", (key: string) => key],
  ["later", async (key: string) => key],
])("a function that returns another key %s starts the client again", async (_when, give) => {
  let key = "blw_test_1";
  await using server = await startServer(accepting("blw_test_2"));
  const billow = server.client({ apiKey: () => give(key) });
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(AuthenticationError);
  expect(server.requests).toHaveLength(1);
  key = "blw_test_2";
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
});

test("a retry uses the key of its moment", async () => {
  const keys = ["blw_test_1", "blw_test_2"];
  await using server = await startServer(problem(503, "unavailable"), ok);
  const billow = server.client({ apiKey: () => keys.shift() ?? "none" });
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer blw_test_1",
    "Bearer blw_test_2",
  ]);
});

test("403 does not stop the client", async () => {
  await using server = await startServer(problem(403, "insufficient_scope"), ok);
  const billow = server.client();
  await expect(billow.checkouts.get("chk_1")).rejects.toBeInstanceOf(ApiError);
  expect(await billow.checkouts.get("chk_1")).toEqual({ id: "found" });
});

test("an error of the key function is the call's error, and a signal ends the wait for it", async () => {
  await using server = await startServer(ok);
  const lost = new Error("vault is sealed");
  expect(await rejection(server.client({ apiKey: () => Promise.reject(lost) }).checkouts.get("chk_1"))).toBe(lost);
  await expect(server.client({ apiKey: () => "" }).checkouts.get("chk_1")).rejects.toThrow(/apiKey/);
  const stop = new AbortController();
  const stuck = rejection(
    server.client({ apiKey: () => new Promise(() => {}) }).checkouts.get("chk_1", { signal: stop.signal }),
  );
  stop.abort();
  expect(await stuck).toMatchObject({ name: "AbortError" });
  expect(server.requests).toHaveLength(0);
});
