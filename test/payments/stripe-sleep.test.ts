import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { ok } from "../support/story.ts";
import { startStripeApp, type StripeApp } from "../support/stripe-app.ts";

const DAY = 86_400_000;

/** Stripe's clock is behind ours by this much, while the operations of days happen that Billow slept through. */
let behind = 0;
let app: StripeApp;

beforeAll(async () => {
  app = await startStripeApp(() => Date.now() - behind);
  await ok(app.manage("POST", "/products", { key: "book", name: "Book", prices: [{ currency: "usd", amount: 900 }] }));
});
afterAll(() => app.close());

const cursorStatement = sql("test.gap_cursor", "UPDATE provider_connections SET poll_cursor = $1");

/** Sells a book on Stripe's page. Answers Billow's payment, and its intent and card at Stripe. */
async function sell(name: string, number?: string) {
  const customer = { email: `${name}@example.com`, externalId: name };
  const { checkout, comeBack, ...paid } = await app.payOnStripe({ productKey: "book", customer }, number);
  await comeBack();
  const { customerId } = await ok(app.api("GET", `/checkouts/${checkout.id}`));
  const [payment] = (await ok(app.manage("GET", `/payments?customerId=${customerId}`))).data as Json[];
  return { customerId, payment, ...paid };
}

test("an installation that slept 40 days finds the disputes, refunds and cards that changed meanwhile", async () => {
  const { stripe } = app;
  const [disputed, refunded, replaced, detached] = [
    await sell("ada"),
    await sell("bob"),
    await sell("cid"),
    await sell("dan"),
  ];
  const failing = await sell("eve", "4000000000005126");
  const { invoiceId } = failing.payment;
  const refund = await ok(app.manage("POST", `/invoices/${invoiceId}/refunds`, { amount: 500, to: "card" }));
  await app.runDue();
  const ours = [...stripe.book.refunds.values()].at(-1)!;

  behind = 35 * DAY;
  stripe.operations.dispute(disputed.intent, { reason: "product_not_received" });
  stripe.operations.refund(refunded.intent, 300);
  stripe.operations.failRefund(ours.id);
  stripe.operations.updateCard(replaced.card, { last4: "1881", expMonth: 3, expYear: 2041 });
  stripe.operations.detachCard(detached.card);
  behind = 0;
  await app.ctx.db.tx((tx) => tx.query(cursorStatement, [String(Math.floor(Date.now() / 1000) - 40 * 86_400)]));

  // The worker stops after the disputes, and another one goes on with the refunds.
  stripe.fault("GET /v1/refunds", "500");
  await app.poll();
  await app.runDue();
  const disputes = async () => (await ok(app.manage("GET", "/disputes"))).data;
  expect(await disputes()).toMatchObject([
    { paymentId: disputed.payment.id, status: "open", reason: "not_received", amount: 900 },
  ]);
  const refunds = async ({ payment }: { payment: Json }) =>
    (await ok(app.manage("GET", "/refunds"))).data.filter(({ paymentId }: Json) => paymentId === payment.id);
  expect(await refunds(refunded)).toEqual([]);
  await app.poll();
  // One of the two requests tried the key's permission.
  expect(stripe.requests.filter(({ path }) => path === "/v1/disputes").length).toBe(2);
  expect(await refunds(refunded)).toMatchObject([{ origin: "provider", status: "succeeded", amount: 300 }]);
  expect(await refunds(failing)).toMatchObject([{ id: refund.id, status: "failed" }]);
  const cards = async ({ customerId }: { customerId: string }) =>
    (await ok(app.manage("GET", `/customers/${customerId}/payment-methods`))).data;
  expect(await cards(replaced)).toMatchObject([{ last4: "1881", expMonth: 3, expYear: 2041 }]);
  expect(await cards(detached)).toEqual([]);
  expect(await cards(disputed)).toMatchObject([{ last4: "4242" }]);

  const notices = async () => (await ok(app.manage("GET", "/provider-notices?limit=100"))).data as Json[];
  const stored = await notices();
  expect(stored.map(({ status }) => status)).not.toContain("waiting");
  await app.poll();
  expect(await notices()).toEqual(stored);
});
