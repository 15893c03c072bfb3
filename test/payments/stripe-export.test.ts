import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { openExport, type OpenExport } from "../support/exports.ts";
import { openStripeCommands } from "../support/stripe.ts";
import { openStripeShop, type StripeShop } from "../support/stripe-shop.ts";

// A leaving seller keeps the account at Stripe. Another program charges the cards there, by the ids of the export.

let shop: StripeShop;
let directory: string;
let exported: OpenExport;

beforeAll(async () => {
  shop = await openStripeShop("2026-03-01T09:00:00Z");
  directory = await mkdtemp(join(tmpdir(), "billow-stripe-export-"));
  await shop.story.plan("team", 1200, { name: "Team" });
  for (const name of ["ada", "bob"])
    await shop.buy({ productKey: "team", customer: { email: `${name}@example.com`, externalId: name } });
  const { billow, clear } = await openStripeCommands(shop.story.app, shop.stripe);
  const file = join(directory, "shop.tar.gz");
  const done = await billow(["export", file, "--organization", shop.story.app.organization.id]);
  await clear();
  expect(done).toMatchObject({ code: 0 });
  exported = await openExport(file);
}, 120_000);
afterAll(async () => {
  await shop.close();
  await rm(directory, { recursive: true });
});

/** A request to Stripe by a program that knows the export and a key of the account. */
async function askStripe(path: string, fields: Record<string, string>): Promise<Json> {
  const { url, secretKey } = shop.stripe;
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "stripe-version": "2026-08-26.dahlia" },
    body: new URLSearchParams(fields),
  });
  return response.json();
}

test("names Stripe's Customer, card and charge of each buyer", () => {
  const [customers, cards, payments] = ["customers", "payment-methods", "payments"].map((name) => exported.lines(name));
  const connected = customers![0].providerCustomers[0].account;
  expect(connected).toMatch(/^acct_/);
  expect(customers!.map(({ providerCustomers }) => providerCustomers)).toEqual(
    customers!.map(() => [{ provider: "stripe", account: connected, ref: expect.stringMatching(/^cus_\w+$/) }]),
  );
  for (const { providerCustomers } of customers!)
    expect(shop.stripe.book.customers.has(providerCustomers[0].ref)).toBe(true);
  expect(cards!.map(({ providerRef }) => providerRef).toSorted()).toEqual(shop.cards().toSorted());
  for (const { provider, providerRef, amount } of payments!) {
    expect(provider).toBe("stripe");
    expect(shop.stripe.book.paymentIntents.get(providerRef)).toMatchObject({ amount, status: "succeeded" });
  }
});

test("lets another program charge each buyer's card without the buyer", async () => {
  const cards = exported.lines("payment-methods");
  for (const { id, defaultPaymentMethodId, providerCustomers } of exported.lines("customers")) {
    const card = cards.find((each) => each.id === defaultPaymentMethodId);
    expect(card.customerId).toBe(id);
    const charge = await askStripe("/v1/payment_intents", {
      amount: "1200",
      currency: "usd",
      customer: providerCustomers[0].ref,
      payment_method: card.providerRef,
      "payment_method_types[0]": "card",
      off_session: "true",
      confirm: "true",
    });
    expect(charge).toMatchObject({ status: "succeeded", amount_received: 1200 });
  }
});

test("has the same ids in the export of one Customer", async () => {
  const [customer] = exported.lines("customers");
  const { manage } = shop.story.app;
  const document = (await manage("GET", `/customers/${customer.id}/export`)).body;
  const { deletedAt: _deletedAt, ...expected } = customer;
  expect(document.customer).toEqual(expected);
  const own = exported.lines("payments").filter(({ customerId }) => customerId === customer.id);
  expect(document.payments).toEqual(own);
});
