import { afterAll, beforeAll, expect, test } from "vitest";
import { connectAccount } from "../../src/actions/payment/connect.ts";
import type { Json } from "../support/app.ts";
import { post } from "../support/pages.ts";
import { startStory, type Story } from "../support/story.ts";
import { createToyBank, useConnectables, type ToyAccount } from "../support/toy-bank.ts";

const VAT = { country: "DE", name: "USt", basisPoints: 1900, inclusive: true, reverseCharge: true };
const GERMAN = { type: "eu_vat", value: "DE811569869" };
const ADDRESS = { country: "DE" };

let story: Story;
let account: ToyAccount;

/**
 * A provider that charges US$2.00 at least, and whole ariary. The currency's own minimum is US$0.50 or half an ariary.
 */
beforeAll(async () => {
  story = await startStory({ clock: "2026-06-01T00:00:00Z" });
  const { ctx, organization, manage } = story.app;
  const bank = createToyBank();
  const { key } = (account = bank.account("acct_1"));
  useConnectables(ctx, bank.connectable);
  bank.limits = (currency) => ({ most: 1_000_000, ...(currency === "mga" ? { least: 100, step: 100 } : OWN) });
  await connectAccount(ctx, bank.connectable, organization, { key, variable: null });
  await story.ok(manage("PATCH", "/organization", { taxRates: [VAT], address: { country: "IE" } }));
  const prices = (usd: number, mga: number) => ({
    prices: [
      { currency: "usd", amount: usd },
      { currency: "mga", amount: mga },
    ],
  });
  await story.plan("small", 0, prices(300, 200));
  await story.plan("large", 0, prices(600, 400));
  await story.plan("tiny", 0, prices(220, 100));
  const half = { type: "percentage", basisPoints: 6000, duration: "once" };
  await story.ok(manage("POST", "/discounts", { code: "SIXTY", ...half }));
  await story.ok(manage("POST", "/discounts", { code: "THIRD", ...half, basisPoints: 3300 }));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const OWN = { least: 200, step: 1 };
const open = (productKey: string, currency: string, more: object = {}) =>
  story.app.api("POST", "/checkouts", { productKey, currency, ...more });

/** Buys on the page, because the sandbox's tool pays by the sandbox's own cards. Answers the completed Checkout. */
async function buy(productKey: string, currency: string, name: string, taxId: object | null = null): Promise<Json> {
  const customer = { email: `${name}@example.com`, billingAddress: ADDRESS, taxId };
  const { id, url, amountDue } = await story.ok(open(productKey, currency, { customer }));
  const typed = { number: "4242 4242 4242 4242", expiry: "12 / 40", cvc: "123", expectedAmount: String(amountDue) };
  expect(await post(url, typed)).toMatchObject({ status: 303 });
  return story.ok(story.app.api("GET", `/checkouts/${id}`));
}

test.each([
  ["usd", "a price below the provider's least charge"],
  ["mga", "a price below the step of the currency"],
])("in %s, a code that would leave %s is refused, in a request and on the page", async (currency) => {
  const refused = await open("small", currency, { discountCode: "SIXTY" });
  expect([refused.status, refused.body.errors]).toMatchObject([
    422,
    [{ pointer: "/discountCode", code: "discount_below_minimum" }],
  ]);
  const { id, url } = await story.ok(open("small", currency));
  const page = await post(url, { code: "SIXTY", email: "eve@example.com", country: "DE" });
  expect(page.text).toContain("With this code, the total would be too small to charge.");
  expect(await story.ok(story.app.api("GET", `/checkouts/${id}`))).toMatchObject({ discountAmount: 0 });
  expect((await open("small", currency, { discountCode: "THIRD" })).status).toBe(201);
});

test.each([
  ["usd", 220],
  ["mga", 100],
])(
  "in %s, a price of %i is charged with its tax, because the price without the tax is too small",
  async (currency, due) => {
    const paid = await buy("tiny", currency, `firm-${currency}`, GERMAN);
    expect(paid).toMatchObject({ status: "completed", amountDue: due });
    expect(paid.taxAmount).toBeGreaterThan(0);
    expect(account.charges.at(-1)).toMatchObject({ currency, amount: due });
  },
);

test("a change that comes to less than the provider's least charge is a debt on the balance", async () => {
  const { subscriptionId, customerId } = await buy("small", "usd", "ada");
  await story.travel("2026-06-21T00:00:00Z");
  const before = account.charges.length;
  const change = { productKey: "large", prorationBehavior: "invoice_now" };
  const preview = await story.ok(story.app.manage("POST", `/subscriptions/${subscriptionId}/preview`, change));
  // A third of the period at US$3.00 more.
  expect(preview).toMatchObject({ chargeAmount: 0, balanceChange: -100 });
  await story.change(subscriptionId, change);
  expect(account.charges).toHaveLength(before);
  const { data } = await story.ok(story.app.manage("GET", `/customers/${customerId}/balance`));
  expect(data).toMatchObject([{ currency: "usd", amount: -100 }]);
  await story.travel("2026-07-01T00:00:00Z");
  await story.settle();
  expect(account.charges.slice(before).map(({ amount }) => amount)).toContain(700);
});
