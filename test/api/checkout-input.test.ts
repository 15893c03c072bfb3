import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealMemory } from "../../src/actions/checkout/browser-memory.ts";
import { realNow } from "../../src/clock.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { answerBank, BANK_PAGE, linksOf } from "../support/bank-page.ts";
import { openTab } from "../support/cookies.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

const CARD = { number: CARDS.pays, expiry: "12 / 40", cvc: "987" };
const TYPED = { email: "ada@example.com", name: "Ada Lovelace", expectedAmount: "3000" };

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  const month = { interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  expect((await app.manage("POST", "/products", { key: "pro", name: "Pro", ...month })).status).toBe(201);
});
afterAll(() => app.close());

async function checkout(params: object = {}): Promise<Json> {
  const { status, body } = await app.api("POST", "/checkouts", { productKey: "pro", ...params });
  expect(status).toBe(201);
  return body;
}

const rowStatement = sql("test.checkout_row", "SELECT c::text AS text FROM checkouts c WHERE id = $1");

/** The values of a page's inputs by name. */
function valuesIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input id="(\w+)"[^>]*?value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name, value]));
}

describe("the typed values", () => {
  test("are there again after a bank that said no, in this browser alone", async () => {
    const { url } = await checkout();
    const tab = openTab();
    expect(await tab.post(url, { ...CARD, ...TYPED, number: CARDS.asksBuyer })).toMatchObject({ status: 303 });
    const bank = linksOf((await tab.get(url)).text).find((link) => BANK_PAGE.test(link))!;
    await answerBank(bank, false);
    const { text } = await tab.get(url);
    expect(wordsOf(text)).toContain("The payment was not confirmed with your bank.");
    expect(valuesIn(text)).toMatchObject({ email: "ada@example.com", name: "Ada Lovelace", number: "", cvc: "" });
    expect(wordsOf(text)).toContain(
      "For your security, this page does not keep your card number. Please enter it again.",
    );
    expect(text).toContain(`aria-describedby="number-hint"`);
    const stranger = (await get(url)).text;
    expect(valuesIn(stranger)).toMatchObject({ email: "", name: "" });
    expect(stranger).not.toContain("ada@example.com");
    expect(stranger).not.toContain("this page does not keep your card number");
  });

  test("are not stored with the Checkout, apart from the place on which a tax depends", async () => {
    const address = { country: "DE", line1: "Torstr. 1", postalCode: "10119", city: "Berlin" };
    const typed = { ...TYPED, ...address, companyName: "Engines GmbH", action: "check" };
    const rowOf = async ({ id, url }: Json) => {
      const tab = openTab();
      await tab.post(url, typed);
      expect(valuesIn((await tab.get(url)).text)).toMatchObject({ line1: "Torstr. 1", companyName: "Engines GmbH" });
      const [row] = await app.ctx.db.read.query<{ text: string }>(rowStatement, [id]);
      return row!.text;
    };
    const isIn = (row: string) => ["Torstr", "10119", "Berlin", "Engines", "ada@"].filter((each) => row.includes(each));
    expect(isIn(await rowOf(await checkout()))).toEqual([]);
    const taxRates = [{ country: "DE", name: "USt", basisPoints: 1900 }];
    expect((await app.manage("PATCH", "/organization", { taxRates })).status).toBe(200);
    const taxed = await rowOf(await checkout());
    expect([isIn(taxed), taxed.includes('"DE"')]).toEqual([[], true]);
    expect((await app.manage("PATCH", "/organization", { taxRates: [] })).status).toBe(200);
  });

  test("are there again after a declined card, a payment that was given up, and a faulty form", async () => {
    const { url } = await checkout();
    const tab = openTab();
    expect((await tab.get(url)).headers.getSetCookie()).toEqual([]);
    const seen = async () => valuesIn((await tab.get(url)).text);
    expect(await tab.post(url, { ...TYPED, email: "ada@", number: "", cvc: "" })).toMatchObject({ status: 422 });
    expect(await seen()).toMatchObject({ email: "ada@", name: "Ada Lovelace" });
    expect(await tab.post(url, { ...CARD, ...TYPED, number: CARDS.declined })).toMatchObject({ status: 402 });
    expect(await seen()).toMatchObject({ email: "ada@example.com", expiry: "" });
    expect(await tab.post(url, { ...CARD, ...TYPED, number: CARDS.asksBuyer })).toMatchObject({ status: 303 });
    expect(await tab.post(url, { action: "give-up" })).toMatchObject({ status: 303 });
    expect(await seen()).toMatchObject({ email: "ada@example.com", name: "Ada Lovelace" });
    expect(await tab.post(url, { ...CARD, ...TYPED })).toMatchObject({ status: 303 });
    await tab.get(url);
    expect([...tab.cookies.keys()]).not.toContain("billow_input");
  });

  test("never hold a card, wherever it was typed", async () => {
    const { url, id, organizationId = app.organization.id } = await checkout();
    const tab = openTab();
    const fields = { email: CARDS.pays, name: "4242 4242 4242 4242", ...CARD, expectedAmount: "3000" };
    expect(await tab.post(url, fields)).toMatchObject({ status: 422 });
    const { text } = await tab.get(url);
    expect(Object.values(valuesIn(text)).join("")).toBe("");
    // The cookie reads as no text: it is encrypted for this Checkout.
    expect(tab.cookies.get("billow_input")).toMatch(/^v1(\.[\w-]+){3}$/);
    expect([id, organizationId].some((each) => tab.cookies.get("billow_input")!.includes(each))).toBe(false);
  });

  test("that are too long for a cookie are left out, field by field", async () => {
    const { url } = await checkout();
    const tab = openTab();
    const name = "語".repeat(256);
    expect(await tab.post(url, { ...TYPED, name, taxId: "語".repeat(320), state: "語".repeat(320) })).toMatchObject({
      status: 422,
    });
    expect(tab.cookies.get("billow_input")!.length).toBeLessThan(4000);
    expect(valuesIn((await tab.get(url)).text)).toMatchObject({ email: "ada@example.com", name });
  });

  test("need a cookie of this Checkout, unchanged, of the last 24 hours", async () => {
    const [one, other] = [await checkout(), await checkout()];
    const tab = openTab();
    await tab.post(one.url, TYPED);
    const good = tab.cookies.get("billow_input")!;
    const emailIn = async (url: string, cookie: string) =>
      valuesIn((await get(url, "GET", { Cookie: `billow_input=${cookie}` })).text).email;
    expect(await emailIn(one.url, good)).toBe("ada@example.com");
    expect(await emailIn(other.url, good)).toBe("");
    const changed = good.slice(0, 60) + (good[60] === "_" ? "-" : "_") + good.slice(61);
    for (const wrong of [`${good}A`, good.slice(0, -2), "", "v1", changed])
      expect(await emailIn(one.url, wrong)).toBe("");
    const page = { organizationId: app.organization.id, id: one.id };
    const at = (now: number) => sealMemory(app.ctx, page, "input", JSON.stringify({ email: "eve@example.com" }), now);
    expect(await emailIn(one.url, at(realNow() - 23 * 3_600_000))).toBe("eve@example.com");
    expect(await emailIn(one.url, at(realNow() - 25 * 3_600_000))).toBe("");
    expect(
      await emailIn(
        one.url,
        sealMemory(app.ctx, page, "purchase", JSON.stringify({ email: "x@example.com" }), realNow()),
      ),
    ).toBe("");
  });
});

describe("a form that is checked before it is sent", () => {
  const check = { action: "check", ...TYPED };

  test("has its faults without the card, and charges no card", async () => {
    const { url, id } = await checkout();
    const wrong = await post(url, { ...check, email: "ada" });
    expect([wrong.status, wordsOf(wrong.text)]).toEqual([422, expect.stringContaining("like name@example.com")]);
    expect(wrong.text).not.toContain(`id="number-fault"`);
    const right = await post(url, check);
    expect([right.status, right.text.includes(`class="notice"`)]).toEqual([200, false]);
    const paid = await post(url, { ...check, ...CARD });
    expect(paid.status).toBe(200);
    expect((await app.api("GET", `/checkouts/${id}`)).body).toMatchObject({ status: "open", lastPaymentError: null });
  });

  test("shows another amount due, and does not ask for the card again", async () => {
    const { url } = await checkout();
    const { status, text } = await post(url, { ...check, expectedAmount: "2900" });
    expect(status).toBe(409);
    expect(wordsOf(text)).toContain("US$30.00 is due today. You were not charged. If you agree, confirm.");
  });

  test("applies a typed code first, within the limit of guesses", async () => {
    const discount = { type: "fixed", amount: 500, currency: "usd", code: "FIVE", duration: "once" };
    expect((await app.manage("POST", "/discounts", discount)).status).toBe(201);
    const { url } = await checkout();
    const unknown = await post(url, { ...check, code: "SIX" });
    expect([unknown.status, wordsOf(unknown.text)]).toEqual([
      422,
      expect.stringContaining("This code does not exist. Check the spelling."),
    ]);
    const { status, text } = await post(url, { ...check, code: "FIVE" });
    expect(status).toBe(409);
    expect(wordsOf(text)).toContain("Your code was applied. US$25.00 is due today.");
  });

  test("leads a Checkout that is over to its page", async () => {
    const { url } = await checkout();
    expect(await post(url, { ...CARD, ...TYPED, email: "over@example.com" })).toMatchObject({ status: 303 });
    expect(await post(url, check)).toMatchObject({ status: 303 });
  });
});

test("a known buyer is named as text", async () => {
  const { url } = await checkout({ customer: { email: "grace@example.com", name: "Grace <Hopper>" } });
  const { text } = await get(url);
  expect(text).not.toContain(`name="email"`);
  expect(text).toContain("<dt>E-mail</dt><dd><bdi>grace@example.com</bdi></dd>");
  expect(text).toContain("<dt>Name</dt><dd><bdi>Grace &lt;Hopper&gt;</bdi></dd>");
});

test("a buyer with a plan is led to it", async () => {
  const customer = { email: "planned@example.com" };
  const first = await checkout({ customer });
  expect(await post(first.url, { ...CARD, expectedAmount: "3000" })).toMatchObject({ status: 303 });
  const manage = `href="/portal/${app.organization.id}">Manage your plan</a>`;
  const { url } = await checkout();
  const answer = await post(url, { ...CARD, ...TYPED, email: customer.email });
  expect(answer.status).toBe(409);
  expect(wordsOf(answer.text)).toMatch(
    /You already have a plan The plan belongs to this e-mail address\. You were not charged\. Manage your plan/,
  );
  expect(answer.text).toContain(manage);
});
