import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Json } from "../support/app.ts";
import { evaluate } from "../support/arithmetic.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** The explanations that an operator can read to a Customer on the telephone. Dates mean 9:00. */
describe("a bad month, explained", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  const invoices = async () =>
    (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`))).data.reverse() as Json[];
  const explain = (invoice: Json) => story.ok(story.app.manage("GET", `/invoices/${invoice.id}/explanation`));

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { app, ok } = story;
    await ok(app.manage("PATCH", "/organization", { taxRates: [{ country: "DE", name: "VAT", basisPoints: 1900 }] }));
    const sso = await ok(
      app.manage("POST", "/benefits", {
        type: "feature",
        key: "sso",
        name: "Single sign-on",
        properties: { value: true },
      }),
    );
    await story.plan("ten", 1000, { benefitIds: [sso.id] });
    await story.plan("thirty", 3000, { benefitIds: [sso.id] });
    await ok(
      app.manage("POST", "/discounts", { code: "HALF", type: "percentage", basisPoints: 5000, duration: "once" }),
    );
    const customer = { email: "ada@example.com", externalId: "ada", billingAddress: { country: "DE" } };
    const checkout = await ok(app.api("POST", "/checkouts", { productKey: "ten", discountCode: "HALF", customer }));
    ({ subscriptionId: id, customerId } = await ok(
      app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.failsLater }),
    ));
    await story.travel("2025-07-10"); // declined on 1 July, again on the 4th; the grace ends on the 8th
    await story.newCard(customerId, CARDS.pays);
    await story.travel("2025-07-17T00:00:00Z");
    await story.change(id, { productKey: "thirty" });
    const [, renewal] = await invoices();
    await ok(app.manage("POST", `/invoices/${renewal!.id}/refunds`, { amount: 500, reason: "Goodwill" }));
    await app.runDue();
  });
  afterAll(() => story.close());

  it("says in words how each invoice came about", async () => {
    const explained = [];
    for (const invoice of await invoices()) {
      const { lines, total, balance, due } = await explain(invoice);
      const texts = lines.flatMap((line: Json) =>
        [line.amount, line.discount, line.tax].filter(Boolean).map((part: Json) => part.text),
      );
      explained.push([...texts, total.text, balance.text, due.text]);
    }
    expect(explained).toEqual([
      [
        "The price for 1 June 2025 to 1 July 2025: US$10.00.",
        "Discount HALF: 50 % of US$10.00 is US$5.00.",
        "19 % VAT on US$5.00 is US$0.95.",
        "US$10.00 in all, less US$5.00 discount, plus US$0.95 tax: US$5.95.",
        "The balance is not used, or was zero.",
        "US$5.95 was due.",
      ],
      [
        "The price for 1 July 2025 to 1 August 2025: US$10.00.",
        "19 % VAT on US$10.00 is US$1.90.",
        "US$10.00 in all, plus US$1.90 tax: US$11.90.",
        "The balance is not used, or was zero.",
        "US$11.90 was due.",
      ],
      [
        "US$10.00 was billed for 1 July 2025 to 1 August 2025, after discounts, refunds and lost payments. " +
          "On 17 July 2025, 15.38 days of 31 days were left. That part is given back: US$4.96.",
        "19 % VAT on -US$4.96 is -US$0.94.",
        "The new price is US$30.00 for 1 July 2025 to 1 August 2025, after discounts. " +
          "On 17 July 2025, 15.38 days of 31 days were left. That part is billed: US$14.88.",
        "19 % VAT on US$14.88 is US$2.83.",
        "US$9.92 in all, plus US$1.89 tax: US$11.81.",
        "The balance is not used, or was zero.",
        "US$11.81 was due.",
      ],
    ]);
  });

  it("states inputs and arithmetic that come to each amount", async () => {
    for (const invoice of await invoices()) {
      const { lines, total, balance, due } = await explain(invoice);
      for (const part of [
        ...lines.flatMap((line: Json) => [line.amount, line.discount, line.tax]),
        total,
        balance,
        due,
      ]) {
        if (part) expect(evaluate(part.expression), part.text).toBe(part.amount);
      }
      expect(lines.map((line: Json) => line.amount.amount)).toEqual(invoice.lines.map((line: Json) => line.amount));
      expect([total.amount, balance.amount, due.amount]).toEqual([
        invoice.totalAmount,
        invoice.balanceApplied,
        invoice.amountDue,
      ]);
    }
  });

  it("tells the story in order", async () => {
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline`));
    const number = (await invoices()).map((invoice) => invoice.number as string);
    expect(data.map(({ at, text }: Json) => `${at.slice(0, 10)} ${text}`)).toEqual([
      "2025-06-01 A checkout page was created.",
      "2025-06-01 US$5.95 was charged to Visa ending in 0341.",
      "2025-06-01 The Subscription began: US$10.00 every month, until 1 July 2025.",
      `2025-06-01 Invoice ${number[0]} over US$5.95 was created; US$5.95 was due.`,
      `2025-06-01 Invoice ${number[0]} is paid.`,
      "2025-06-01 Single sign-on: granted, because the Product was bought.",
      "2025-06-01 The checkout was completed.",
      "2025-06-24 Notice was given that the Subscription renews on 1 July 2025.",
      "2025-07-01 The Subscription was renewed, from 1 July 2025 to 1 August 2025.",
      `2025-07-01 Invoice ${number[1]} over US$11.90 was created; US$11.90 was due.`,
      "2025-07-01 US$11.90 could not be charged to Visa ending in 0341 (card declined).",
      `2025-07-01 Invoice ${number[1]} could not be paid. It is tried again on 4 July 2025.`,
      "2025-07-01 The Subscription is past due, because a payment failed. The payment is tried again by the schedule.",
      "2025-07-04 US$11.90 could not be charged to Visa ending in 0341 (card declined).",
      `2025-07-04 Invoice ${number[1]} could not be paid. It is tried again on 8 July 2025.`,
      "2025-07-08 US$11.90 could not be charged to Visa ending in 0341 (card declined).",
      `2025-07-08 Invoice ${number[1]} could not be paid. It is tried again on 15 July 2025.`,
      "2025-07-08 Single sign-on: revoked, because a payment failed and no days of grace were left.",
      "2025-07-10 US$11.90 was charged to Visa ending in 4242.",
      `2025-07-10 Invoice ${number[1]} is paid.`,
      "2025-07-10 All owed amounts are paid. The Subscription is active again.",
      "2025-07-10 Single sign-on: granted, because everything that was owed is paid.",
      "2025-07-17 US$11.81 was charged to Visa ending in 4242.",
      "2025-07-17 The Product was changed from ten to thirty, US$30.00 every month.",
      `2025-07-17 Invoice ${number[2]} over US$11.81 was created; US$11.81 was due.`,
      `2025-07-17 Invoice ${number[2]} is paid.`,
      "2025-07-17 A refund of US$5.00 to the card was asked for.",
      `2025-07-17 Of invoice ${number[1]}, US$5.00 in all was given back.`,
    ]);
  });

  it("names the Product of a planned change, too", async () => {
    await story.change(id, { productKey: "ten", prorationBehavior: "next_period" });
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline`));
    expect(data.at(-1).text).toMatch(/^A change to ten, US\$10\.00 every month, was scheduled for /);
    await story.change(id, { productKey: "thirty" });
  });

  it("has pages, and none of another Organization", async () => {
    const first = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline?limit=2`));
    expect(first.data).toHaveLength(2);
    const second = await story.ok(
      story.app.manage("GET", `/subscriptions/${id}/timeline?limit=2&cursor=${first.nextCursor}`),
    );
    expect(second.data[0].text).toBe("The Subscription began: US$10.00 every month, until 1 July 2025.");
    for (const path of [
      "/subscriptions/sub_01jzzzzzzzzzzzzzzzzzzzzzzz/timeline",
      "/invoices/inv_01jzzzzzzzzzzzzzzzzzzzzzzz/explanation",
    ]) {
      expect((await story.app.manage("GET", path)).status).toBe(404);
    }
  });
});

test.each([
  ["round(3000 × 1 ÷ 2)", 1500],
  ["−round(1000 × 1 ÷ 3)", -333],
  ["round(5 ÷ 2)", 3],
  ["round(-5 ÷ 2)", -3],
  ["min(-3, 10)", -3],
  ["1000 − 250 + 143 − 0", 893],
])("the arithmetic %s is %s", (expression, amount) => expect(evaluate(expression)).toBe(amount));
