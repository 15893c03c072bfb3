import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { evaluate } from "../support/arithmetic.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const VAT = { country: "DE", name: "USt", basisPoints: 1900, inclusive: true, reverseCharge: true };
const GERMAN = { type: "eu_vat", value: "DE811569869" };
const NOTE = "Prices exclude tax. Reverse charge: the tax is to be accounted for by the recipient.";

const figures = ({ totalAmount, taxAmount, balanceApplied, amountPaid }: Json) =>
  `${totalAmount} with ${taxAmount} tax, balance ${balanceApplied}, paid ${amountPaid}`;
const lines = (invoice: Json) =>
  invoice.lines.map(({ amount, discountAmount, taxAmount }: Json) => [amount, discountAmount, taxAmount]);

function begin(organization: object, clock = "2025-06-01T09:00:00Z") {
  const current = {} as { story: Story };
  beforeAll(async () => {
    current.story = await startStory({ clock });
    await current.story.plan("ten", 1190);
    await current.story.plan("twenty", 2380);
    await current.story.ok(current.story.app.manage("PATCH", "/organization", organization));
  });
  afterAll(() => current.story.close());
  const manage = (method: string, path: string, body?: object): Promise<Json> =>
    current.story.ok(current.story.app.manage(method, path, body));
  return {
    current,
    manage,
    newest: async (id: string): Promise<Json> =>
      (await manage("GET", `/invoices?subscriptionId=${id}&limit=1`)).data[0],
    buy: (name: string, taxId: object | null, more: object = {}) =>
      current.story.buy(
        {
          productKey: "ten",
          customer: { email: `${name}@example.com`, billingAddress: { country: "DE" }, taxId },
          ...more,
        },
        CARDS.pays,
      ),
  };
}

describe("prices that contain tax, and a business of another country than the seller's", () => {
  let id: string;
  let customerId: string;
  const { current, manage, newest, buy } = begin({ taxRates: [VAT], address: { country: "IE" } });

  it("2025-06-01: pays the net of a consumer's price", async () => {
    const consumer = await buy("consumer", null);
    expect(figures(await newest(consumer.id))).toBe("1190 with 190 tax, balance 0, paid 1190");
    ({ id, customerId } = await buy("firm", GERMAN));
    const invoice = await newest(id);
    expect(figures(invoice)).toBe("1000 with 0 tax, balance 0, paid 1000");
    expect(invoice).toMatchObject({ subtotalAmount: 1000, taxNote: NOTE, buyer: { taxId: GERMAN } });
    expect(invoice.taxes).toEqual([{ ...VAT, region: null, inclusive: false, taxableAmount: 1000, taxAmount: 0 }]);
    const { lines: explained } = await manage("GET", `/invoices/${invoice.id}/explanation`);
    expect(explained[0].amount).toMatchObject({
      amount: 1000,
      rule: "X3",
      expression: "1190 − round(1190 × 1900 ÷ 11900)",
      text:
        "The price for 1 June 2025 to 1 July 2025: US$11.90, which contains 19 % USt, US$1.90. Without it: " +
        "US$10.00.",
    });
  });

  it("2025-06-16: an upgrade gives back and bills net amounts", async () => {
    await current.story.travel("2025-06-16");
    await current.story.change(id, { productKey: "twenty" });
    const invoice = await newest(id);
    expect([figures(invoice), lines(invoice)]).toEqual([
      "500 with 0 tax, balance 0, paid 500",
      [
        [-500, 0, 0],
        [1000, 0, 0],
      ],
    ]);
    const { lines: explained } = await manage("GET", `/invoices/${invoice.id}/explanation`);
    for (const [n, line] of invoice.lines.entries()) expect(evaluate(explained[n].amount.expression)).toBe(line.amount);
    expect(explained[1].amount.text).toContain(
      "The new price is US$20.00 for 1 June 2025 to 1 July 2025, after discounts, without tax.",
    );
  });

  it("2025-07-16: a buyer that is no business any more gets no tax back that was never paid", async () => {
    await current.story.travel("2025-07-16");
    expect(figures(await newest(id))).toBe("2000 with 0 tax, balance 0, paid 2000");
    await manage("PATCH", `/customers/${customerId}`, { taxId: null });
    const preview = await manage("POST", `/subscriptions/${id}/preview`, { productKey: "ten" });
    expect(preview.lines.map(({ amount, taxAmount }: Json) => [amount, taxAmount])).toEqual([
      [-1032, 0],
      [614, 98],
    ]);
    await current.story.change(id, { productKey: "ten" });
    const invoice = await newest(id);
    expect([figures(invoice), lines(invoice)]).toEqual([
      "-418 with 98 tax, balance -418, paid 0",
      [
        [-1032, 0, 0],
        [614, 0, 98],
      ],
    ]);
    expect(invoice.lines.map(({ taxRate }: Json) => [taxRate.inclusive, taxRate.reverseCharge])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it("2025-08-16: a buyer that becomes a business gets back the tax that was paid", async () => {
    await current.story.travel("2025-08-16");
    expect(figures(await newest(id))).toBe("1190 with 190 tax, balance 418, paid 772");
    await manage("PATCH", `/customers/${customerId}`, { taxId: GERMAN });
    await current.story.change(id, { productKey: "twenty" });
    const invoice = await newest(id);
    expect([figures(invoice), lines(invoice)]).toEqual([
      "418 with -98 tax, balance 0, paid 418",
      [
        [-614, 0, -98],
        [1032, 0, 0],
      ],
    ]);
  });

  it("2025-09-01: a refund of such an invoice has no tax, and lowers the paid rate of its period", async () => {
    await current.story.travel("2025-09-01");
    const invoice = await newest(id);
    expect(figures(invoice)).toBe("2000 with 0 tax, balance 0, paid 2000");
    const refund = await manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 });
    expect(refund).toMatchObject({ amount: 500, taxAmount: 0 });
    await current.story.settle();
    await current.story.change(id, { productKey: "ten" });
    expect(lines(await newest(id))).toEqual([
      [-1500, 0, 0],
      [1000, 0, 0],
    ]);
    expect(await current.story.audit()).toEqual([]);
  });

  it("2025-09-01: a discount is taken off the price, and the tax out of the rest", async () => {
    await manage("POST", "/discounts", { code: "THIRD", type: "percentage", basisPoints: 3333, duration: "forever" });
    const firm = await buy("third", GERMAN, { discountCode: "THIRD" });
    const invoice = await newest(firm.id);
    expect(lines(invoice)).toEqual([[1000, 334, 0]]);
    const { lines: explained } = await manage("GET", `/invoices/${invoice.id}/explanation`);
    expect(evaluate(explained[0].discount.expression)).toBe(334);
    expect(explained[0].discount.text).toBe(
      "Discount THIRD: 33.33 % of US$11.90 is US$3.97. Without tax that comes to US$3.34.",
    );
    await current.story.travel("2025-09-16T09:00:00Z");
    await current.story.change(firm.id, { productKey: "twenty" });
    expect(lines(await newest(firm.id))).toEqual([
      [-333, 0, 0],
      [667, 0, 0],
    ]);
  });

  it("2025-09-16: an imported Subscription was billed without tax elsewhere, too", async () => {
    const customer = { email: "imported@example.com", billingAddress: { country: "DE" }, taxId: GERMAN };
    const { id: importedId } = await current.story.ok(current.story.app.api("POST", "/customers", customer));
    await current.story.newCard(importedId, CARDS.pays);
    const body = { customerId: importedId, productKey: "ten", startedAt: "2025-09-01T09:00:00Z" };
    const imported = await manage("POST", "/subscriptions", body);
    await current.story.change(imported.id, { productKey: "twenty" });
    expect(lines(await newest(imported.id))).toEqual([
      [-500, 0, 0],
      [1000, 0, 0],
    ]);
  });

  it("2025-09-16: a price that is too small to be charged without its tax is charged with it", async () => {
    await current.story.plan("tiny", 58);
    const tiny = await buy("tiny", GERMAN, { productKey: "tiny" });
    expect(figures(await newest(tiny.id))).toBe("58 with 9 tax, balance 0, paid 58");
    await current.story.travel("2025-10-16T09:00:00Z");
    expect(figures(await newest(tiny.id))).toBe("49 with 0 tax, balance 49, paid 0");
    expect(await current.story.audit()).toEqual([]);
  });
});

describe("tax ids that remove no tax", () => {
  const { manage, newest, buy } = begin({ taxRates: [VAT], address: { country: "IE" } });

  test.each([
    ["of another country than the address", { type: "eu_vat", value: "FR40303265045" }],
    ["of a type without a check", { type: "us_tax_id", value: "12-3456789" }],
    ["of the country, but not of its VAT", { type: "de_tax_id", value: "811569869" }],
  ])("%s", async (name, taxId) => {
    const { id } = await buy(name.replaceAll(/\W+/g, "-"), taxId);
    expect(await newest(id)).toMatchObject({ totalAmount: 1190, taxAmount: 190, taxNote: null, buyer: { taxId } });
  });

  test("of a buyer in the seller's country, or where the seller has none", async () => {
    for (const address of [{ country: "DE" }, null]) {
      await manage("PATCH", "/organization", { address });
      const { id } = await buy(`from-${address?.country ?? "nowhere"}`, GERMAN);
      expect(await newest(id)).toMatchObject({ taxAmount: 190, taxNote: null });
    }
  });
});

describe("a tax id that was stored before tax ids were checked", () => {
  const storeStatement = sql("test.store_tax_id", "UPDATE customers SET tax_id = $2 WHERE id = $1");
  const { current, manage, newest, buy } = begin({ taxRates: [VAT], address: { country: "IE" } });

  it("is kept and shown as failed; invoices from then on are taxed", async () => {
    const { id, customerId } = await buy("old", GERMAN);
    const taxId = { type: "eu_vat", value: "some text" };
    await current.story.app.ctx.db.tx((tx) => tx.query(storeStatement, [customerId, JSON.stringify(taxId)]));
    const before = await newest(id);
    expect(before).toMatchObject({ totalAmount: 1000, buyer: { taxId: GERMAN } });
    await current.story.travel("2025-07-01");
    expect(await newest(id)).toMatchObject({ totalAmount: 1190, taxAmount: 190, taxNote: null, buyer: { taxId } });
    expect(await manage("GET", `/invoices/${before.id}`)).toEqual(before);
    const changed = await manage("PATCH", `/customers/${customerId}`, { name: "Old" });
    expect(changed).toMatchObject({ name: "Old", taxId: { ...taxId, verification: "failed" } });
    await manage("PATCH", `/customers/${customerId}`, { taxId: { type: "eu_vat", value: "de811569869" } });
    await current.story.travel("2025-08-01");
    expect(await newest(id)).toMatchObject({ totalAmount: 1000, taxNote: NOTE });
    expect(await current.story.audit()).toEqual([]);
  });
});
