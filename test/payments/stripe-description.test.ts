import { describe, expect, test } from "vitest";
import * as adapter from "../../src/payments/stripe/client.ts";
import { ROUTES } from "./stripe/api.ts";
import { API_VERSION } from "./stripe/book.ts";
import { clientOf } from "./stripe/client.ts";
import { holdAnswer, holdObject, holdRequest, readDescription } from "./stripe/description.ts";
import type { JsonObject } from "./stripe/json.ts";
import { startStripe } from "./stripe/server.ts";

// The local server against Stripe's own description. Each test of the adapter holds its requests and answers, too.

test("the description is of the version that the server and the adapter speak, and of each endpoint", () => {
  const { version, endpoints } = readDescription();
  expect([API_VERSION, adapter.API_VERSION]).toEqual([version, version]);
  expect(Object.keys(endpoints).sort()).toEqual(ROUTES.map(({ endpoint }) => endpoint).sort());
});

describe("a difference is found", () => {
  const tax = { object: "tax_id", id: "txi_1", created: 1, livemode: false, type: "eu_vat", value: "DE1" };
  const known = { ...tax, country: null, customer: "cus_1" };

  test("in no object that is as described", () => {
    expect(() => holdObject(known)).not.toThrow();
  });

  test.each<[name: string, object: JsonObject, says: string]>([
    ["that is unknown", { ...known, colour: "red" }, '"additionalProperty":"colour"'],
    ["that is missing", { ...known, livemode: undefined }, `must have required property 'livemode'`],
    ["of another type", { ...known, created: "1" }, "/created must be integer"],
    ["that may not be null", { ...known, value: null }, "/value must be string"],
    ["with a value that does not exist", { ...known, type: "eu_tax" }, "/type must be equal to one of"],
  ])("in a field %s", (_, object, says) => {
    expect(() => holdObject(JSON.parse(JSON.stringify(object)) as JsonObject)).toThrow(says);
  });

  const pause = "POST /v1/subscriptions/:id";

  test("in no parameter that is as described", () => {
    const given = { pause_collection: { behavior: "void", resumes_at: "1790000000" }, cancel_at_period_end: "true" };
    expect(() => holdRequest(pause, { ...given, expand: ["customer"] })).not.toThrow();
    expect(() => holdRequest(pause, { pause_collection: "" })).not.toThrow();
  });

  test.each<[name: string, params: JsonObject]>([
    ["that is unknown", { paused: "true" }],
    ["that is unknown in a group", { pause_collection: { behavior: "void", until: "1" } }],
    ["that is missing", { pause_collection: { resumes_at: "1" } }],
    ["of another type", { cancel_at_period_end: "soon" }],
    ["with a value that does not exist", { pause_collection: { behavior: "stop" } }],
  ])("in a parameter %s", (_, params) => {
    expect(() => holdRequest(pause, params)).toThrow("is not as Stripe describes it");
  });

  test("in an error", () => {
    const error = { type: "card_error", message: "Your card was declined.", code: "card_declined" };
    expect(() => holdAnswer(pause, 402, { error })).not.toThrow();
    expect(() => holdAnswer(pause, 402, { error: { ...error, reason: "none" } })).toThrow("additional properties");
  });
});

test("each kind of object of Stripe Billing is as described, wherever the server shows it", async () => {
  const stripe = await startStripe();
  const send = clientOf(stripe);
  const { operations, book } = stripe;
  const customer = operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
  const card = operations.attachCard(customer);
  const discounts = [operations.discount(operations.coupon({ percent_off: 50 }))];
  const id = operations.subscribe(customer, { discounts, default_tax_rates: [operations.taxRate()] });
  const old = operations.source(customer, "card");
  const trial = { status: "trialing", trial_end: book.now() + 86_400, endsAt: book.now() + 86_400 } as const;
  operations.subscribe(customer, { ...trial, default_payment_method: card });
  operations.changeCustomer(customer, { default_source: old, balance: -300, currency: "usd" });
  operations.source(customer, "source");
  operations.taxId(customer, "eu_vat", "DE811569869");
  operations.invoiceItem(customer, id);
  operations.schedule(customer);
  operations.advance(Date.now() + 70 * 86_400_000);

  const expand = ["default_source", "tax_ids", "subscriptions.data.discounts", "sources"];
  const requests: [endpoint: string, params?: Parameters<typeof send>[1]][] = [
    [`GET /v1/customers/${customer}`, { expand }],
    [`GET /v1/subscriptions/${id}`, { expand: ["latest_invoice", "default_payment_method", "discounts"] }],
    ["POST /v1/invoices/create_preview", { subscription: id }],
    [`GET /v1/customers/${customer}/balance_transactions`],
    [`GET /v1/customers/${customer}/tax_ids`],
    [`GET /v1/customers/${customer}/payment_methods`],
    ...["invoices", "invoiceitems", "subscription_schedules", "subscriptions", "prices", "products", "coupons"].map(
      (kind): [string] => [`GET /v1/${kind}`],
    ),
    ...["charges", "payment_intents", "balance_transactions", "events"].map((kind): [string] => [`GET /v1/${kind}`]),
    [`DELETE /v1/subscriptions/${id}`, { prorate: true, invoice_now: true }],
  ];
  for (const [endpoint, params] of requests) {
    const { status, body } = await send(endpoint, params);
    expect({ endpoint, status }).toEqual({ endpoint, status: 200 });
    expect({ endpoint, isEmpty: JSON.stringify(body["data"]) === "[]" }).toEqual({ endpoint, isEmpty: false });
  }
  await stripe.close();
});
