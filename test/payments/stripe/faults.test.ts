import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clientOf } from "./client.ts";
import type { FaultKind } from "./faults.ts";
import { startStripe, type StripeServer } from "./server.ts";

let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;

beforeEach(async () => {
  stripe = await startStripe();
  send = clientOf(stripe);
});
afterEach(() => stripe.close());

const PAY = "POST /v1/payment_intents";
const PARAMS = {
  amount: 1900,
  currency: "eur",
  payment_method: "pm_card_visa",
  confirm: true,
  payment_method_types: ["card"],
};
const HOW = { idempotencyKey: "k" };

// `done`: the charges after the fault. `again`: the status of the same request, sent once more.
test.each<[FaultKind, { status: number | null; done: 0 | 1; again: number }]>([
  ["before", { status: null, done: 0, again: 200 }],
  ["after", { status: null, done: 1, again: 200 }],
  ["cut", { status: null, done: 1, again: 200 }],
  ["500", { status: 500, done: 0, again: 500 }],
  ["500 done", { status: 500, done: 1, again: 500 }],
  ["502", { status: 502, done: 0, again: 200 }],
  ["429", { status: 429, done: 0, again: 200 }],
  ["lock", { status: 429, done: 0, again: 200 }],
  ["lock 409", { status: 409, done: 0, again: 200 }],
  ["401", { status: 401, done: 0, again: 200 }],
  ["403", { status: 403, done: 0, again: 200 }],
])("the fault %s strikes one request", async (kind, { status, done, again }) => {
  const fault = stripe.fault(PAY, kind);
  // A body of HTML or of half an answer is no JSON: the client throws.
  const first = await send(PAY, PARAMS, HOW).catch(() => null);
  await fault.struck;
  if (first !== null) expect(first.status).toBe(status);
  else expect([null, 502]).toContain(status);
  expect(stripe.book.charges.size).toBe(done);

  const second = await send(PAY, PARAMS, HOW);
  expect(second.status).toBe(again);
  expect(stripe.book.charges.size).toBe(again === 200 ? 1 : done);
  expect(fault.count()).toBe(1);
  // Under another key the request is another one.
  expect((await send(PAY, PARAMS, { idempotencyKey: "other" })).status).toBe(200);
});

describe("a slow request", () => {
  test("holds its Idempotency-Key until it is carried out", async () => {
    const fault = stripe.fault(PAY, "slow");
    const slow = send(PAY, PARAMS, HOW);
    await fault.struck;
    const early = await send(PAY, PARAMS, HOW);
    expect(early).toMatchObject({ status: 409, body: { error: { code: "idempotency_key_in_use" } } });
    expect(stripe.book.charges.size).toBe(0);
    fault.release();
    const { status, body } = await slow;
    expect(status).toBe(200);
    expect((await send(PAY, PARAMS, HOW)).body["id"]).toBe(body["id"]);
    expect(stripe.book.charges.size).toBe(1);
  });

  test("is carried out even if its sender has given up", async () => {
    const fault = stripe.fault(PAY, "slow");
    const deadline = new AbortController();
    const given = fetch(`${stripe.url}/v1/payment_intents`, {
      method: "POST",
      body: new URLSearchParams({ amount: "1900", currency: "eur" }),
      headers: { authorization: `Bearer ${stripe.key}`, "stripe-version": "2026-08-26.dahlia" },
      signal: deadline.signal,
    });
    await fault.struck;
    deadline.abort();
    await expect(given).rejects.toThrow();
    fault.release();
    await expect.poll(() => stripe.book.paymentIntents.size).toBe(1);
  });

  test("can be slow after it was carried out", async () => {
    const fault = stripe.fault(PAY, "slow done");
    const slow = send(PAY, PARAMS, HOW);
    await expect.poll(() => stripe.book.charges.size).toBe(1);
    fault.release();
    expect((await slow).status).toBe(200);
  });
});

test("a fault chooses its requests by path or by a function, and can last", async () => {
  const id = String((await send(PAY, { ...PARAMS, confirm: false })).body["id"]);
  const confirm = stripe.fault("POST /v1/payment_intents/:id/confirm", "429", 2);
  const refund = stripe.fault(({ body }) => body.includes(id), "lock");
  expect((await send(`GET /v1/payment_intents/${id}`)).status).toBe(200);
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await send(`POST /v1/payment_intents/${id}/confirm`)).status);
  expect(statuses).toEqual([429, 429, 200]);
  expect(confirm.count()).toBe(2);
  expect((await send("POST /v1/refunds", { payment_intent: id })).status).toBe(429);
  expect(refund.count()).toBe(1);

  stripe.fault("GET /v1/events*", "401", Infinity);
  expect((await send("GET /v1/events")).status).toBe(401);
  stripe.clearFaults();
  expect((await send("GET /v1/events")).status).toBe(200);
});
