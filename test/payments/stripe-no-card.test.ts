import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post } from "../support/pages.ts";
import { endPeriod, ok } from "../support/story.ts";
import { startStripeApp, type StripeApp } from "../support/stripe-app.ts";
import { payOnPage } from "./stripe-requests.ts";

let app: StripeApp;

beforeAll(async () => {
  app = await startStripeApp();
  const price = (amount: number) => [{ currency: "usd", amount }];
  const products = [
    { key: "pro", name: "Pro", interval: "month", prices: price(3000) },
    { key: "max", name: "Max", interval: "month", prices: price(9000) },
    { key: "trial", name: "Trial", interval: "month", trialDays: 14, group: null, prices: price(3000) },
  ];
  for (const product of products) await ok(app.manage("POST", "/products", product));
});
afterAll(() => app.close());

/** Stripe names the payment method without a card, as of a wallet that hides the card. */
const hide = (card: string) =>
  Object.assign(app.stripe.book.paymentMethods.get(card)!, { type: "link", card: undefined });
const list = async (path: string): Promise<Json[]> => (await ok(app.manage("GET", path))).data;

async function buyHidden(name: string) {
  const customer = { email: `${name}@example.com`, externalId: name };
  const { checkout, card, intent, comeBack } = await app.payOnStripe({ productKey: "pro", customer });
  hide(card);
  await comeBack();
  const { subscriptionId, status } = await ok(app.api("GET", `/checkouts/${checkout.id}`));
  expect(status).toBe("completed");
  return { intent, subscription: await ok(app.api("GET", `/subscriptions/${subscriptionId}`)) };
}

test("a payment without a card pays the Subscription, and the renewal finds no card", async () => {
  const { intent, subscription } = await buyHidden("ada");
  const { id, customerId } = subscription;
  expect(subscription).toMatchObject({ status: "active" });
  const [payment] = await list(`/payments?subscriptionId=${id}`);
  expect(payment).toMatchObject({ status: "succeeded", amount: 3000, method: null });
  expect(await list(`/customers/${customerId}/payment-methods`)).toEqual([]);
  expect(app.warnings).toContain("Stripe names no card of a payment on its page");
  const change = await app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" });
  expect([change.status, change.body.code]).toEqual([402, "payment_method_required"]);

  await endPeriod(app.ctx, app.organization.id, id);
  await app.runDue();
  expect(await ok(app.api("GET", `/subscriptions/${id}`))).toMatchObject({ status: "past_due" });

  // Refunds and disputes need no card.
  await ok(app.manage("POST", `/invoices/${payment.invoiceId}/refunds`, { amount: 500, to: "card" }));
  await app.runDue();
  expect(await list(`/refunds?subscriptionId=${id}`)).toMatchObject([{ status: "succeeded", amount: 500 }]);
  app.stripe.operations.dispute(intent);
  await app.poll();
  expect(await list(`/disputes?subscriptionId=${id}`)).toMatchObject([{ status: "open", amount: 2500 }]);

  // The invoice of the renewal is paid on the page without a card, too.
  const [open] = await list(`/invoices?subscriptionId=${id}&status=open`);
  const form = [...(await get(open.url)).text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(form.map(([, field, value]) => [field!, value!]));
  const { location } = await payOnPage(redirectOf(open.url, await post(open.url, fields)), "4242424242424242");
  hide(String([...app.stripe.book.paymentIntents.values()].at(-1)!.payment_method));
  await get(redirectOf(location!, await get(location!)));
  expect(await ok(app.manage("GET", `/invoices/${open.id}`))).toMatchObject({ status: "paid" });
  expect(await ok(app.api("GET", `/subscriptions/${id}`))).toMatchObject({ status: "active" });
});

test("a card that was to be saved without a charge is asked for again", async () => {
  const customer = { email: "bob@example.com", externalId: "bob" };
  const { checkout, card, comeBack } = await app.payOnStripe({ productKey: "trial", customer });
  hide(card);
  await comeBack();
  expect(await ok(app.api("GET", `/checkouts/${checkout.id}`))).toMatchObject({
    status: "open",
    lastPaymentError: { code: "card_declined" },
  });
});
