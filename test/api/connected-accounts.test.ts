import { afterAll, beforeAll, expect, test } from "vitest";
import { connectAccount } from "../../src/actions/payment/connect.ts";
import { formatMoney } from "../../src/domain/currency.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { ok } from "../support/story.ts";
import { createToyBank, useConnectables, type ToyBank } from "../support/toy-bank.ts";

let app: TestApp;
let bank: ToyBank;
beforeAll(async () => {
  app = await startTestApp();
  bank = createToyBank();
  useConnectables(app.ctx, bank.connectable);
});
afterAll(() => app.close());

test("prices that the connected provider can't charge are refused when a Product is saved", async () => {
  const product = (amount: number, currency = "usd") => ({
    name: "X",
    interval: "month",
    prices: [{ currency, amount }],
  });
  await ok(app.manage("POST", "/products", { key: "pro", ...product(3000) }));
  const { key } = bank.account("acct_1");
  const connected = await connectAccount(app.ctx, bank.connectable, app.organization, { key, variable: null });
  expect(connected).toMatchObject({ notices: "private" });
  bank.limits = (currency) => (currency === "kwd" ? { least: 100, most: 99_990, step: 10 } : null);
  const faultOf = async (body: object) => (await app.manage("POST", "/products", body)).body.errors;
  const at = { in: "body", pointer: "/prices/0/amount", code: "not_chargeable" };
  expect(await faultOf(product(3000))).toEqual([
    { ...at, message: "The payment provider does not take this currency." },
  ]);
  expect(await faultOf(product(1001, "kwd"))).toEqual([
    { ...at, message: `The payment provider takes multiples of ${formatMoney(10, "kwd")}.` },
  ]);
  expect(await faultOf(product(500, "kwd"))).toBeUndefined();
  expect(await faultOf(product(100_000, "kwd"))).toEqual([
    { ...at, message: `The payment provider's largest amount is ${formatMoney(99_990, "kwd")}.` },
  ]);
  const { id } = await ok(app.manage("POST", "/products", product(1000, "kwd")));
  const change = await app.manage("PATCH", `/products/${id}`, { prices: [{ currency: "kwd", amount: 1005 }] });
  expect(change).toMatchObject({ status: 422, body: { code: "validation_failed", errors: [at] } });
  // The limits belong to the provider, so they count while no key can be read.
  const { connected: open } = app.ctx.payments;
  Object.assign(app.ctx.payments, { connected: async () => null });
  expect(await faultOf(product(1001, "kwd"))).toMatchObject([at]);
  Object.assign(app.ctx.payments, { connected: open });
  // A free price is never charged, and the name of an older Product can still be changed.
  await ok(app.manage("POST", "/products", product(0)));
  const [older] = (await ok(app.manage("GET", "/products?key=pro"))).data;
  await ok(app.manage("PATCH", `/products/${older.id}`, { name: "Pro, renamed" }));
});

test("a price of several units is refused by the totals that it is sold at (rule M5c)", async () => {
  bank.limits = () => ({ least: 600, most: 99_990, step: 10 });
  const faultOf = async (amount: number, quantity: object) => {
    const sold = { name: "X", interval: "month", quantity, prices: [{ currency: "kwd", amount }] };
    const { status, body } = await app.manage("POST", "/products", sold);
    return status === 201 ? null : body.errors[0].message;
  };
  const step = `The payment provider takes multiples of ${formatMoney(10, "kwd")}.`;
  const least = `The payment provider's least amount is ${formatMoney(600, "kwd")}.`;
  expect(await faultOf(1005, { minimum: 2, maximum: 2 })).toBeNull();
  expect(await faultOf(1005, { minimum: 2, maximum: 3 })).toBe(step);
  expect(await faultOf(1010, { minimum: 2, maximum: 3 })).toBeNull();
  expect(await faultOf(550, { minimum: 1 })).toBe(least);
  expect(await faultOf(550, { minimum: 2 })).toBeNull();
  const { id } = await ok(app.manage("GET", "/products?limit=1")).then(({ data }) => data[0]);
  const change = await app.manage("PATCH", `/products/${id}`, { quantity: { minimum: 1 } });
  expect(change).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: "/quantity/minimum", code: "not_chargeable" }] },
  });
});

test("a manage key can neither connect an account nor choose one", async () => {
  for (const path of ["/payment-accounts", "/organization/payment-account", "/payments/stripe/connect"])
    expect((await app.manage("POST", path, {})).status).toBe(404);
  for (const choice of [{ provider: "toy" }, { providerAccount: "acct_1" }])
    expect(await app.manage("PATCH", "/organization", choice)).toMatchObject({ status: 422 });
});
