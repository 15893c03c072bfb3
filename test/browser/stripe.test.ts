import { describe, expect, test } from "vitest";
import { payOn } from "../payments/stripe/buyer.ts";
import { advanceSandbox, type Json } from "../support/app.ts";
import { heading, newBuyer, press } from "../support/buyers.ts";
import { pollStripe } from "../support/stripe.ts";
import { AUTHENTICATES_ONCE, DECLINES, give, MASTERCARD, openStripeShop, VISA } from "./stripe-shop.ts";

const shop = openStripeShop();
const { opened, connected, ok, checkout, openPage, atProvider, read, payments, inShop, begin } = shop;
const { answer, charged, newestInvoice } = shop;

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
});

test("without Stripe's origin in the policy of our page, Chromium blocks the way to Stripe", async () => {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage();
  await page.route(url, async (route) => {
    // An intercepted form loses Sec-Fetch-Site, and Billow refuses a form of an opaque origin without this header.
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    const headers = response.headers();
    const policy = headers["content-security-policy"];
    expect(policy).toContain(`form-action 'self' ${connected.stripe.url};`);
    headers["content-security-policy"] = policy!.replace(` ${connected.stripe.url};`, ";");
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
