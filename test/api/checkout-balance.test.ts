import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
let foreign: { api: TestCall; manage: TestCall };
let customers = 0;

const TYPED = { expiry: "12 / 40", cvc: "987" };

beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] }, { clock: "2026-02-01T09:00:00Z" });
  foreign = await foreignCallersOf(app);
  for (const [key, amount, more] of [
    ["pro", 3000, {}],
    ["add-on", 2000, { group: "add-on" }],
    ["trial", 3000, { trialDays: 14, group: "trial" }],
    ["book", 4900, { interval: null }],
  ] as const) {
    const product = { key, name: key, interval: "month", prices: [{ currency: "usd", amount }], ...more };
    await ok(app.manage("POST", "/products", product));
  }
});
afterAll(() => app.close());

const adjust = (customerId: string, amount: number, currency = "usd") =>
  ok(app.manage("POST", `/customers/${customerId}/balance-adjustments`, { currency, amount, reason: "Sorry" }));
const balanceOf = async (customerId: string) =>
  (await ok(app.manage("GET", `/customers/${customerId}/balance`))).data[0]?.amount ?? 0;
const read = (id: string) => ok(app.api("GET", `/checkouts/${id}`));
const create = (body: object, headers: Record<string, string> = {}) => app.api("POST", "/checkouts", body, headers);
const pay = (id: string, body: object = { card: CARDS.pays }) =>
  app.manage("POST", `/sandbox/checkouts/${id}/pay`, body);
const figures = ({ status, totalAmount, balanceApplied, amountDue }: Json) => [
  status,
  totalAmount,
  balanceApplied,
  amountDue,
];

/** A new Customer with this balance. */
async function customerWith(balance: number): Promise<{ id: string; externalId: string; email: string }> {
  customers += 1;
  const named = { email: `buyer${customers}@example.com`, externalId: `buyer${customers}` };
  const { id } = await ok(app.api("POST", "/customers", named));
  if (balance !== 0) await adjust(id, balance);
  return { id, ...named };
}

describe("the balance pays", () => {
  test.each([
    ["customerId", ({ id }: Json) => ({ customerId: id })],
    ["externalCustomerId", ({ externalId }: Json) => ({ externalCustomerId: externalId })],
    ["customer.externalId", ({ externalId, email }: Json) => ({ customer: { externalId, email } })],
  ])("for a Customer that is named by %s", async (_, nameOf) => {
    const customer = await customerWith(1000);
    const created = await create({ productKey: "book", ...nameOf(customer) });
    expect(created.status).toBe(201);
    expect(figures(created.body)).toEqual(["open", 4900, 1000, 3900]);
    expect(created.body.customerId).toBe(customer.id);
    const { body: paid } = await pay(created.body.id);
    expect(figures(paid)).toEqual(["completed", 4900, 1000, 3900]);
    const invoice = await ok(app.manage("GET", `/invoices/${paid.invoiceId}`));
    expect(invoice).toMatchObject({ totalAmount: 4900, balanceApplied: 1000, amountDue: 3900, amountPaid: 3900 });
    expect(await balanceOf(customer.id)).toBe(0);
  });

  test.each([
    ["an e-mail in the request", ({ email }: Json) => ({ customer: { email } }), {}],
    ["a typed e-mail", () => ({}), ({ email }: Json) => ({ email })],
  ])("never for %s (rule M4)", async (_, nameOf, typed) => {
    const customer = await customerWith(1000);
    const { body } = await create({ productKey: "book", ...nameOf(customer) });
    expect(figures(body)).toEqual(["open", 4900, 0, 4900]);
    const means = typeof typed === "function" ? typed(customer) : typed;
    const { body: paid } = await pay(body.id, { card: CARDS.pays, ...means });
    expect(figures(paid)).toEqual(["completed", 4900, 0, 4900]);
    expect(paid.customerId).toBe(customer.id);
    expect(await balanceOf(customer.id)).toBe(1000);
  });

  test.each([
    ["a part", 1000, [1000, 2000], 0],
    ["all", 3000, [3000, 0], 0],
    ["all, and more is left", 3500, [3000, 0], 500],
    ["less than there is, so that the card can be charged", 2999, [2950, 50], 49],
    ["no part of a debt", -1000, [0, 3000], -1000],
    ["no part of no balance", 0, [0, 3000], 0],
  ])("%s", async (_, balance, [applied, due], left) => {
    const { id } = await customerWith(balance);
    const { body } = await create({ productKey: "pro", customerId: id });
    expect(figures(body)).toEqual(["open", 3000, applied, due]);
    const { body: paid } = await pay(body.id);
    expect(figures(paid)).toEqual(["completed", 3000, applied, due]);
    expect(await balanceOf(id)).toBe(left);
    const charges = (await ok(app.manage("GET", `/payments?customerId=${id}`))).data;
    expect(charges.map(({ amount }: Json) => amount)).toEqual(due === 0 ? [] : [due]);
  });

  it("all of a one-time purchase without a card, and of a Subscription with a card that is saved", async () => {
    const { id } = await customerWith(8000);
    const book = (await create({ productKey: "book", customerId: id })).body;
    expect(figures((await pay(book.id, {})).body)).toEqual(["completed", 4900, 4900, 0]);
    const pro = (await create({ productKey: "pro", customerId: id })).body;
    expect(await pay(pro.id, {})).toMatchObject({ status: 422, body: { errors: [{ pointer: "/card" }] } });
    expect(figures((await pay(pro.id)).body)).toEqual(["completed", 3000, 3000, 0]);
    const { data } = await ok(app.manage("GET", `/customers/${id}/payment-methods`));
    expect(data).toMatchObject([{ isDefault: true }]);
    expect(await balanceOf(id)).toBe(100);
  });

  it("no part in another currency, and none of a trial", async () => {
    const { id } = await customerWith(0);
    await adjust(id, 5000, "eur");
    expect(figures((await create({ productKey: "book", customerId: id })).body)).toEqual(["open", 4900, 0, 4900]);
    await adjust(id, 1000);
    const { body } = await create({ productKey: "trial", customerId: id });
    expect(figures(body)).toEqual(["open", 0, 0, 0]);
    expect(figures((await pay(body.id)).body)).toEqual(["completed", 0, 0, 0]);
    expect((await ok(app.manage("GET", `/customers/${id}/balance`))).data).toMatchObject([
      { currency: "eur", amount: 5000 },
      { currency: "usd", amount: 1000 },
    ]);
  });
});

describe("an open Checkout", () => {
  it("follows the balance, in each read, in the list, and in the ETag", async () => {
    const { id: customerId } = await customerWith(1000);
    const created = await create({ productKey: "pro", customerId });
    const path = `/checkouts/${created.body.id}`;
    const first = await app.api("GET", path);
    expect([first.body, first.headers.get("ETag")]).toEqual([created.body, created.headers.get("ETag")]);
    await adjust(customerId, 500);
    const second = await app.api("GET", path, undefined, { "If-None-Match": first.headers.get("ETag")! });
    expect(second.status).toBe(200);
    expect(figures(second.body)).toEqual(["open", 3000, 1500, 1500]);
    expect((await app.manage("GET", path)).body).toEqual(second.body);
    const other = (await create({ productKey: "book", customerId })).body;
    const { data } = await ok(app.manage("GET", `/checkouts?customerId=${customerId}`));
    expect(data.map(figures)).toEqual([
      ["open", 4900, 1500, 3400],
      ["open", 3000, 1500, 1500],
    ]);
    await adjust(customerId, -2000);
    expect(figures(await read(other.id))).toEqual(["open", 4900, 0, 4900]);
  });

  it("uses no balance once it has expired", async () => {
    const { id: customerId } = await customerWith(1000);
    const { body } = await create({ productKey: "pro", customerId, expiresInMinutes: 5 });
    expect(figures(body)).toEqual(["open", 3000, 1000, 2000]);
    await ok(app.manage("POST", "/sandbox/clock/advance", { by: "PT6M" }));
    expect(figures(await read(body.id))).toEqual(["expired", 3000, 0, 3000]);
    const { data } = await ok(app.manage("GET", `/events?resourceId=${body.id}`));
    expect(data.map(({ type, data: shown }: Json) => [type, ...figures(shown)])).toEqual([
      ["checkout.created", "open", 3000, 1000, 2000],
      ["checkout.expired", "expired", 3000, 0, 3000],
    ]);
  });

  it("shows neither a total nor a part of the balance while the tax is unknown", async () => {
    const { id: customerId } = await customerWith(1000);
    const [own, elsewhere] = [{ country: "JP" }, { country: "DE" }];
    await ok(app.manage("PATCH", "/organization", { taxRates: [{ country: "DE", basisPoints: 1000, name: "USt" }] }));
    const { body } = await create({ productKey: "pro", customerId });
    expect(figures(body)).toEqual(["open", null, null, null]);
    const paid = await pay(body.id, { card: CARDS.pays, billingAddress: elsewhere });
    expect(figures(paid.body)).toEqual(["completed", 3300, 1000, 2300]);
    const named = await ok(app.api("POST", "/customers", { email: "jp@example.com", billingAddress: own }));
    await adjust(named.id, 100);
    expect(figures((await create({ productKey: "pro", customerId: named.id })).body)).toEqual([
      "open",
      3000,
      100,
      2900,
    ]);
    await ok(app.manage("PATCH", "/organization", { taxRates: [] }));
  });

  it("is answered again as it was, for the same Idempotency-Key", async () => {
    const { id: customerId } = await customerWith(1000);
    const key = { "Idempotency-Key": `balance-${customerId}` };
    const first = await create({ productKey: "pro", customerId }, key);
    await adjust(customerId, -400);
    const again = await create({ productKey: "pro", customerId }, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const paid = { card: CARDS.pays };
    const path = `/sandbox/checkouts/${first.body.id}/pay`;
    const payment = { "Idempotency-Key": `pay-${customerId}` };
    const once = await app.manage("POST", path, paid, payment);
    expect(figures(once.body)).toEqual(["completed", 3000, 600, 2400]);
    expect((await app.manage("POST", path, paid, payment)).body).toEqual(once.body);
    expect(await balanceOf(customerId)).toBe(0);
  });

  it("of another Organization is not found, and its Customer can't be named", async () => {
    const { id: customerId, externalId } = await customerWith(1000);
    const { body } = await create({ productKey: "pro", customerId });
    expect(await foreign.api("GET", `/checkouts/${body.id}`)).toMatchObject({ status: 404 });
    expect(await foreign.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: CARDS.pays })).toMatchObject({
      status: 404,
    });
    const prices = [{ currency: "usd", amount: 3000 }];
    await foreign.manage("POST", "/products", { key: "theirs", name: "Theirs", prices });
    for (const named of [{ customerId }, { externalCustomerId: externalId }])
      expect((await foreign.api("POST", "/checkouts", { productKey: "theirs", ...named })).status).toBe(422);
    const own = await foreign.api("POST", "/checkouts", {
      productKey: "theirs",
      customer: { email: "a@b.example", externalId },
    });
    expect(figures(own.body)).toEqual(["open", 3000, 0, 3000]);
  });
});

describe("a submitted Checkout reserves its part", () => {
  it("from another Checkout that is submitted at the same time", async () => {
    const { id: customerId } = await customerWith(1000);
    const opened = await Promise.all(
      ["pro", "add-on", "book"].map(async (productKey) => (await create({ productKey, customerId })).body),
    );
    const paid = await Promise.all(opened.map(async ({ id }) => (await pay(id)).body));
    const parts = paid.map(({ balanceApplied }) => balanceApplied).sort((one, other) => one - other);
    expect(paid.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(parts).toEqual([0, 0, 1000]);
    for (const { totalAmount, balanceApplied, amountDue } of paid) expect(totalAmount - balanceApplied).toBe(amountDue);
    expect(await balanceOf(customerId)).toBe(0);
  });

  it("until a card is declined", async () => {
    const { id: customerId } = await customerWith(1000);
    const first = (await create({ productKey: "pro", customerId })).body;
    const declined = (await pay(first.id, { card: CARDS.declined })).body;
    expect(figures(declined)).toEqual(["open", 3000, 1000, 2000]);
    const { data } = await ok(app.manage("GET", `/events?resourceId=${first.id}&type=checkout.payment_failed`));
    expect(figures(data[0].data)).toEqual(["open", 3000, 1000, 2000]);
    const other = (await create({ productKey: "book", customerId })).body;
    expect(figures((await pay(other.id)).body)).toEqual(["completed", 4900, 1000, 3900]);
    expect(figures((await pay(first.id)).body)).toEqual(["completed", 3000, 0, 3000]);
  });

  it("while the buyer is at the bank; the others see the rest", async () => {
    const { id: customerId } = await customerWith(1000);
    const first = (await create({ productKey: "pro", customerId })).body;
    const other = (await create({ productKey: "book", customerId })).body;
    expect(figures((await pay(first.id, { card: CARDS.asksBuyer })).body)).toEqual(["processing", 3000, 1000, 2000]);
    expect(figures(await read(other.id))).toEqual(["open", 4900, 0, 4900]);
    await adjust(customerId, 300);
    expect(figures(await read(first.id))).toEqual(["processing", 3000, 1000, 2000]);
    expect(figures(await read(other.id))).toEqual(["open", 4900, 300, 4600]);
    const gaveUp = await post(first.url, { action: "give-up" });
    expect(gaveUp.status).toBe(303);
    expect(figures(await read(first.id))).toEqual(["open", 3000, 1300, 1700]);
    expect(figures(await read(other.id))).toEqual(["open", 4900, 1300, 3600]);
  });
});

describe("the page", () => {
  it("shows the part of the balance, and charges only the amount that it has shown", async () => {
    const { id: customerId } = await customerWith(1000);
    const { id, url } = (await create({ productKey: "pro", customerId })).body;
    expect(wordsOf((await get(url)).text)).toContain(
      "Price US$30.00 Paid from your balance −US$10.00 Due today US$20.00",
    );
    await adjust(customerId, -400);
    const form = { number: CARDS.pays, ...TYPED, expectedAmount: "2000" };
    const refused = await post(url, form);
    expect(refused.status).toBe(409);
    expect(wordsOf(refused.text)).toContain("US$24.00 is due today. You were not charged.");
    expect(wordsOf(refused.text)).toContain("Paid from your balance −US$6.00 Due today US$24.00");
    expect(figures(await read(id))).toEqual(["open", 3000, 600, 2400]);
    expect((await post(url, { ...form, expectedAmount: "2400" })).status).toBe(303);
    expect(figures(await read(id))).toEqual(["completed", 3000, 600, 2400]);
    expect(wordsOf((await get(url)).text)).toContain("Paid from your balance US$6.00 Paid US$24.00");
  });

  it("needs no card if the balance pays all; if a part is due again, the page shows this part first", async () => {
    const { id: customerId } = await customerWith(4900);
    const { id, url } = (await create({ productKey: "book", customerId })).body;
    const words = wordsOf((await get(url)).text);
    expect(words).toContain("Paid from your balance −US$49.00 Due today US$0.00");
    expect(words).toContain("Your balance covers the whole amount due today.");
    expect(words).toContain("Pay from your balance");
    expect(words).not.toContain("Card number");
    await adjust(customerId, -900);
    const refused = await post(url, { expectedAmount: "0" });
    expect(refused.status).toBe(409);
    expect(wordsOf(refused.text)).toContain("US$9.00 is due today. You were not charged.");
    await adjust(customerId, 900);
    expect((await post(url, { expectedAmount: "0" })).status).toBe(303);
    expect(figures(await read(id))).toEqual(["completed", 4900, 4900, 0]);
  });

  it("shows no balance where the caller named no Customer, whatever e-mail is typed", async () => {
    const { email } = await customerWith(1000);
    const { url } = (await create({ productKey: "pro" })).body;
    const refused = await post(url, { email, expectedAmount: "3000" });
    expect(refused.status).toBe(422);
    for (const { text } of [await get(url), refused]) expect(text).not.toContain("balance");
  });
});

it("the timeline of a Subscription names the part that the balance settled", async () => {
  const { id: customerId } = await customerWith(1000);
  const { subscriptionId } = (await pay((await create({ productKey: "pro", customerId })).body.id)).body;
  const { data } = await ok(app.manage("GET", `/subscriptions/${subscriptionId}/timeline`));
  const [issued] = data.filter(({ type }: Json) => type === "invoice.created");
  expect(issued.text).toMatch(
    /over US\$30\.00 was created, US\$10\.00 of it settled by the balance; US\$20\.00 was due\./,
  );
});

it("a change of a Subscription shows the totals of the change", async () => {
  const { id: customerId } = await customerWith(0);
  const sold = (await create({ productKey: "add-on", customerId })).body;
  const { subscriptionId } = (await pay(sold.id)).body;
  await adjust(customerId, 300);
  const { body } = await create({ productKey: "pro", subscriptionId });
  expect(figures(body)).toEqual(["open", 700, 300, 700]);
  expect(figures((await pay(body.id)).body)).toEqual(["completed", 700, 300, 700]);
  expect(await balanceOf(customerId)).toBe(0);
});

it("the invoice explains why less of the balance was used", async () => {
  const { id: customerId } = await customerWith(2980);
  const { body } = await create({ productKey: "pro", customerId });
  const { invoiceId } = (await pay(body.id)).body;
  const { balance, due } = await ok(app.manage("GET", `/invoices/${invoiceId}/explanation`));
  expect(balance).toEqual({
    amount: 2950,
    rule: "C7",
    inputs: { totalAmount: 3000, balance: 2980, minimum: 50 },
    expression: "3000 − 50",
    text:
      "The balance had US$29.80. It settles US$29.50 of the total, and leaves US$0.50, " +
      "the smallest amount that can be charged. Of this credit, US$29.50 was granted.",
  });
  expect(due).toMatchObject({ amount: 50, text: "US$0.50 was due." });
});
