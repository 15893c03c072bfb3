import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payOn } from "../payments/stripe/buyer.ts";
import type { StripeServer } from "../payments/stripe/server.ts";
import { advanceSandbox, type Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { heading, newBuyer, press } from "../support/buyers.ts";
import { minutePasses } from "../support/pause.ts";
import { connectStripe, pollStripe, startStripeBehind } from "../support/stripe.ts";
import { openHostedShop } from "./hosted-shop.ts";

const VISA = "4242 4242 4242 4242";
const MASTERCARD = "5555 5555 5555 4444";
const DECLINES = "4000 0000 0000 0002";
const AUTHENTICATES_ONCE = "4000 0000 0000 3220";
const AUTHENTICATES_ALWAYS = "4000 0027 6000 3184";

let stripe: StripeServer;
beforeAll(async () => void (stripe = await startStripeBehind()));
afterAll(() => stripe.close());

const { opened, ok, checkout, openPage, atProvider, read, payments, inShop, begin } = openHostedShop(
  async (app) => {
    await connectStripe(app, stripe);
    // The first look at the list of events only notes the present.
    await pollStripe(app);
    const prices = [{ currency: "usd", amount: 9000 }];
    const max = { key: "max", name: "Max", interval: "month", prices };
    expect((await app.manage("POST", "/products", max)).status).toBe(201);
  },
  () => `${stripe.url}/c/pay/**`,
);

/** Types a card on Stripe's page and sends the form. */
async function give(page: Page, number: string, label = "Pay"): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiration").fill("12 / 40");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: label, exact: true }).click();
}
/** Answers the bank on the page for 3-D Secure. */
async function answer(page: Page, label: "Complete" | "Fail"): Promise<void> {
  await page.waitForURL(`${stripe.url}/3d_secure/**`);
  await press(page, label);
}
const charged = (amount: number) =>
  [...stripe.book.charges.values()].filter((each) => each.amount === amount && each.status === "succeeded").length;

/** A Customer with a Subscription that was bought on Stripe's page with this card. */
async function buy(number: string): Promise<Json> {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage();
  await page.goto(url);
  await press(page, "Continue to payment");
  await atProvider(page);
  await give(page, number);
  if (number !== VISA) await answer(page, "Complete");
  await inShop(page, id);
  const { subscriptionId } = await read(id);
  return (await opened.app.api("GET", `/subscriptions/${subscriptionId}`)).body;
}
async function month(): Promise<void> {
  expect(await advanceSandbox(opened.app.manage, { by: "P1M" })).toMatchObject({ status: 200 });
}
const newestInvoice = async ({ id }: Json): Promise<Json> =>
  (await ok("GET", `/invoices?subscriptionId=${id}&limit=1`)).data[0];

/** An open invoice of a Subscription whose card was declined at the renewal. */
async function owed(): Promise<Json> {
  const subscription = await buy(VISA);
  const card = [...stripe.book.paymentMethods.keys()].at(-1)!;
  stripe.deeds.turnCard(card, "pm_card_visa_chargeDeclined");
  await month();
  return newestInvoice(subscription);
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a buyer pays on Stripe's page: a wrong address, a declined card, another card", async () => {
    const { id, url } = await checkout("pro");
    const page = await openPage(options);
    await page.goto(url);
    await page.getByText("You’ll pay on Stripe’s page.").waitFor();
    expect(await page.getByLabel("Card number").count()).toBe(0);
    await press(page, "Continue to payment");
    await page.getByRole("alert").getByText("Enter your e-mail address.").waitFor();
    await page.getByLabel("E-mail").fill(newBuyer());
    await press(page, "Continue to payment");
    await atProvider(page);
    expect(await heading(page)).toBe("Pay 3000 usd");
    await give(page, DECLINES);
    await page.getByRole("alert").getByText("Your card was declined.").waitFor();
    await give(page, VISA);
    await inShop(page, id);
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3000 });
    expect(await payments(id)).toMatchObject([{ status: "succeeded", method: { brand: "visa", last4: "4242" } }]);
  });

  test("a bank asks on Stripe's page, is answered with no, and then with yes", async () => {
    const { page, id } = await begin(options);
    await give(page, AUTHENTICATES_ONCE);
    await answer(page, "Fail");
    await atProvider(page);
    await page.getByRole("alert").waitFor();
    await give(page, AUTHENTICATES_ONCE);
    await answer(page, "Complete");
    await inShop(page, id);
    expect(await payments(id)).toMatchObject([{ status: "succeeded", method: { last4: "3220" } }]);
  });

  test("the back button shows the page of the payment, and no old form", async () => {
    const { page, id, url } = await begin(options);
    await page.goBack();
    await page.waitForURL(url);
    // A browser may show the page as it was left. Its form then leads to the page of the payment.
    if ((await page.getByRole("button", { name: "Continue to payment" }).count()) > 0)
      await press(page, "Continue to payment");
    await page.getByText("Pay US$30.00 on Stripe’s page.").waitFor();
    await page.getByRole("link", { name: "Continue to payment" }).click();
    await atProvider(page);
    await give(page, VISA);
    await inShop(page, id);
    expect(await payments(id)).toHaveLength(1);
  });

  test("two tabs lead to one page at Stripe, and both arrive", async () => {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const [one, other] = [await openPage(options), await openPage(options)];
    await Promise.all([one.goto(url), other.goto(url)]);
    await press(one, "Continue to payment");
    await atProvider(one);
    await press(other, "Continue to payment");
    const onward = other.getByRole("link", { name: "Continue to payment" });
    expect(await onward.getAttribute("href")).toBe(one.url());
    const before = charged(3000);
    await give(one, VISA);
    await Promise.all([one, other].map((page) => inShop(page, id)));
    expect(charged(3000)).toBe(before + 1);
    expect(await payments(id)).toHaveLength(1);
  });

  test("a buyer who comes back before the notice sees the result, and the notice changes nothing", async () => {
    await pollStripe(opened.app);
    const { page, id } = await begin(options);
    await give(page, VISA);
    await inShop(page, id);
    const events = async () => (await ok("GET", `/events?resourceId=${id}`)).data;
    const [before, paid] = [await events(), await payments(id)];
    await pollStripe(opened.app);
    expect(await events()).toEqual(before);
    expect(await payments(id)).toEqual(paid);
  });

  test("a buyer who never comes back has bought once the notice is in", async () => {
    const { page, id, url } = await begin(options);
    const atStripe = page.url();
    await payOn(atStripe, VISA);
    expect(await read(id)).toMatchObject({ status: "processing" });
    await pollStripe(opened.app);
    expect(await read(id)).toMatchObject({ status: "completed" });
    // Both pages lead a late buyer to the shop.
    for (const address of [url, atStripe]) {
      await page.goto(address);
      await inShop(page, id);
    }
  });

  test("a buyer leaves Stripe's page, pays another way, and the first page takes no card any more", async () => {
    const { page, id, url } = await begin(options);
    const first = page.url();
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL(url);
    expect(await heading(page)).toBe("Complete your payment");
    await press(page, "Pay another way");
    await page.getByRole("alert").getByText("The payment was cancelled.").waitFor();
    const tab = await openPage(options);
    await tab.goto(first);
    expect(await heading(tab)).toBe("This session has expired");
    await press(page, "Continue to payment");
    await atProvider(page);
    expect(page.url()).not.toBe(first);
    await give(page, MASTERCARD);
    await inShop(page, id);
    expect((await payments(id)).map(({ status, method }: Json) => [status, method?.last4])).toEqual([
      ["succeeded", "4444"],
      ["failed", undefined],
    ]);
  });

  test("a trial saves the card on Stripe's page, and its end charges the card without the buyer", async () => {
    const { id, url } = await checkout("trial-optional", { customer: { email: newBuyer() } });
    const page = await openPage(options);
    await page.goto(url);
    await page.getByLabel("With a card").check();
    await press(page, "Start free trial");
    await atProvider(page);
    expect(await heading(page)).toBe("Save a card");
    await give(page, DECLINES, "Save card");
    await page.getByRole("alert").getByText("Your card was declined.").waitFor();
    const before = charged(3000);
    await give(page, AUTHENTICATES_ONCE, "Save card");
    await answer(page, "Complete");
    await inShop(page, id);
    const { subscriptionId } = await read(id);
    const status = async () => (await opened.app.api("GET", `/subscriptions/${subscriptionId}`)).body.status;
    expect([await status(), charged(3000) - before]).toEqual(["trialing", 0]);
    await advanceSandbox(opened.app.manage, { by: "P15D" });
    expect(await status()).toBe("active");
    expect(await newestInvoice({ id: subscriptionId })).toMatchObject({ status: "paid", amountPaid: 3000 });
  });

  test("an open invoice is paid on Stripe's page", async () => {
    const invoice = await owed();
    const page = await openPage(options);
    await page.goto(invoice.url);
    await page.getByText("The card was declined.").waitFor();
    await press(page, "Continue to payment");
    await atProvider(page);
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL(invoice.url);
    await press(page, "Pay another way");
    await page.getByText("was not completed").waitFor();
    await press(page, "Continue to payment");
    await atProvider(page);
    await give(page, DECLINES);
    await page.getByRole("alert").waitFor();
    await give(page, VISA);
    await page.waitForURL(invoice.url);
    await page.locator("article .state").getByText("Paid on").waitFor();
  });

  test("a renewal that the bank wants to be confirmed is confirmed on the bank's page", async () => {
    const subscription = await buy(AUTHENTICATES_ALWAYS);
    await month();
    const invoice = await newestInvoice(subscription);
    const page = await openPage(options);
    await page.goto(invoice.url);
    await page.getByText("Your bank asks you to confirm the payment of US$30.00").waitFor();
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await answer(page, "Complete");
    await page.waitForURL(invoice.url);
    await page.locator("article .state").getByText("Paid on").waitFor();
    const shown = (await opened.app.api("GET", `/subscriptions/${subscription.id}`)).body;
    expect(shown).toMatchObject({ status: "active" });
  });

  test("the page of a 402 finishes the change", async () => {
    const { id } = await buy(AUTHENTICATES_ALWAYS);
    const refused = await opened.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" });
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_action_required" } });
    const page = await openPage(options);
    await page.goto(refused.body.url);
    // The page offers the card on file first, because the bank has only a question about that card.
    await page.getByRole("link", { name: "Pay with another card" }).click();
    await press(page, "Continue to payment");
    await atProvider(page);
    expect(await heading(page)).toBe("Pay 6000 usd");
    await give(page, VISA);
    await page.waitForURL(refused.body.url);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect((await opened.app.api("GET", `/subscriptions/${id}`)).body).toMatchObject({ amount: 9000 });
  });

  test("another card is given in the portal, and pays the next renewal", async () => {
    const { id, customerId } = await buy(VISA);
    const { url } = await ok("POST", `/customers/${customerId}/portal-sessions`, {});
    const page = await openPage(options);
    await page.goto(url);
    await page.getByRole("button").first().click();
    await page.getByRole("link", { name: "Use another card" }).click();
    await press(page, "Continue to card details");
    await atProvider(page);
    await give(page, MASTERCARD, "Save card");
    await page.getByText("are charged to Mastercard").waitFor();
    const before = charged(3000);
    await month();
    expect((await opened.app.api("GET", `/subscriptions/${id}`)).body).toMatchObject({ status: "active" });
    expect(charged(3000)).toBeGreaterThan(before);
  });

  test("a page says that payments are paused, and goes on by itself when they resume", async () => {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const page = await openPage(options);
    await page.goto(url);
    stripe.deeds.restrictAccount();
    await press(page, "Continue to payment");
    await page.getByRole("heading", { name: "Payments are paused" }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    stripe.deeds.liftRestriction();
    await minutePasses(opened.app);
    // The form leads to Stripe again without a click on "Refresh".
    await press(page, "Continue to payment");
    await atProvider(page);
    await give(page, VISA);
    await inShop(page, id);
  });
});

test("without Stripe's origin in the policy of our page, Chromium blocks the way to Stripe", async () => {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage();
  await page.route(url, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    const headers = response.headers();
    const policy = headers["content-security-policy"];
    expect(policy).toContain(`form-action 'self' ${stripe.url};`);
    headers["content-security-policy"] = policy!.replace(` ${stripe.url};`, ";");
    await route.fulfill({ response, headers });
  });
  await page.goto(url);
  const blocked = page.waitForEvent("console", (message) => message.text().includes("form-action"));
  await press(page, "Continue to payment");
  await blocked;
  expect(page.url()).toBe(url);
  await page.unroute(url);
  await page.reload();
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await atProvider(page);
  await give(page, VISA);
  await inShop(page, id);
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("none of our pages on the way has a fault that a machine can find", async () => {
    const page = await openPage({ viewport });
    const { url } = await checkout("pro", { customer: { email: newBuyer() }, successUrl: null });
    await page.goto(url);
    await inspect(page);
    stripe.deeds.restrictAccount();
    await press(page, "Continue to payment");
    await page.getByRole("heading", { name: "Payments are paused" }).waitFor();
    await inspect(page);
    stripe.deeds.liftRestriction();
    await minutePasses(opened.app);
    await press(page, "Continue to payment");
    await atProvider(page);
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL(url);
    await inspect(page);
    await page.getByRole("link", { name: "Continue to payment" }).click();
    await give(page, VISA);
    await page.waitForURL(url);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await inspect(page);
    const invoice = await owed();
    await page.goto(invoice.url);
    await inspect(page);
    stripe.deeds.restrictAccount();
    await press(page, "Continue to payment");
    await page.getByText("can’t take payments just now").first().waitFor();
    await inspect(page);
    stripe.deeds.liftRestriction();
    await minutePasses(opened.app);
    await press(page, "Continue to payment");
    await atProvider(page);
    await page.goto(invoice.url);
    await inspect(page);
  });
});
