import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";

// Unknown codes, metals, funds, testing codes, and texts that are not codes at all.
const REFUSED = [
  "zzz",
  "xau",
  "xag",
  "xdr",
  "xts",
  "xxx",
  "che",
  "dem",
  "",
  " ",
  "us",
  "usdd",
  "us1",
  "💶",
  "__proto__",
  "constructor",
];
const ODD = [null, 7, {}, ["usd"], true];

let app: TestApp;
let productId: string;
let customerId: string;

beforeAll(async () => {
  app = await startTestApp();
  const product = await app.manage("POST", "/products", {
    name: "Pro",
    interval: "month",
    prices: [{ currency: "usd", amount: 1000 }],
  });
  const customer = await app.api("POST", "/customers", { email: "ada@example.com" });
  [productId, customerId] = [product.body.id, customer.body.id];
});
afterAll(() => app.close());

type Taker = { what: string; pointer: string; ask(currency: unknown): ReturnType<TestApp["manage"]> };

const prices = (currency: unknown) => [{ currency, amount: 1000 }];
const TAKERS: Taker[] = [
  {
    what: "a new Product",
    pointer: "/prices/0/currency",
    ask: (currency) => app.manage("POST", "/products", { name: "Pro", interval: "month", prices: prices(currency) }),
  },
  {
    what: "the prices of a Product",
    pointer: "/prices/0/currency",
    ask: (currency) => app.manage("PATCH", `/products/${productId}`, { prices: prices(currency) }),
  },
  {
    what: "a fixed Discount",
    pointer: "/currency",
    ask: (currency) =>
      app.manage("POST", "/discounts", { code: "OFF", type: "fixed", amount: 100, currency, duration: "once" }),
  },
  {
    what: "an adjustment of a balance",
    pointer: "/currency",
    ask: (currency) =>
      app.manage("POST", `/customers/${customerId}/balance-adjustments`, { currency, amount: 100, reason: "Gift" }),
  },
  {
    what: "a Subscription by hand",
    pointer: "/currency",
    ask: (currency) => app.manage("POST", "/subscriptions", { customerId, productId, currency, amount: 100 }),
  },
  {
    what: "a Checkout",
    pointer: "/currency",
    ask: (currency) => app.api("POST", "/checkouts", { productId, currency }),
  },
  {
    what: "the settings of the Organization",
    pointer: "/defaultCurrency",
    ask: (currency) => app.manage("PATCH", "/organization", { defaultCurrency: currency }),
  },
];

describe.each(TAKERS)("$what", ({ pointer, ask }) => {
  it.each(REFUSED)("refuses the currency %j", async (currency) => {
    const { status, body } = await ask(currency);
    expect([status, body.code]).toEqual([422, "validation_failed"]);
    expect(body.errors).toEqual([
      { in: "body", pointer, code: "invalid_currency", message: expect.stringContaining("such as usd") },
    ]);
  });

  it("never answers 500 to a value that is no text", async () => {
    for (const odd of ODD) expect((await ask(odd)).status).toBeLessThan(500);
  });
});

it("refuses each of several currencies at its own place, beside other faults", async () => {
  const several = ["usd", "zzz", "eur", "zzz"].map((currency) => ({ currency, amount: 1 }));
  const { status, body } = await app.manage("POST", "/products", { name: "Pro", interval: "month", prices: several });
  expect(status).toBe(422);
  const found = body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  expect(found.toSorted()).toEqual([
    "/prices/0/amount below_minimum_charge",
    "/prices/1/currency invalid_currency",
    "/prices/2/amount below_minimum_charge",
    "/prices/3/currency duplicate_currency",
    "/prices/3/currency invalid_currency",
  ]);
});

it.each([
  [{ currency: "usd", amount: 19.99 }, "such as 1999 cents for 19.99 usd"],
  [{ currency: "usd", amount: "20.00" }, "must be a whole number in the currency's minor unit"],
  [{ currency: "usd" }, "This is missing: it must be a whole number in the currency's minor unit"],
  [{ currency: "usd", amount: 20 }, "A price in usd is 0 or at least 50, which is US$0.50."],
  [{ currency: "jpy", amount: 20 }, "A price in jpy is 0 or at least 50, which is JP¥50."],
])("says the unit of the amount in %j", async (price, says) => {
  const { status, body } = await app.manage("POST", "/products", { name: "Pro", interval: "month", prices: [price] });
  expect([status, body.errors.length, body.errors[0].pointer]).toEqual([422, 1, "/prices/0/amount"]);
  expect(body.errors[0].message).toContain(says);
});

it("takes a currency in upper case, and one without or with three decimals", async () => {
  for (const [currency, code] of [
    ["EUR", "eur"],
    [" jpy ", "jpy"],
    ["kwd", "kwd"],
    ["CLF", "clf"],
  ]) {
    const made = await app.manage("POST", "/products", {
      name: "Pro",
      interval: "month",
      prices: [{ currency, amount: 10_000 }],
    });
    expect(made).toMatchObject({ status: 201, body: { prices: [{ currency: code, amount: 10_000 }] } });
  }
});

it("refuses to filter by a currency that does not exist", async () => {
  for (const currency of REFUSED) {
    const path = `/customers/${customerId}/balance-entries?currency=${encodeURIComponent(currency)}`;
    expect(await app.manage("GET", path)).toMatchObject({
      status: 422,
      body: { errors: [{ in: "query", pointer: "currency" }] },
    });
  }
});
