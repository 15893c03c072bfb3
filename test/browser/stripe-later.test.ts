import { describe, expect, test } from "vitest";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { heading, newBuyer, press } from "../support/buyers.ts";
import { minutePasses } from "../support/pause.ts";
import { AUTHENTICATES_ALWAYS, DECLINES, give, MASTERCARD, openStripeShop, VISA } from "./stripe-shop.ts";

const shop = openStripeShop();
const { opened, connected, ok, checkout, openPage, atProvider, inShop } = shop;
const { answer, charged, buy, month, newestInvoice, owed } = shop;

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
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
    connected.stripe.operations.restrictAccount();
    await press(page, "Continue to payment");
    await page.getByRole("heading", { name: "Payments are paused" }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    connected.stripe.operations.liftRestriction();
    await minutePasses(opened.app);
    // The form leads to Stripe again without a click on "Refresh".
    await press(page, "Continue to payment");
    await atProvider(page);
    await give(page, VISA);
    await inShop(page, id);
  });
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
    connected.stripe.operations.restrictAccount();
    await press(page, "Continue to payment");
    await page.getByRole("heading", { name: "Payments are paused" }).waitFor();
    await inspect(page);
    connected.stripe.operations.liftRestriction();
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
    connected.stripe.operations.restrictAccount();
    await press(page, "Continue to payment");
    await page.getByText("can’t take payments just now").first().waitFor();
    await inspect(page);
    connected.stripe.operations.liftRestriction();
    await minutePasses(opened.app);
    await press(page, "Continue to payment");
    await atProvider(page);
    await page.goto(invoice.url);
    await inspect(page);
  });
});
