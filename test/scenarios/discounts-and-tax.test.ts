import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const line = ({ description, amount, discountAmount, taxAmount }: Json) =>
  `${description} ${amount} −${discountAmount} +${taxAmount}`;
const totals = ({ status, subtotalAmount, discountAmount, taxAmount, totalAmount, balanceApplied, amountPaid }: Json) =>
  `${status} ${subtotalAmount} −${discountAmount} +${taxAmount} = ${totalAmount}, balance ${balanceApplied}, ` +
  `paid ${amountPaid}`;

/** The newest invoices of a Subscription, as figures. Dates mean 9:00, so dates are whole days apart. */
function reader(story: () => Story) {
  return async (subscriptionId: string, limit = 1): Promise<string[]> => {
    const { data } = await story().ok(
      story().app.manage("GET", `/invoices?subscriptionId=${subscriptionId}&limit=${limit}`),
    );
    return data
      .reverse()
      .flatMap((invoice: Json) => [totals(invoice), ...invoice.lines.map((each: Json) => `  ${line(each)}`)]);
  };
}

describe("a quarter off for three months, and 19 % on top", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  const invoices = reader(() => story);
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("ten", 1000);
    await story.plan("thirty", 3000);
    await story.plan("year", 30_000, { interval: "year" });
    const vat = { country: "DE", name: "USt", basisPoints: 1900 };
    await story.ok(
      story.app.manage("PATCH", "/organization", {
        taxRates: [vat, { ...vat, country: "FR", basisPoints: 2000, name: "TVA" }],
      }),
    );
    const launch = {
      code: "Launch25",
      type: "percentage",
      basisPoints: 2500,
      duration: "repeating",
      months: 3,
      maxRedemptions: 2,
    };
    await story.ok(story.app.manage("POST", "/discounts", launch));
  });
  afterAll(() => story.close());

  it("2025-06-01: the Checkout shows the amount due once it knows the country", async () => {
    const asked = { productKey: "ten", discountCode: "LAUNCH25" };
    const unknown = await story.ok(
      story.app.api("POST", "/checkouts", { ...asked, customer: { email: "grace@example.com" } }),
    );
    expect(unknown).toMatchObject({
      subtotalAmount: 1000,
      discountAmount: 250,
      taxAmount: null,
      totalAmount: null,
      recurringAmount: 1000,
    });
    const refused = await story.app.manage("POST", `/sandbox/checkouts/${unknown.id}/pay`, { card: CARDS.pays });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, "/billingAddress"]);
    const customer = { email: "ada@example.com", externalId: "ada", billingAddress: { country: "DE" } };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { ...asked, customer }));
    expect(checkout).toMatchObject({
      subtotalAmount: 1000,
      discountAmount: 250,
      taxAmount: 143,
      totalAmount: 893,
      discountId: expect.any(String),
    });
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    id = paid.subscriptionId;
    customerId = paid.customerId;
    expect(await invoices(id)).toEqual(["paid 1000 −250 +143 = 893, balance 0, paid 893", "  ten 1000 −250 +143"]);
    expect(await story.subscription(id)).toMatchObject({ amount: 1000, discountId: checkout.discountId });
    expect((await story.books()).captured).toEqual([893]);
  });

  it("2025-06-16: an upgrade credits the paid price, bills the new price after discount, and taxes both", async () => {
    await story.travel("2025-06-16");
    const preview = await story.ok(story.app.manage("POST", `/subscriptions/${id}/preview`, { productKey: "thirty" }));
    await story.change(id, { productKey: "thirty" });
    expect(await invoices(id)).toEqual([
      "paid 750 −0 +143 = 893, balance 0, paid 893",
      "  ten, unused rest of the period -375 −0 +-71",
      "  thirty, rest of the period 1125 −0 +214",
    ]);
    expect(preview).toMatchObject({ chargeAmount: 893, nextInvoice: { totalAmount: 2678 } });
  });

  it("2025-07-01, 2025-08-01: two more months are discounted, 2025-09-01 is not", async () => {
    await story.travel("2025-09-01");
    expect(await invoices(id, 3)).toEqual([
      "paid 3000 −750 +428 = 2678, balance 0, paid 2678",
      "  thirty 3000 −750 +428",
      "paid 3000 −750 +428 = 2678, balance 0, paid 2678",
      "  thirty 3000 −750 +428",
      "paid 3000 −0 +570 = 3570, balance 0, paid 3570",
      "  thirty 3000 −0 +570",
    ]);
  });

  it("2025-09-16: a credit bears the rate of its period, not that of the present address (rule X3)", async () => {
    await story.travel("2025-09-16");
    await story.ok(story.app.manage("PATCH", `/customers/${customerId}`, { billingAddress: { country: "FR" } }));
    await story.change(id, { productKey: "year" });
    expect(await invoices(id)).toEqual([
      "paid 28500 −0 +5715 = 34215, balance 0, paid 34215",
      "  thirty, unused rest of the period -1500 −0 +-285",
      "  year 30000 −0 +6000",
    ]);
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`));
    expect(data[0].taxes).toMatchObject([
      { name: "USt", country: "DE", basisPoints: 1900, taxableAmount: -1500, taxAmount: -285 },
      { name: "TVA", country: "FR", basisPoints: 2000, taxableAmount: 30_000, taxAmount: 6000 },
    ]);
    expect(data[0]).toMatchObject({ taxNote: null, buyer: { address: { country: "FR" } } });
  });

  it("2025-09-16: the balance receives totals, tax included", async () => {
    await story.change(id, { productKey: "ten" });
    expect((await invoices(id))[0]).toBe("paid -29000 −0 +-5800 = -34800, balance -34800, paid 0");
    expect(await story.balance(customerId)).toBe(34_800);
  });

  it("the code is used up when two have bought with it; a payment that fails gives its use back", async () => {
    const buyer = (email: string) => ({
      productKey: "ten",
      discountCode: "launch25",
      customer: { email, billingAddress: { country: "DE" } },
    });
    const one = await story.ok(story.app.api("POST", "/checkouts", buyer("one@example.com")));
    const two = await story.ok(story.app.api("POST", "/checkouts", buyer("two@example.com")));
    const pay = (checkout: Json, card: string) =>
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card });
    expect((await pay(one, CARDS.declined)).body).toMatchObject({ status: "open" });
    expect((await pay(two, CARDS.pays)).body).toMatchObject({ status: "completed" });
    const late = await pay(one, CARDS.pays);
    expect([late.status, late.body.code]).toEqual([409, "discount_exhausted"]);
    const { data } = await story.ok(story.app.manage("GET", "/discounts?code=LAUNCH25"));
    expect(data).toMatchObject([{ code: "Launch25", redemptions: 2, maxRedemptions: 2 }]);
    const refused = await story.app.api("POST", "/checkouts", buyer("three@example.com"));
    expect(refused.body.errors).toMatchObject([{ pointer: "/discountCode", code: "discount_exhausted" }]);
  });
});

describe("other terms", () => {
  let story: Story;
  const invoices = reader(() => story);
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("ten", 1000);
    await story.plan("trial", 1000, { trialDays: 14, group: "trials" });
  });
  afterAll(() => story.close());
  const discount = (body: object) => story.ok(story.app.manage("POST", "/discounts", body));
  const buyer = (name: string, more: object = {}) => ({
    customer: { email: `${name}@example.com`, externalId: name, ...more },
  });

  it("all of it for ever: no card is asked for, and no invoice is ever paid with money", async () => {
    await discount({ code: "FRIEND", type: "percentage", basisPoints: 10_000, duration: "forever" });
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "ten", discountCode: "FRIEND", ...buyer("friend") }),
    );
    expect(checkout).toMatchObject({ subtotalAmount: 1000, discountAmount: 1000, totalAmount: 0 });
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
    await story.travel("2025-07-01");
    expect(await invoices(paid.subscriptionId)).toEqual([
      "paid 1000 −1000 +0 = 0, balance 0, paid 0",
      "  ten 1000 −1000 +0",
    ]);
    expect(await story.subscription(paid.subscriptionId)).toMatchObject({ status: "active" });
  });

  it("all of the first month: a card is saved, and charged with the second", async () => {
    await discount({ code: "FIRST", type: "percentage", basisPoints: 10_000, duration: "once" });
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "ten", discountCode: "FIRST", ...buyer("first") }),
    );
    const without = await story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {});
    expect([without.status, without.body.errors[0].pointer]).toEqual([422, "/card"]);
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    await story.travel("2025-08-01");
    expect(await invoices(paid.subscriptionId, 2)).toEqual([
      "paid 1000 −1000 +0 = 0, balance 0, paid 0",
      "  ten 1000 −1000 +0",
      "paid 1000 −0 +0 = 1000, balance 0, paid 1000",
      "  ten 1000 −0 +0",
    ]);
  });

  it("once, in a trial: off the first invoice, after the trial", async () => {
    await discount({ code: "ONCE", type: "fixed", amount: 400, currency: "usd", duration: "once" });
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "trial", discountCode: "ONCE", ...buyer("trying") }),
    );
    const paid = await story.ok(
      story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }),
    );
    await story.travel("2025-09-15");
    expect(await invoices(paid.subscriptionId, 2)).toEqual([
      "paid 1000 −400 +0 = 600, balance 0, paid 600",
      "  trial 1000 −400 +0",
      "paid 1000 −0 +0 = 1000, balance 0, paid 1000",
      "  trial 1000 −0 +0",
    ]);
  });

  it("a code that can't be used says why, at its pointer", async () => {
    const refused = async (discountCode: string, more: object = {}) => {
      const { body } = await story.app.api("POST", "/checkouts", {
        productKey: "ten",
        discountCode,
        ...buyer("refused"),
        ...more,
      });
      return body.errors?.[0].pointer + " " + body.errors?.[0].code;
    };
    const other = await story.plan("other", 2000);
    await discount({ code: "TINY", type: "fixed", amount: 960, currency: "usd", duration: "once" });
    await discount({ code: "EUROS", type: "fixed", amount: 100, currency: "eur", duration: "once" });
    await discount({ code: "OTHER", type: "percentage", basisPoints: 100, duration: "once", productIds: [other.id] });
    await discount({
      code: "LATER",
      type: "percentage",
      basisPoints: 100,
      duration: "once",
      startsAt: "2026-01-01T00:00:00Z",
    });
    expect(await refused("NOBODY")).toBe("/discountCode unknown_discount");
    expect(await refused("TINY")).toBe("/discountCode discount_below_minimum");
    expect(await refused("EUROS")).toBe("/discountCode discount_other_currency");
    expect(await refused("OTHER")).toBe("/discountCode discount_not_for_product");
    expect(await refused("LATER")).toBe("/discountCode discount_not_active");
  });

  it("prices that contain the tax: it is inside, and a business of that country accounts for it itself", async () => {
    const rate = { country: "FR", name: "TVA", basisPoints: 2000, inclusive: true, reverseCharge: true };
    await story.ok(story.app.manage("PATCH", "/organization", { taxRates: [rate], address: { country: "DE" } }));
    const consumer = await story.buy(
      { productKey: "ten", ...buyer("person", { billingAddress: { country: "FR" } }) },
      CARDS.pays,
    );
    expect((await invoices(consumer.id))[0]).toBe("paid 1000 −0 +167 = 1000, balance 0, paid 1000");
    const taxId = { type: "eu_vat", value: "FR40303265045" };
    const firm = await story.buy(
      { productKey: "ten", ...buyer("firm", { billingAddress: { country: "FR" }, taxId }) },
      CARDS.pays,
    );
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${firm.id}&limit=1`));
    expect(data[0]).toMatchObject({
      taxAmount: 0,
      totalAmount: 833,
      taxNote: expect.stringContaining("Reverse charge"),
      buyer: { taxId },
    });
    expect(await story.audit()).toEqual([]);
  });
});
