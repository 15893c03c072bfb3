import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { openTab } from "../support/cookies.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

const CARD = { number: CARDS.pays, expiry: "12 / 40", cvc: "123" };
const UNITS = {
  unitName: {
    en: { one: "seat", other: "seats" },
    de: { one: "Platz", other: "Plätze" },
    fr: { one: "place", other: "places" },
    es: { one: "plaza", other: "plazas" },
    ja: { one: "シート", other: "シート" },
  },
};
const CHANGE = { quantity: 5, quantityChange: { minimum: 2, maximum: 50 } };

let app: TestApp;
let buyers = 0;

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-06-01T09:00:00Z" });
  const usd = (amount: number) => ({ prices: [{ currency: "usd", amount }] });
  const month = { interval: "month", quantity: { minimum: 2, maximum: 50 } };
  const products = {
    team: { ...month, ...UNITS, ...usd(1200), name: "Team" },
    trial: { ...month, ...UNITS, ...usd(1200), name: "Trial", trialDays: 14 },
    book: { interval: null, quantity: { maximum: null }, ...usd(4900), name: "Book" },
    dear: { interval: null, quantity: { maximum: null }, ...usd(99_999_999), name: "Dear" },
    single: { interval: "month", ...usd(3000), name: "Single" },
  };
  for (const [key, fields] of Object.entries(products)) await ok("POST", "/products", { key, ...fields });
  const fixed = { type: "fixed", currency: "usd", amount: 2370, duration: "once" };
  await ok("POST", "/discounts", { ...fixed, code: "LESS" });
  await ok("POST", "/discounts", { type: "percentage", basisPoints: 2500, code: "QUARTER", duration: "once" });
});
afterAll(() => app.close());

async function ok(method: string, path: string, body: object): Promise<Json> {
  const answer = await app.manage(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

async function checkout(productKey: string, more: object = {}): Promise<Json> {
  const customer = { email: `units-${++buyers}@example.com` };
  const { status, body } = await app.api("POST", "/checkouts", { productKey, customer, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}
const read = async ({ id }: Json) => (await app.api("GET", `/checkouts/${id}`)).body;

/** The values of the form's visible and hidden fields, as a browser sends them. */
function fieldsOf(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input (?:id="\w+" |type="hidden" )name="(\w+)"[^>]*?value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name!, value!]));
}
/** The page's form with these fields changed. */
const send = async (url: string, html: string, typed: object) => post(url, { ...fieldsOf(html), ...typed });

describe("the page of a Checkout with several units", () => {
  test.each([
    ["en-GB", "5 seats × US$12.00", "Quantity (seats)", "2 to 50 seats"],
    ["de-DE", "5 Plätze × 12,00 $", "Menge (Plätze)", "2 bis 50 Plätze"],
    ["fr-FR", "5 places × 12,00 $US", "Quantité (places)", "De 2 à 50 places"],
    ["es-ES", "5 plazas × 12,00 US$", "Cantidad (plazas)", "De 2 a 50 plazas"],
    ["ja-JP", "$12.00 × 5シート", "数量（シート）", "2～50シート"],
  ])("in %s names the units, their price, and the limits", async (locale, units, label, hint) => {
    const { url } = await checkout("team", { ...CHANGE, locale });
    const words = wordsOf((await get(url)).text);
    for (const said of [units, label, hint]) expect(words).toContain(said);
  });

  test("without `quantityChange` has no field, and ignores a quantity that is sent", async () => {
    const made = await checkout("team", { quantity: 5 });
    const { text } = await get(made.url);
    expect(wordsOf(text)).toContain("5 seats × US$12.00");
    expect(text).not.toContain('name="quantity"');
    await post(made.url, { action: "quantity", quantity: "8" });
    expect(await read(made)).toEqual(made);
  });

  test("that changes the quantity of a Subscription names the units before and after", async () => {
    const sold = await checkout("team", { quantity: 5 });
    const { body: paid } = await app.manage("POST", `/sandbox/checkouts/${sold.id}/pay`, { card: CARDS.pays });
    const change = { productKey: "team", subscriptionId: paid.subscriptionId, quantity: 8 };
    const { url } = (await app.api("POST", "/checkouts", change)).body;
    const words = wordsOf((await get(url)).text);
    expect(words).toContain("8 seats × US$12.00");
    expect(words).toContain("Your current plan: Team , 5 seats");
  });

  test("of one unit without a noun reads as before", async () => {
    const { text } = await get((await checkout("single")).url);
    expect(text).not.toContain("×");
    expect(text).not.toContain("uantity");
  });
});

describe("another quantity without a script (rules Q3, C3i)", () => {
  test("is shown with its amounts, keeps what was typed, and is paid", async () => {
    const made = await checkout("team", { ...CHANGE, customer: undefined });
    const tab = openTab();
    const first = await tab.get(made.url);
    expect(fieldsOf(first.text)).toMatchObject({ quantity: "5", expectedQuantity: "5", expectedAmount: "6000" });
    const typed = { email: "ada@example.com", name: "Ada", quantity: "8" };
    const changed = await tab.post(made.url, { ...fieldsOf(first.text), ...typed, action: "quantity" });
    expect(changed.status).toBe(200);
    expect(fieldsOf(changed.text)).toMatchObject({ ...typed, expectedQuantity: "8", expectedAmount: "9600" });
    expect(wordsOf(changed.text)).toContain("8 seats × US$12.00");
    expect(wordsOf(changed.text)).toContain("Pay US$96.00");
    expect(await tab.post(made.url, { ...fieldsOf(changed.text), ...CARD })).toMatchObject({ status: 303 });
    const paid = await read(made);
    expect(paid).toMatchObject({ status: "completed", quantity: 8, totalAmount: 9600 });
    expect((await app.api("GET", `/subscriptions/${paid.subscriptionId}`)).body).toMatchObject({
      quantity: 8,
      amount: 9600,
    });
    expect(wordsOf((await tab.get(made.url)).text)).toContain("Team , 8 seats × US$12.00");
  });

  test.each(["1", "51", "0", "-3", "2.5", "1e1", "", "many", "99999999999"])(
    "%j is refused at its field",
    async (quantity) => {
      const made = await checkout("team", CHANGE);
      const { text } = await get(made.url);
      for (const action of ["quantity", "check", ""]) {
        const { status, text: again } = await send(made.url, text, { ...CARD, quantity, action });
        expect(status).toBe(422);
        expect(again).toContain('<a href="#quantity">Enter a whole number: 2 to 50 seats.</a>');
        expect(fieldsOf(again)).toMatchObject({ quantity, expectedQuantity: "5", expectedAmount: "6000" });
      }
      expect(await read(made)).toMatchObject({ status: "open", quantity: 5, amountDue: 6000 });
    },
  );

  test.each(["8", " 8 ", "８", "008"])("%j counts as 8", async (quantity) => {
    const made = await checkout("team", CHANGE);
    const { text } = await get(made.url);
    const answer = await send(made.url, text, { quantity, action: "quantity" });
    expect([answer.status, fieldsOf(answer.text).quantity]).toEqual([200, "8"]);
    expect(await read(made)).toMatchObject({ quantity: 8 });
  });

  test("typed right before paying is shown first", async () => {
    const made = await checkout("team", CHANGE);
    const { text } = await get(made.url);
    for (const action of ["check", ""]) {
      const quantity = action === "check" ? "7" : "8";
      const asked = await send(made.url, text, { ...CARD, quantity, action });
      expect(asked.status).toBe(409);
      const due = quantity === "7" ? "US$84.00" : "US$96.00";
      expect(wordsOf(asked.text)).toContain(`Quantity: ${quantity} seats. ${due} is due today. You were not charged.`);
    }
    const { text: now } = await get(made.url);
    expect(await send(made.url, now, CARD)).toMatchObject({ status: 303 });
    expect(await read(made)).toMatchObject({ status: "completed", quantity: 8, totalAmount: 9600 });
  });

  test("in another tab is asked about before a stale tab pays", async () => {
    const made = await checkout("team", CHANGE);
    const { text: stale } = await get(made.url);
    await send(made.url, stale, { quantity: "8", action: "quantity" });
    for (const action of ["check", ""]) {
      const asked = await send(made.url, stale, { ...CARD, action });
      expect(asked.status).toBe(409);
      expect(wordsOf(asked.text)).toContain("Quantity: 8 seats. US$96.00 is due today. You were not charged.");
      expect(fieldsOf(asked.text)).toMatchObject({ quantity: "8", expectedQuantity: "8", expectedAmount: "9600" });
    }
    // A code that the stale tab applies changes no quantity.
    const coded = await send(made.url, stale, { action: "apply", code: "QUARTER" });
    expect(fieldsOf(coded.text)).toMatchObject({ quantity: "8", expectedQuantity: "8", expectedAmount: "7200" });
    expect(await send(made.url, coded.text, CARD)).toMatchObject({ status: 303 });
    expect(await read(made)).toMatchObject({ status: "completed", quantity: 8, totalAmount: 7200 });
  });

  test("of a trial is asked about, too: the amount due today is the same", async () => {
    const made = await checkout("trial", CHANGE);
    const { text: stale } = await get(made.url);
    const changed = await send(made.url, stale, { quantity: "8", action: "quantity" });
    expect(wordsOf(changed.text)).toContain("Then US$96.00 every month from 15 June 2026");
    const asked = await send(made.url, stale, CARD);
    expect(asked.status).toBe(409);
    expect(wordsOf(asked.text)).toContain("Quantity: 8 seats. US$0.00 is due today.");
    expect(wordsOf(asked.text)).not.toContain("already been used");
    expect(await read(made)).toMatchObject({ status: "open" });
    expect(await send(made.url, asked.text, CARD)).toMatchObject({ status: 303 });
    expect(await read(made)).toMatchObject({ status: "completed", quantity: 8, recurringAmount: 9600 });
  });

  test("is refused if the discount would leave too little, unless the code goes", async () => {
    const made = await checkout("team", { ...CHANGE, discountCode: "LESS" });
    const { text } = await get(made.url);
    const asked = await send(made.url, text, { quantity: "2", action: "quantity" });
    expect(asked.status).toBe(422);
    expect(asked.text).toContain('<a href="#quantity">With this code, the total would be too small to charge.</a>');
    const removed = await send(made.url, asked.text, { action: "remove" });
    expect(fieldsOf(removed.text)).toMatchObject({ quantity: "2", expectedQuantity: "2", expectedAmount: "2400" });
    expect(await read(made)).toMatchObject({ quantity: 2, discountAmount: 0, amountDue: 2400 });
  });

  test("is refused if no amount can be so large", async () => {
    const made = await checkout("dear", { quantity: 1, quantityChange: {} });
    const { text } = await get(made.url);
    expect(wordsOf(text)).toContain("1 to 100,000");
    const asked = await send(made.url, text, { quantity: "10001", action: "quantity" });
    expect(asked.status).toBe(422);
    expect(asked.text).toContain(
      '<a href="#quantity">The total for this quantity is too high. Enter a smaller number.',
    );
  });

  test("is settled by the balance, as far as the balance goes", async () => {
    const customer = await app.api("POST", "/customers", { email: `units-${++buyers}@example.com` });
    const customerId = customer.body.id;
    await ok("POST", `/customers/${customerId}/balance-adjustments`, {
      amount: 5000,
      currency: "usd",
      reason: "Sorry",
    });
    const params = { customer: undefined, customerId, quantity: 1, quantityChange: { minimum: 1, maximum: 9 } };
    const made = await checkout("book", params);
    const { text } = await get(made.url);
    expect(fieldsOf(text)).toMatchObject({ quantity: "1", expectedAmount: "0" });
    const changed = await send(made.url, text, { quantity: "3", action: "quantity" });
    expect(fieldsOf(changed.text)).toMatchObject({ quantity: "3", expectedAmount: "9700" });
    expect(wordsOf(changed.text)).toContain("3 × US$49.00");
    expect(await send(made.url, changed.text, CARD)).toMatchObject({ status: 303 });
    expect(await read(made)).toMatchObject({ quantity: 3, balanceApplied: 5000, amountDue: 9700 });
  });

  test("follows the tax of the place that is typed with it", async ({ onTestFinished }) => {
    await ok("PATCH", "/organization", { taxRates: [{ country: "DE", basisPoints: 1900, name: "USt" }] });
    onTestFinished(async () => void (await ok("PATCH", "/organization", { taxRates: [] })));
    const made = await checkout("team", CHANGE);
    const { text } = await get(made.url);
    const changed = await send(made.url, text, { country: "DE", quantity: "10", action: "quantity" });
    expect(fieldsOf(changed.text)).toMatchObject({ quantity: "10", expectedAmount: "14280" });
    const paid = await send(made.url, changed.text, { ...CARD, country: "DE" });
    expect(paid).toMatchObject({ status: 303 });
    expect(await read(made)).toMatchObject({ quantity: 10, taxAmount: 2280, totalAmount: 14_280 });
  });

  test("is taken without a country, and the page does not ask for the country yet", async ({ onTestFinished }) => {
    await ok("PATCH", "/organization", { taxRates: [{ country: "DE", basisPoints: 1900, name: "USt" }] });
    onTestFinished(async () => void (await ok("PATCH", "/organization", { taxRates: [] })));
    const made = await checkout("team", CHANGE);
    const { text } = await get(made.url);
    const changed = await send(made.url, text, { quantity: "10", action: "quantity" });
    expect(changed.status).toBe(200);
    expect(wordsOf(changed.text)).toContain("US$120.00 plus tax");
    expect(changed.text).not.toContain("Choose your country.</a>");
  });
});

test("a quantity after the payment leads to the present state", async () => {
  const made = await checkout("team", CHANGE);
  const { text } = await get(made.url);
  await ok("POST", `/sandbox/checkouts/${made.id}/pay`, { card: CARDS.pays });
  expect(await send(made.url, text, { quantity: "8", action: "quantity" })).toMatchObject({ status: 303 });
  expect(await read(made)).toMatchObject({ status: "completed", quantity: 5 });
});
