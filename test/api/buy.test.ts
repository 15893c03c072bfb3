import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { get, post, wordsOf, type Page } from "../support/pages.ts";
import { formOf, makeLink } from "../support/payment-links.ts";
import { ok } from "../support/story.ts";
import { until } from "../support/until.ts";

let app: TestApp;
const products: Record<string, Json> = {};

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  await ok(app.manage("PATCH", "/organization", { supportEmail: "help@example.com" }));
  const prices = [
    { currency: "usd", amount: 1000 },
    { currency: "eur", amount: 900 },
  ];
  const make = async (key: string, more: object) => {
    products[key] = await ok(app.manage("POST", "/products", { key, name: `Plan ${key}`, prices, ...more }));
  };
  await make("pro", { interval: "month" });
  await make("year", { interval: "year", group: "yearly" });
  await make("seats", { interval: "month", group: "seats", quantity: { minimum: 2, maximum: 50 } });
  await make("trial", { interval: "month", group: "trial", trialDays: 14 });
  const half = { type: "percentage", basisPoints: 5000, duration: "once" };
  await ok(app.manage("POST", "/discounts", { ...half, code: "HALF" }));
  await ok(app.manage("POST", "/discounts", { ...half, code: "OVER", endsAt: "2026-01-01T00:00:00Z" }));
});
afterAll(() => app.close());

const link = (keys: readonly string[], more: object = {}) => makeLink(app, keys, more);
const countsOf = async (id: string): Promise<Json> => {
  const { visits, checkouts, purchases } = await ok(app.manage("GET", `/payment-links/${id}`));
  return { visits, checkouts, purchases };
};
const checkoutOf = async (page: Page): Promise<Json> => {
  expect([page.status, page.text]).toEqual([303, ""]);
  const id = /chk_\w{26}/.exec(page.headers.get("Location")!)![0];
  return ok(app.api("GET", `/checkouts/${id}`));
};
/** Loads the page, and sends the form of one Product. */
async function buy(url: string, key: string, more: Record<string, string> = {}): Promise<Page> {
  const page = await get(url);
  expect(page.status).toBe(200);
  return post(url.split("?")[0]!, { ...formOf(page.text, products[key].id), ...more });
}

describe("a visit to a payment link", () => {
  it("shows each Product with its price, and makes no row and no cookie", async () => {
    const { id, url } = await link(["pro", "year", "trial"]);
    for (let visits = 0; visits < 100; visits += 1) {
      const page = await get(url);
      expect([page.status, page.headers.get("Set-Cookie")]).toEqual([200, null]);
    }
    const words = wordsOf((await get(url)).text);
    expect(words).toContain("Plan pro US$10.00 every month");
    expect(words).toContain("Plan year US$10.00 every year");
    expect(words).toContain("Free for 14 days");
    expect(words).toContain("Continue with Plan pro");
    expect((await get(url, "HEAD")).status).toBe(200);
    expect((await get(url, "GET", { "Sec-Purpose": "prefetch" })).status).toBe(200);
    await until(async () => (await countsOf(id)).visits >= 101);
    expect(await countsOf(id)).toEqual({ visits: 101, checkouts: 0, purchases: 0 });
    const made = await ok(app.manage("GET", "/checkouts"));
    expect(made.data.filter((each: Json) => each.paymentLinkId === id)).toEqual([]);
  });

  test.each([
    ["product=seats", "Plan seats", "Plan pro"],
    ["currency=eur", "€9.00", "US$"],
    ["discount=half", "HALF : 50% off", "can’t be used"],
    ["product=seats&quantity=3", "3 × US$10.00", "can’t be used"],
    ["lang=de", "Weiter mit Plan pro", "Continue"],
  ])("with ?%s shows %j and not %j", async (query, shown, hidden) => {
    const { url } = await link(["pro", "seats"]);
    const page = await get(`${url}?${query}`);
    const words = wordsOf(page.text);
    expect([page.status, words]).toEqual([200, expect.stringContaining(shown)]);
    expect(words).not.toContain(hidden);
  });

  test.each([
    ["product=none", "“none” from the link can’t be used here."],
    ["quantity=none", "“none” from the link can’t be used here."],
    ["quantity=99999999999", "“99999999999” from the link can’t be used here."],
    ["quantity=51", "“51” from the link can’t be used here."],
    ["currency=xyz", "“xyz” from the link can’t be used here."],
    ["lang=**", "“**” from the link can’t be used here."],
    ["email=none", "“none” from the link can’t be used here."],
    [`reference=${"x".repeat(201)}`, `“${"x".repeat(40)}” from the link can’t be used here.`],
    ["discount=NONE", "NONE: This code does not exist."],
    ["discount=OVER", "OVER: "],
    ["discount=%00%ff", "from the link can’t be used here."],
    ["product=%3Cscript%3E", "“<script>” from the link can’t be used here."],
  ])("with ?%s says so, and shows the usual offer", async (query, notice) => {
    const { url } = await link(["pro", "seats"]);
    const page = await get(`${url}?${query}`);
    expect(page.status).toBe(200);
    expect(wordsOf(page.text)).toContain(notice);
    expect(wordsOf(page.text)).toContain("Plan pro US$10.00 every month");
    expect(page.text).not.toContain("<script>&");
  });

  it("can't try out codes without end", async () => {
    const { url } = await link(["pro"]);
    const from = { "X-Forwarded-For": "198.51.100.7" };
    for (let tries = 0; tries < 30; tries += 1) await get(`${url}?discount=TRY${tries}`, "GET", from);
    const page = await get(`${url}?discount=HALF`, "GET", from);
    expect(wordsOf(page.text)).toContain("Too many codes were tried.");
    expect(wordsOf((await get(`${url}?discount=HALF`)).text)).toContain("50% off");
  });
});

it("takes the same good code from all visitors behind one address", async () => {
  const { url, tableUrl } = await link(["pro"]);
  const from = { "X-Forwarded-For": "198.51.100.8" };
  for (let visits = 0; visits < 20; visits += 1)
    for (const each of [url, tableUrl])
      expect(wordsOf((await get(`${each}?discount=HALF`, "GET", from)).text)).toContain("50% off");
});

describe("a click on a payment link", () => {
  it("makes a Checkout with the terms of the link, as the event tells, and counts it", async () => {
    const terms = { discountCode: "HALF", allowDiscountCodes: false, successUrl: "https://example.com/thanks" };
    const { id, url } = await link(["seats"], {
      ...terms,
      quantityChange: { minimum: 3, maximum: 9 },
      metadata: { ad: "x" },
      fields: [{ key: "po", type: "text", label: "Order number" }],
    });
    const query = "currency=eur&lang=fr&email=ada%40example.com&reference=order-7";
    const page = await buy(`${url}?${query}`, "seats", { quantity: "5" });
    expect(page.headers.get("Set-Cookie")).toContain("billow_input=");
    const checkout = await checkoutOf(page);
    expect(checkout).toMatchObject({
      paymentLinkId: id,
      status: "open",
      productId: products["seats"].id,
      customerId: null,
      currency: "eur",
      quantity: 5,
      quantityChange: { minimum: 3, maximum: 9 },
      subtotalAmount: 4500,
      discountAmount: 2250,
      allowDiscountCodes: false,
      successUrl: "https://example.com/thanks",
      locale: "fr",
      metadata: { ad: "x", reference: "order-7" },
      fields: [{ key: "po", type: "text", label: "Order number", required: false, maxLength: 200 }],
    });
    const events = await ok(app.manage("GET", "/events?type=checkout.created&limit=1"));
    expect(events.data[0].data).toMatchObject({ id: checkout.id, paymentLinkId: id });
    const cookie = page.headers.get("Set-Cookie")!.split(";")[0]!;
    const form = await get(checkout.url, "GET", { Cookie: cookie });
    expect(form.text).toMatch(/id="email"[^>]*value="ada@example\.com"/);
    await ok(
      app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {
        card: "4242424242424242",
        email: "ada@example.com",
      }),
    );
    expect(await countsOf(id)).toMatchObject({ checkouts: 1, purchases: 1 });
  });

  it("makes one Checkout however often it is sent, and another one for another choice", async () => {
    const { id, url } = await link(["seats"], { quantityChange: { minimum: 2, maximum: 9 } });
    const fields = formOf((await get(url)).text, products["seats"].id);
    const sent = await Promise.all([post(url, fields), post(url, fields), post(url, fields)]);
    expect(new Set(sent.map(({ headers }) => headers.get("Location"))).size).toBe(1);
    const other = await checkoutOf(await post(url, { ...fields, quantity: "4" }));
    expect(other.quantity).toBe(4);
    expect(await countsOf(id)).toMatchObject({ checkouts: 2 });
  });

  test.each([
    ["a quantity beyond the limits", { quantity: "10" }, 422, "Enter a whole number: 2 to 9."],
    ["no number", { quantity: "many" }, 422, "Enter a whole number: 2 to 9."],
    ["another Product", { product: "prd_none" }, 409, "“prd_none” from the link can’t be used here."],
    ["a code that is over", { discount: "OVER" }, 409, "OVER: "],
  ])("with %s shows the page again", async (_name, more: Record<string, string>, status, text) => {
    const { id, url } = await link(["seats"], { quantityChange: { minimum: 2, maximum: 9 } });
    const page = await buy(url, "seats", more);
    expect([page.status, wordsOf(page.text)]).toEqual([status, expect.stringContaining(text)]);
    expect(await countsOf(id)).toMatchObject({ checkouts: 0 });
  });

  it("keeps the seller's own reference, whatever the address says", async () => {
    const { url } = await link(["pro"], { metadata: { reference: "partner-7" } });
    const checkout = await checkoutOf(await buy(`${url}?reference=mine`, "pro"));
    expect(checkout.metadata).toEqual({ reference: "partner-7" });
  });

  it("is limited by the address, with the time of the next try", async () => {
    const { url } = await link(["pro"]);
    const fields = formOf((await get(url)).text, products["pro"].id);
    const from = { "X-Forwarded-For": "198.51.100.9" };
    const click = () => post(url, fields, from);
    for (let clicks = 0; clicks < 10; clicks += 1) expect((await click()).status).toBe(303);
    const page = await click();
    expect([page.status, page.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(wordsOf(page.text)).toContain("Wait a minute, then try again.");
    expect((await post(url, fields)).status).toBe(303);
  });

  it("of another site's form is refused", async () => {
    const { url } = await link(["pro"]);
    const fields = formOf((await get(url)).text, products["pro"].id);
    expect((await post(url, fields, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  });
});

describe("a payment link that sells nothing", () => {
  const expectEnd = async (url: string, status: number, title: string) => {
    const fields = { product: products["pro"].id, once: newId("req"), quantity: "1" };
    for (const page of [await get(url), await post(url, fields)]) {
      expect([page.status, wordsOf(page.text)]).toEqual([status, expect.stringContaining(title)]);
      expect(page.text).toContain("mailto:help@example.com");
    }
  };

  it("is switched off, and on again", async () => {
    const { id, url } = await link(["pro"]);
    await ok(app.manage("PATCH", `/payment-links/${id}`, { active: false }));
    await expectEnd(url, 410, "This link is switched off");
    expect(wordsOf((await get(`${url}?lang=ja`)).text)).toContain("このリンクは停止されています");
    await ok(app.manage("PATCH", `/payment-links/${id}`, { active: true }));
    expect((await get(url)).status).toBe(200);
  });

  it("has Products that are archived, and shows the others", async () => {
    const price = { prices: [{ currency: "usd", amount: 100 }] };
    products["gone"] = await ok(app.manage("POST", "/products", { key: "gone", name: "Gone", ...price }));
    const [alone, both] = [await link(["gone"]), await link(["gone", "pro"])];
    const fields = formOf((await get(both.url)).text, products["gone"].id);
    await ok(app.manage("PATCH", `/products/${products["gone"].id}`, { archived: true }));
    await expectEnd(alone.url, 410, "No longer for sale");
    expect(wordsOf((await get(both.url)).text)).not.toContain("Gone");
    expect((await post(both.url, fields)).status).toBe(409);
  });

  it("has a discount that is over", async () => {
    const { url } = await link(["pro"], { discountCode: "OVER" });
    await expectEnd(url, 410, "This offer has ended");
  });

  it("belongs to a seller without a provider", async () => {
    const live = await app.otherOrganization({ mode: "live" });
    const manage = caller(`${app.url}/manage/v1`, live.keys.manage);
    await ok(manage("PATCH", "/organization", { supportEmail: "help@example.com" }));
    const price = { prices: [{ currency: "usd", amount: 1000 }] };
    await ok(manage("POST", "/products", { key: "pro", name: "Pro", ...price }));
    const { url } = await makeLink({ manage }, ["pro"]);
    await expectEnd(url, 409, "Payments are not set up yet");
  });

  it("does not exist", async () => {
    const { url } = await link(["pro"]);
    const other = await app.otherOrganization();
    const name = url.split("/").at(-1)!;
    const foreign = url.replace(name, other.organization.id.slice(4) + name.slice(26));
    for (const wrong of [foreign, url.slice(0, -1), `${url}0`, url.replace(name, "none"), url.replace(name, "%00")])
      expect((await get(wrong)).status).toBe(404);
  });
});

describe("the pricing table", () => {
  it("may stand in a frame of any site, without a form or a cookie, and counts no visit", async () => {
    const { id, tableUrl } = await link(["pro", "year"]);
    const page = await get(`${tableUrl}?currency=eur&accent=none&scheme=none&radius=99`);
    expect([page.status, page.headers.get("Set-Cookie")]).toEqual([200, null]);
    expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect(page.headers.get("X-Frame-Options")).toBeNull();
    expect(page.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(page.text).not.toContain("<form");
    expect(page.text).toContain('?product=pro&amp;currency=eur"');
    expect(await countsOf(id)).toMatchObject({ visits: 0, checkouts: 0 });
  });

  it("comes with a script of at most 3 kB for other sites", async () => {
    const { url } = await link(["pro"]);
    const script = await get(`${url}/table.js`);
    expect([script.status, script.headers.get("Content-Type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(script.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    expect(Buffer.byteLength(script.text)).toBeLessThan(3000);
  });

  it("says that a link is switched off", async () => {
    const { id, url, tableUrl } = await link(["pro"]);
    await ok(app.manage("PATCH", `/payment-links/${id}`, { active: false }));
    const page = await get(tableUrl);
    expect([page.status, wordsOf(page.text)]).toEqual([
      410,
      expect.stringContaining("no longer sells through this link"),
    ]);
    expect((await get(`${url}0/table`)).status).toBe(404);
    expect((await get(`${url}0/table.js`)).status).toBe(404);
  });
});
