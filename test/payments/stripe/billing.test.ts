import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "./client.ts";
import type { JsonObject } from "./json.ts";
import { startStripe, type StripeServer } from "./server.ts";

// Stripe Billing on the local server, by Stripe's description of the version.

let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;
beforeAll(async () => {
  stripe = await startStripe();
  send = clientOf(stripe);
});
afterAll(() => stripe.close());

const buyer = () => stripe.operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
async function list(path: string, params: Parameters<typeof send>[1]): Promise<JsonObject[]> {
  const { status, body } = await send(`GET ${path}`, params);
  expect(status).toBe(200);
  return body["data"] as JsonObject[];
}
const ids = async (path: string, params: Parameters<typeof send>[1]) => (await list(path, params)).map(({ id }) => id);

describe("subscriptions", () => {
  test("are listed unless they are canceled, or by a status", async () => {
    const customer = buyer();
    const { subscribe } = stripe.operations;
    const active = subscribe(customer);
    const expired = subscribe(customer, { status: "incomplete_expired" });
    const canceled = subscribe(customer);
    stripe.operations.cancelSubscription(canceled);
    const path = "/v1/subscriptions";
    expect(await ids(path, { customer })).toEqual([expired, active]);
    expect(await ids(path, { customer, status: "all" })).toEqual([canceled, expired, active]);
    expect(await ids(path, { customer, status: "ended" })).toEqual([canceled, expired]);
    expect(await ids(path, { customer, status: "active" })).toEqual([active]);
    expect((await send(`GET ${path}`, { status: "none" })).status).toBe(400);
  });

  test("of a Customer are shown on request, ten at most, with their cards and discounts", async () => {
    const customer = buyer();
    const card = stripe.operations.attachCard(customer);
    const coupon = stripe.operations.coupon({ percent_off: 10 });
    const discounts = [stripe.operations.discount(coupon)];
    for (let n = 0; n < 11; n += 1) stripe.operations.subscribe(customer, { default_payment_method: card, discounts });
    expect((await send(`GET /v1/customers/${customer}`)).body).not.toHaveProperty("subscriptions");
    const expand = ["default_payment_method", "discounts"].map((name) => `data.subscriptions.data.${name}`);
    const [found] = await list("/v1/customers", { limit: 1, expand });
    expect(found).toMatchObject({ id: customer, subscriptions: { has_more: true } });
    const { data } = found!["subscriptions"] as { data: JsonObject[] };
    expect(data).toHaveLength(10);
    expect(data[0]).toMatchObject({
      default_payment_method: { id: card, type: "card" },
      discounts: [{ object: "discount", source: { type: "coupon", coupon } }],
      items: { data: [{ quantity: 1, price: { unit_amount: 2000, recurring: { interval: "month" } } }] },
    });
  });

  test("are canceled when their Customer is deleted", async () => {
    const customer = buyer();
    const id = stripe.operations.subscribe(customer);
    expect((await send(`DELETE /v1/customers/${customer}`)).status).toBe(200);
    expect(stripe.book.subscriptions.get(id)).toMatchObject({ status: "canceled" });
    expect(stripe.events.map(({ type }) => type)).toContain("customer.subscription.deleted");
  });
});

test("invoices, pending items and schedules are listed by their state", async () => {
  const customer = buyer();
  const subscription = stripe.operations.subscribe(customer);
  const { invoice, invoiceItem, schedule } = stripe.operations;
  const draft = invoice(customer, subscription, { status: "draft" });
  const paid = invoice(customer, null, { status: "paid" });
  expect(await ids("/v1/invoices", { customer })).toEqual([paid, draft]);
  expect(await ids("/v1/invoices", { subscription })).toEqual([draft]);
  expect(await ids("/v1/invoices", { customer, status: "paid" })).toEqual([paid]);
  const [pending, billed] = [invoiceItem(customer, subscription), invoiceItem(customer, null, { invoice: paid })];
  expect(await ids("/v1/invoiceitems", { customer, pending: true })).toEqual([pending]);
  expect(await ids("/v1/invoiceitems", { customer, pending: false })).toEqual([billed]);
  const [later] = [schedule(customer), schedule(customer, { status: "active", subscription })];
  expect(await ids("/v1/subscription_schedules", { customer, scheduled: true })).toEqual([later]);
});

test("Products, Prices and coupons are listed", async () => {
  const price = stripe.operations.price({ active: false, unit_amount: null, billing_scheme: "tiered" });
  const { product } = stripe.book.prices.get(price)!;
  expect(await list("/v1/prices", { active: false })).toMatchObject([{ id: price, unit_amount_decimal: null }]);
  expect(await ids("/v1/prices", { product })).toEqual([price]);
  expect(await ids("/v1/products", { active: true, limit: 1 })).toEqual([product]);
  const coupon = stripe.operations.coupon({ amount_off: 500, currency: "usd" });
  expect(await list("/v1/coupons", { limit: 1 })).toMatchObject([{ id: coupon, percent_off: null }]);
});
