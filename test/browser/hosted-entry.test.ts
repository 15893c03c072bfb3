import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { heading, newBuyer, press, typeCard } from "../support/buyers.ts";
import { expireHostedPages, takeHostedCards } from "../support/hosted.ts";
import { CARDS } from "../support/story.ts";
import { openHostedShop } from "./hosted-shop.ts";

const { opened, ok, checkout, openPage, atProvider, read, payments, inShop, begin } = openHostedShop(
  takeHostedCards,
  () => "**/sandbox/pay/**",
);

async function give(page: Page, number: string): Promise<void> {
  await typeCard(page, number);
  await press(page, "Pay US$30.00");
}

/** An open invoice of a Subscription whose card was declined at the renewal. */
async function owed(email: string): Promise<Json> {
  const { id } = await checkout("pro", { customer: { email } });
  await ok("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.failsLater });
  const { subscriptionId } = await read(id);
  await ok("POST", "/sandbox/clock/advance", { by: "P1M" });
  return (await ok("GET", `/invoices?subscriptionId=${subscriptionId}&limit=1`)).data[0];
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a buyer pays on the provider's page and is back in the shop", async () => {
    const { id, url } = await checkout("pro");
    const page = await openPage(options);
    await page.goto(url);
    expect(await page.getByLabel("Card number").count()).toBe(0);
    await press(page, "Continue to payment");
    await page.getByRole("alert").getByText("Enter your e-mail address.").waitFor();
    await page.getByLabel("E-mail").fill(newBuyer());
    await press(page, "Continue to payment");
    await atProvider(page);
    expect(await page.locator("header").innerText()).toContain("This is the test provider’s page.");
    expect(await heading(page)).toBe("Pay US$30.00 to Acme Tools");
    await give(page, CARDS.pays);
    await inShop(page, id);
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3000 });
  });

  test("a declined card is followed by another one, on the same page", async () => {
    const { page, id } = await begin(options);
    await give(page, CARDS.declined);
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    expect(await page.locator(":focus").getAttribute("class")).toBe("notice");
    await page.getByLabel("Card number").fill("1234");
    await press(page, "Pay US$30.00");
    await page.getByRole("alert").getByText("Enter the full card number").waitFor();
    await give(page, CARDS.paysToo);
    await inShop(page, id);
    expect(await payments(id)).toMatchObject([{ status: "succeeded", method: { last4: "5556" } }]);
  });

  test("a bank's question is answered, first with no and then with yes", async () => {
    const { page, id } = await begin(options);
    await give(page, CARDS.asksBuyer);
    await press(page, "No, refuse");
    await page.getByRole("alert").getByText("The payment was not confirmed with your bank.").waitFor();
    await give(page, CARDS.asksBuyer);
    await press(page, "Yes, confirm");
    await inShop(page, id);
    expect(await payments(id)).toHaveLength(1);
  });

  test("the browser's back button shows the page of the payment, and no old form", async () => {
    const { page, id, url } = await begin(options);
    await page.goBack();
    await page.waitForURL(url);
    // A browser may show the page as it was left. Its form then leads to the page of the payment.
    if ((await page.getByRole("button", { name: "Continue to payment" }).count()) > 0)
      await press(page, "Continue to payment");
    await page.getByText("Pay US$30.00 on Sandbox Pay’s page.").waitFor();
    expect(await heading(page)).toBe("Complete your payment");
    await page.getByRole("link", { name: "Continue to payment" }).click();
    await atProvider(page);
    await give(page, CARDS.pays);
    await inShop(page, id);
    expect(await payments(id)).toHaveLength(1);
  });

  test("a second tab finds the payment, and goes on by itself once it is made", async () => {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const [one, other] = [await openPage(options), await openPage(options)];
    await Promise.all([one.goto(url), other.goto(url)]);
    await press(one, "Continue to payment");
    await atProvider(one);
    await press(other, "Continue to payment");
    await other.getByRole("heading", { name: "Complete your payment" }).waitFor();
    await give(one, CARDS.pays);
    await Promise.all([one, other].map((page) => inShop(page, id)));
    expect(await payments(id)).toHaveLength(1);
  });

  test("a buyer goes back to the shop's page, pays another way, and then pays", async () => {
    const { page, id, url } = await begin(options);
    await page.getByRole("link", { name: "Back to Acme Tools" }).click();
    await page.waitForURL(url);
    await press(page, "Pay another way");
    await page.getByRole("alert").getByText("The payment was cancelled.").waitFor();
    await press(page, "Continue to payment");
    await atProvider(page);
    await give(page, CARDS.pays);
    await inShop(page, id);
    expect((await payments(id)).map(({ status }: Json) => status)).toEqual(["succeeded", "failed"]);
  });

  test("a page of the provider that has expired leads back to the form", async () => {
    const { page, id, url } = await begin(options);
    await expireHostedPages(opened.app);
    await give(page, CARDS.pays);
    await page.waitForURL(url);
    await page.getByRole("alert").getByText("The payment was cancelled.").waitFor();
    expect(await read(id)).toMatchObject({ status: "open" });
    await page.goBack();
    await page.reload();
    expect(await heading(page)).toBe("This page has expired");
  });

  test("a bank that opens another browser brings the buyer to the page", async () => {
    const { page, id } = await begin(options);
    const back = await page.getByRole("link", { name: "Back to Acme Tools" }).getAttribute("href");
    await give(page, CARDS.asksBuyer);
    const other = await openPage(options);
    await other.goto(page.url());
    await press(other, "Yes, confirm");
    await inShop(other, id);
    await page.goto(new URL(back!, opened.app.url).href);
    await inShop(page, id);
  });

  test("a trial begins without a card, or with one from the provider's page", async () => {
    for (const choice of ["Without a card", "With a card"]) {
      const { id, url } = await checkout("trial-optional", { customer: { email: newBuyer() } });
      const page = await openPage(options);
      await page.goto(url);
      await page.getByLabel(choice).check();
      await press(page, "Start free trial");
      if (choice === "With a card") {
        await atProvider(page);
        expect(await heading(page)).toBe("Save a card for Acme Tools");
        await typeCard(page, CARDS.pays);
        await press(page, "Save card");
      }
      await inShop(page, id);
    }
  });

  test("an open invoice is paid on the provider's page", async () => {
    const invoice = await owed(newBuyer());
    const page = await openPage(options);
    await page.goto(invoice.url);
    await press(page, "Continue to payment");
    await atProvider(page);
    await page.getByRole("link", { name: "Back to Acme Tools" }).click();
    await page.waitForURL(invoice.url);
    await press(page, "Pay another way");
    await page.getByText("was not completed").waitFor();
    await press(page, "Continue to payment");
    await atProvider(page);
    await give(page, CARDS.pays);
    await page.waitForURL(invoice.url);
    await page.locator("article .state").getByText("Paid on").waitFor();
  });
});

test("the form leads to another origin, if that is the provider's", async () => {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage();
  // Under this name our pages have another origin than PUBLIC_ORIGIN, where the provider's page is.
  await page.goto(url.replace("127.0.0.1", "localhost"));
  await press(page, "Continue to payment");
  await page.waitForURL(`${opened.app.url}/sandbox/pay/**`);
  await give(page, CARDS.pays);
  await inShop(page, id);
});

test.each([true, false])("a double click makes one payment (JavaScript: %s)", async (javaScriptEnabled) => {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage({ javaScriptEnabled });
  await page.goto(url);
  await page.getByRole("button", { name: "Continue to payment" }).dblclick();
  const onward = page.getByRole("link", { name: "Continue to payment" });
  await onward.or(page.getByText("test provider")).first().waitFor();
  if ((await onward.count()) > 0) await onward.click();
  await atProvider(page);
  await give(page, CARDS.pays);
  await inShop(page, id);
  expect(await payments(id)).toHaveLength(1);
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no page has a fault that a machine can find", async () => {
    const page = await openPage({ viewport });
    const trial = await checkout("trial-optional");
    await page.goto(trial.url);
    await inspect(page);
    const { url } = await checkout("pro", { customer: { email: newBuyer() }, successUrl: null });
    await page.goto(url);
    await inspect(page);
    await press(page, "Continue to payment");
    await atProvider(page);
    await inspect(page);
    await give(page, CARDS.declined);
    await page.getByRole("alert").waitFor();
    await inspect(page);
    const provider = page.url();
    await page.goto(url);
    await inspect(page);
    await press(page, "Pay another way");
    await page.getByRole("alert").waitFor();
    await inspect(page);
    await page.goto(provider);
    await inspect(page);
    const invoice = await owed(newBuyer());
    await page.goto(invoice.url);
    await inspect(page);
    await press(page, "Continue to payment");
    await atProvider(page);
    await page.goto(invoice.url);
    await inspect(page);
  });
});
