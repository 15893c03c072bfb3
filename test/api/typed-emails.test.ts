import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_FAILED_ATTEMPTS } from "../../src/domain/model/checkout.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { get, post } from "../support/pages.ts";

// The facts that a Checkout's page tells about the owner of a typed e-mail address.
const CARD = { number: "4242424242424242", expiry: "12 / 40", cvc: "987" };
let app: TestApp;

async function checkout(params: object): Promise<Json> {
  const { status, body } = await app.api("POST", "/checkouts", params);
  expect(status).toBe(201);
  return body;
}

const read = async (id: string) => (await app.api("GET", `/checkouts/${id}`)).body;

const subscriber = { email: "subscriber@example.com" };
const OCCUPIED = "The plan belongs to this e-mail address.";
const USED = "The 14-day free trial has already been used";
const LOOK = "Please check the amount again";
const FULL = "Too many failed attempts";

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  for (const [key, more] of [
    ["tell", {}],
    ["tell-trial", { trialDays: 14 }],
  ] as const) {
    const prices = [{ currency: "usd", amount: 3000 }];
    const product = { key, name: key, interval: "month", group: key, prices, ...more };
    expect(await app.manage("POST", "/products", product)).toMatchObject({ status: 201 });
    const { url } = await checkout({ productKey: key, customer: subscriber });
    expect(await post(url, { ...CARD, expectedAmount: key === "tell" ? "3000" : "0" })).toMatchObject({ status: 303 });
  }
});
afterAll(() => app.close());

test("a page tells nothing without the amount and a card that could pay", async () => {
  for (const [productKey, expectedAmount] of [
    ["tell", "3000"],
    ["tell-trial", "0"],
  ] as const) {
    const { url } = await checkout({ productKey });
    for (const { email } of [subscriber, { email: "nobody@example.com" }]) {
      for (const amount of [{}, { expectedAmount: "1" }]) {
        const { status, text } = await post(url, { ...CARD, email, ...amount });
        expect([status, text.includes(LOOK), text.includes(OCCUPIED), text.includes(USED)]).toEqual([
          409,
          true,
          false,
          false,
        ]);
      }
      const { status, text } = await post(url, { ...CARD, email, number: "", expectedAmount });
      expect([status, text.includes(OCCUPIED)]).toEqual([422, false]);
    }
    // The answers above don't count as failed attempts.
    expect(await post(url, { ...CARD, email: "nobody@example.com", expectedAmount })).toMatchObject({ status: 303 });
  }
});

test("ten times at most, even at once, that there is a subscription", async () => {
  const { url, id } = await checkout({ productKey: "tell" });
  const before = await app.api("GET", `/checkouts/${id}`);
  const fields = { ...CARD, ...subscriber, expectedAmount: "3000" };
  const answers = await Promise.all(Array.from({ length: 25 }, () => post(url, fields)));
  const saying = (said: string) => answers.filter(({ status, text }) => status === 409 && text.includes(said)).length;
  expect([saying(OCCUPIED), saying(FULL)]).toEqual([MAX_FAILED_ATTEMPTS, 25 - MAX_FAILED_ATTEMPTS]);
  expect(await post(url, { ...fields, email: "another@example.com" })).toMatchObject({ status: 409 });
  const after = await app.api("GET", `/checkouts/${id}`);
  expect([after.body, after.headers.get("ETag")]).toEqual([before.body, before.headers.get("ETag")]);
});

test("ten times at most that a trial was used, or that it was not", async () => {
  const buyer = { email: "tried@example.com" };
  const first = await checkout({ productKey: "tell-trial", customer: buyer });
  expect(await post(first.url, { ...CARD, expectedAmount: "0" })).toMatchObject({ status: 303 });
  const { subscriptionId: tried } = await read(first.id);
  expect(await app.manage("POST", `/subscriptions/${tried}/cancel-now`, {})).toMatchObject({ status: 200 });
  const { url } = await checkout({ productKey: "tell-trial" });
  for (let n = 0; n < MAX_FAILED_ATTEMPTS; n += 2) {
    const used = await post(url, { ...CARD, ...buyer, expectedAmount: "0" });
    expect([used.status, used.text.includes(USED)]).toEqual([409, true]);
    const unused = await post(url, { ...CARD, email: "fresh@example.com", trial: "used", expectedAmount: "3000" });
    expect([unused.status, unused.text.includes(LOOK)]).toEqual([409, true]);
  }
  expect((await get(url)).text).toContain(FULL);
  expect(await post(url, { ...CARD, ...buyer, expectedAmount: "3000" })).toMatchObject({ status: 409 });
});

test("the answers of a Checkout that names its Customer are not counted", async () => {
  const { id, url } = await checkout({ productKey: "tell-trial", customer: { email: "named@example.com" } });
  for (let n = 0; n <= MAX_FAILED_ATTEMPTS; n += 1) {
    expect(await post(url, { ...CARD, trial: "used", expectedAmount: "3000" })).toMatchObject({ status: 409 });
  }
  expect(await post(url, { ...CARD, expectedAmount: "0" })).toMatchObject({ status: 303 });
  expect(await read(id)).toMatchObject({ status: "completed" });
});
