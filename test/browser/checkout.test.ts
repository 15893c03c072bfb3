import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { withPlainSpaces } from "../support/pages.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { CARDS } from "../support/story.ts";

let app: TestApp;
let shop: Shop;
let browser: Browser;
let buyers = 0;

beforeAll(async () => {
  [app, shop, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" }),
    openShop(),
    launchBrowser(),
  ]);
  const sso = await ok("POST", "/benefits", { type: "feature", key: "sso", name: "Single sign-on" });
  const products = [
    {
      key: "pro",
      name: "Pro",
      description: "For teams.",
      benefitIds: [sso.id],
      prices: [{ currency: "usd", amount: 3000 }],
    },
    { key: "trial", name: "Pro with a trial", trialDays: 14, prices: [{ currency: "usd", amount: 3000 }] },
    {
      key: "trial-optional",
      name: "Easy trial",
      trialDays: 14,
      trialCard: "optional",
      prices: [{ currency: "usd", amount: 3000 }],
    },
    { key: "free", name: "Free", prices: [{ currency: "usd", amount: 0 }] },
    { key: "once", name: "كتاب — «Zażółć»", interval: null, prices: [{ currency: "usd", amount: 4900 }] },
  ];
  for (const product of products) await ok("POST", "/products", { interval: "month", ...product });
  await ok("PATCH", "/organization", { branding: { displayName: "Acme Tools", accentColor: "#ffd400" } });
});

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

afterAll(async () => {
  await browser.close();
  await shop.close();
  await app.close();
});

async function ok(method: string, path: string, body?: object): Promise<Json> {
  const answer = await app.manage(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** A Checkout that leads back to the shop. */
async function checkout(productKey: string, more: object = {}): Promise<Json> {
  const params = {
    productKey,
    successUrl: `${shop.url}/thanks/{CHECKOUT_ID}`,
    cancelUrl: `${shop.url}/pricing`,
    ...more,
  };
  const answer = await app.api("POST", "/checkouts", params);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const read = async (id: string) => (await app.api("GET", `/checkouts/${id}`)).body;
const newBuyer = () => `buyer-${(buyers += 1)}@example.com`;

/** A page in a browser context and at an IP address of its own. */
async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const extraHTTPHeaders = { "X-Forwarded-For": `192.0.2.${(buyers += 1)}` };
  const context = await browser.newContext({ viewport: DESK, extraHTTPHeaders, ...options });
  context.setDefaultTimeout(90_000);
  return context.newPage();
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill("12 / 40");
  await page.getByLabel("Security code").fill("123");
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

async function pay(page: Page, number: string): Promise<void> {
  await typeCard(page, number);
  await press(page, /^Pay|^Start/);
}

/** Waits until the payment is settled. In real time, the provider is asked after a second. */
async function settle(id: string): Promise<void> {
  await expect.poll(async () => (await app.runDue(), (await read(id)).status)).toBe("completed");
}

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a buyer pays and is back in the shop", async () => {
    const { id, url } = await checkout("pro");
    const page = await openPage(options);
    await page.goto(url);
    expect(withPlainSpaces(await page.locator(".summary").innerText())).toContain(
      "Then US$30.00 every month from 1 March 2026, until you cancel.",
    );
    await page.getByLabel("E-mail").fill(newBuyer());
    await page.getByLabel("Name").fill("Ada Lovelace");
    await pay(page, CARDS.pays);
    await page.waitForURL(`${shop.url}/thanks/${id}`);
    expect(await read(id)).toMatchObject({ status: "completed", totalAmount: 3000 });
  });

  test("a declined card leaves everything else as it was typed", async () => {
    const { id, url } = await checkout("pro");
    const page = await openPage(options);
    await page.goto(url);
    const email = newBuyer();
    await page.getByLabel("E-mail").fill(email);
    await pay(page, CARDS.declined);
    await page.getByRole("alert").getByText("The card was declined.").waitFor();
    expect(await page.locator(":focus").getAttribute("class")).toBe("notice");
    expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
    expect(await page.getByLabel("Expiry date").inputValue()).toBe("12 / 40");
    expect(await page.getByLabel("Card number").inputValue()).toBe("");
    expect(await read(id)).toMatchObject({ status: "open", lastPaymentError: { code: "card_declined" } });
    await pay(page, CARDS.pays);
    await page.waitForURL(`${shop.url}/thanks/${id}`);
  });

  test("a bank's question is answered, first with no and then with yes", async () => {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const page = await openPage(options);
    await page.goto(url);
    for (const answer of ["No, refuse", "Yes, confirm"]) {
      await pay(page, CARDS.asksBuyer);
      await page.getByRole("link", { name: "Continue to your bank" }).click();
      expect(withPlainSpaces(await page.locator("main").innerText())).toMatch(
        /Acme Tools asks to charge you US\$30\.00\.[^]*3220/,
      );
      await press(page, answer);
      if (answer === "No, refuse")
        await page.getByRole("alert").getByText("The payment was not confirmed with your bank.").waitFor();
    }
    await page.waitForURL(`${shop.url}/thanks/${id}`);
    expect(await read(id)).toMatchObject({ status: "completed" });
  });

  test("a bank's question can be left for another card", async () => {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const page = await openPage(options);
    await page.goto(url);
    await pay(page, CARDS.asksBuyer);
    await press(page, "Pay with another card");
    await pay(page, CARDS.pays);
    await page.waitForURL(`${shop.url}/thanks/${id}`);
    const payments = (await ok("GET", `/payments?checkoutId=${id}`)).data;
    expect(payments.map((payment: Json) => payment.status)).toEqual(["succeeded", "failed"]);
  });

  test("a lost answer is waited for", async () => {
    const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
    const page = await openPage(options);
    await page.goto(url);
    await pay(page, CARDS.answerLost);
    await page.getByText("You can close this page").waitFor();
    expect(await read(id)).toMatchObject({ status: "processing" });
    await settle(id);
    await page.waitForURL(`${shop.url}/thanks/${id}`);
  });

  test("a trial begins without a charge, and without a card where that is left open", async () => {
    const { id, url } = await checkout("trial-optional", { customer: { email: newBuyer() } });
    const page = await openPage(options);
    await page.goto(url);
    expect(withPlainSpaces(await page.locator(".summary").innerText())).toContain(
      "Then US$30.00 every month from 15 February 2026, until you cancel. You won’t be charged today.",
    );
    await press(page, "Start free trial");
    await page.waitForURL(`${shop.url}/thanks/${id}`);
    const { subscriptionId } = await read(id);
    expect((await app.api("GET", `/subscriptions/${subscriptionId}`)).body).toMatchObject({ status: "trialing" });
  });

  test("a free Product needs an e-mail address alone, and the page says thank you", async () => {
    const { id, url } = await checkout("free", { successUrl: null });
    const page = await openPage(options);
    await page.goto(url);
    expect(await page.getByLabel("Card number").count()).toBe(0);
    await page.getByLabel("E-mail").fill(newBuyer());
    await press(page, "Get it for free");
    await page.getByText("Your order is complete.").waitFor();
    expect(await heading(page)).toBe("Thank you");
    expect(await read(id)).toMatchObject({ status: "completed" });
  });
});

describe("a Checkout that is over", () => {
  test("tells later visitors that it was paid, and sends no one away", async () => {
    const { url } = await checkout("pro", { customer: { email: newBuyer() } });
    const page = await openPage();
    await page.goto(url);
    await pay(page, CARDS.pays);
    await page.waitForURL(`${shop.url}/**`);
    for (const [visitor, title] of [
      [await openPage(), "Already paid"],
      [page, "Thank you"],
    ] as const) {
      await visitor.goto(url);
      expect(await heading(visitor)).toBe(title);
      expect(await visitor.getByRole("link", { name: "Continue to" }).getAttribute("href")).toContain(
        `${shop.url}/thanks/chk_`,
      );
    }
  });

  test("cannot be paid by a form that was open meanwhile", async () => {
    const { url } = await checkout("pro", { customer: { email: newBuyer() } });
    const [one, other] = [await openPage(), await openPage()];
    await Promise.all([one.goto(url), other.goto(url)]);
    await Promise.all([pay(one, CARDS.pays), pay(other, CARDS.pays)]);
    await Promise.all([one.waitForURL(`${shop.url}/**`), other.waitForURL(`${shop.url}/**`)]);
    expect((await ok("GET", `/payments?checkoutId=${url.split("/")[4]}`)).data).toHaveLength(1);
  });

  test("is not for buyers that have a Subscription already", async () => {
    const customer = { email: newBuyer() };
    const [first, named, unnamed] = [
      await checkout("pro", { customer }),
      await checkout("pro", { customer }),
      await checkout("pro"),
    ];
    await ok("POST", `/sandbox/checkouts/${first.id}/pay`, { card: CARDS.pays });
    const page = await openPage();
    await page.goto(named.url);
    await pay(page, CARDS.pays);
    await page.getByRole("heading", { name: "You already have a plan" }).waitFor();
    await page.goto(unnamed.url);
    await page.getByLabel("E-mail").fill(customer.email);
    await pay(page, CARDS.pays);
    await page.getByRole("alert").getByText("The plan belongs to this e-mail address.").waitFor();
  });

  test("says so when its time is past, or its Product withdrawn", async () => {
    const { keys } = await app.otherOrganization({ clock: "2026-02-01T09:00:00Z" });
    const call = (base: string, key: string) => async (method: string, path: string, body: object) => {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      return (
        await fetch(app.url + base + path, { method, headers, body: JSON.stringify(body) })
      ).json() as Promise<Json>;
    };
    const [api, manage] = [call("/public/v2", keys.public), call("/manage/v1", keys.manage)];
    const product = await manage("POST", "/products", { name: "Old", prices: [{ currency: "usd", amount: 500 }] });
    const { url } = await api("POST", "/checkouts", { productId: product.id, cancelUrl: `${shop.url}/pricing` });
    const page = await openPage();
    await manage("PATCH", `/products/${product.id}`, { archived: true });
    await page.goto(url);
    expect(await heading(page)).toBe("No longer for sale");
    await manage("POST", "/sandbox/clock/advance", { by: "P2D" });
    await page.goto(url);
    expect(await heading(page)).toBe("This page has expired");
    expect(await page.getByRole("link", { name: "Back to" }).getAttribute("href")).toBe(`${shop.url}/pricing`);
  });
});

test("the shop is never told the address of the page", async () => {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage();
  const seen = shop.requests.length;
  await page.goto(url);
  await page.getByRole("link", { name: "Back to" }).click();
  await page.waitForURL(`${shop.url}/pricing`);
  await page.goto(url);
  await pay(page, CARDS.pays);
  await page.waitForURL(`${shop.url}/thanks/${id}`);
  expect(shop.requests.slice(seen).map(({ headers: { referer, origin } }) => ({ referer, origin }))).toEqual([{}, {}]);
});

test.each([true, false])("a double click pays once (JavaScript: %s)", async (javaScriptEnabled) => {
  const { id, url } = await checkout("once", { customer: { email: newBuyer() } });
  const page = await openPage({ javaScriptEnabled });
  await page.goto(url);
  await typeCard(page, CARDS.pays);
  await page.getByRole("button", { name: "Pay" }).dblclick();
  await page.waitForURL(`${shop.url}/thanks/${id}`);
  expect((await ok("GET", `/payments?checkoutId=${id}`)).data).toHaveLength(1);
});

test("a keyboard is enough, and the card is grouped as it is typed", async () => {
  const { id, url } = await checkout("pro");
  const page = await openPage();
  await page.goto(url);
  const seen: string[] = [];
  const typed: Record<string, string> = { email: newBuyer(), number: CARDS.pays, expiry: "1240", cvc: "123" };
  for (let n = 0; n < 9; n += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const name = (await focused.getAttribute("name")) ?? (await focused.innerText());
    seen.push(name);
    if (typed[name] !== undefined) await page.keyboard.type(typed[name]);
  }
  expect(seen).toEqual([
    "Back to Acme Tools",
    "email",
    "name",
    "Add company, address or tax ID for the invoice",
    "number",
    "expiry",
    "cvc",
    "Test cards",
    "Pay US$30.00",
  ]);
  expect(await page.getByLabel("Card number").inputValue()).toBe("4242 4242 4242 4242");
  expect(await page.getByLabel("Expiry date").inputValue()).toBe("12 / 40");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${shop.url}/thanks/${id}`);
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_name, viewport) => {
  test("no page has a fault that a machine can find", async () => {
    const page = await openPage({ viewport });
    const look = async (url: string) => {
      await page.goto(url);
      await inspect(page);
    };
    const { url, id } = await checkout("pro", { successUrl: null });
    await look(`${app.url}/`);
    await look(`${app.url}/nothing`);
    await look((await checkout("trial-optional")).url);
    await look((await checkout("free")).url);
    await look((await checkout("once")).url);
    await look(url);
    await page.getByText("Test cards").click();
    await inspect(page);
    await press(page, "Pay");
    await page.getByText("Please check the fields").waitFor();
    await inspect(page);
    await page.getByLabel("E-mail").fill(newBuyer());
    await pay(page, CARDS.declined);
    await page.getByText("Payment failed").waitFor();
    await inspect(page);
    await pay(page, CARDS.asksBuyer);
    await page.getByText("Confirm this payment with your bank").waitFor();
    await inspect(page);
    await page.getByRole("link", { name: "Continue to your bank" }).click();
    await inspect(page);
    const challenge = page.url();
    await press(page, "Yes, confirm");
    await page.getByText("Thank you").waitFor();
    expect(await read(id)).toMatchObject({ status: "completed" });
    await inspect(page);
    await look(challenge);
    const lost = await checkout("once", { customer: { email: newBuyer() } });
    await look(lost.url);
    await pay(page, CARDS.answerLost);
    await page.getByText("One moment, please").waitFor();
    await inspect(page);
  });
});

test("a page that waits opens itself again at an address with a fragment, too", async () => {
  const { id, url } = await checkout("pro", { customer: { email: newBuyer() } });
  const page = await openPage();
  await page.goto(`${url}#number`);
  await pay(page, CARDS.answerLost);
  await page.getByText("You can close this page").waitFor();
  await page.goto(`${page.url().split("#")[0]}#progress`);
  await page.getByText("You can close this page").waitFor();
  await settle(id);
  await page.waitForURL(`${shop.url}/thanks/${id}`);
});
