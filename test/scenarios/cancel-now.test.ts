import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { evaluate } from "../support/arithmetic.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const livingIn = (country: string) => ({ billingAddress: { country } });

/** `cancel-now` bills only the passed part of waiting lines (rule S4), and its preview says so before (rule P8). */
describe("an end at once, while lines wait", () => {
  let story: Story;
  const sold: Record<string, Json> = {};
  const next = (name: string, productKey: string) =>
    story.change(sold[name].id, { productKey, prorationBehavior: "next_invoice" });
  const buy = async (name: string, productKey: string, card: string = CARDS.pays, country = "US") => {
    sold[name] = await story.buy(
      { productKey, customer: { email: `${name}@example.com`, externalId: name, ...livingIn(country) } },
      card,
    );
  };
  const invoicesOf = async (name: string) =>
    (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${sold[name].id}`))).data;
  const preview = (name: string) =>
    story.ok(story.app.manage("POST", `/subscriptions/${sold[name].id}/cancel-now/preview`));

  /** Ends a Subscription, and compares the preview with the outcome. `charged` false: the charge is declined. */
  async function end(name: string, charged = true): Promise<{ previewed: Json; statement: string[] }> {
    const { id, customerId } = sold[name];
    const [balance, before, invoices] = [
      await story.balance(customerId),
      (await story.books()).captured,
      await invoicesOf(name),
    ];
    await story.statement();
    const previewed = await preview(name);
    expect(await invoicesOf(name)).toEqual(invoices);
    const { endedAt } = await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    await story.settle();
    expect(previewed).toMatchObject({ effectiveAt: endedAt, nextInvoice: null });
    expect(sum((await story.books()).captured) - sum(before)).toBe(charged ? previewed.chargeAmount : 0);
    expect((await story.balance(customerId)) - balance).toBe(previewed.balanceChange);
    const after = await invoicesOf(name);
    expect(after.length > invoices.length ? after[0].lines : []).toMatchObject(previewed.lines);
    return { previewed, statement: await story.statement() };
  }

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    for (const [key, amount] of Object.entries({ pro: 3000, mid: 5000, max: 9000 })) await story.plan(key, amount);
    const rates = [{ country: "DE", name: "VAT", basisPoints: 1900 }];
    await story.ok(story.app.manage("PATCH", "/organization", { taxRates: rates }));
    for (const name of ["up", "twice", "planned", "atOnce", "cardless"]) await buy(name, "pro");
    for (const name of ["down", "deleted"]) await buy(name, "max");
    await buy("declined", "pro", CARDS.failsLater);
    await buy("owing", "mid", CARDS.failsLater);
    await buy("taxed", "pro", CARDS.pays, "DE");
    await story.travel("2025-06-16");
    for (const name of ["up", "twice", "planned", "declined", "taxed", "cardless"]) await next(name, "max");
    for (const name of ["down", "deleted", "owing"]) await next(name, "pro");
    await story.change(sold["planned"].id, { cancelAtPeriodEnd: true });
    await story.travel("2025-06-21");
  });
  afterAll(() => story.close());

  it("2025-06-21: after 5 of 15 days a third of an upgrade is charged, whether or not an end was planned", async () => {
    for (const name of ["up", "planned"]) {
      const { previewed, statement } = await end(name);
      expect(previewed).toMatchObject({ chargeAmount: 1000, balanceChange: 0 });
      expect(statement).toEqual([
        "0002 product_change paid 1000",
        "     pro, unused rest of the period up to the cancellation -500 2025-06-16 → 2025-06-21",
        "     max, rest of the period up to the cancellation 1500 2025-06-16 → 2025-06-21",
      ]);
    }
  });

  it("2025-06-21: a third of a downgrade goes to the balance", async () => {
    const { previewed, statement } = await end("down");
    expect(previewed).toMatchObject({ chargeAmount: 0, balanceChange: 1000 });
    expect(statement).toEqual([
      "0002 product_change paid -1000 (balance -1000)",
      "     max, unused rest of the period up to the cancellation -1500 2025-06-16 → 2025-06-21",
      "     pro, rest of the period up to the cancellation 500 2025-06-16 → 2025-06-21",
    ]);
  });

  it("2025-06-21: its explanation says how much waited, and how much of the time had passed", async () => {
    const [invoice] = await invoicesOf("up");
    const { lines } = await story.ok(story.app.manage("GET", `/invoices/${invoice.id}/explanation`));
    expect(lines[1].amount).toEqual({
      amount: 1500,
      rule: "S4",
      inputs: { rate: 9000, rest: 1_296_000_000, period: 2_592_000_000, waiting: 4500, passed: 432_000_000 },
      expression: "round(round(9000 × 1296000000 ÷ 2592000000) × 432000000 ÷ 1296000000)",
      text:
        "The new price is US$90.00 for 1 June 2025 to 1 July 2025, after discounts. " +
        "On 16 June 2025, 15 days of 30 days were left. " +
        "That part is billed: US$45.00. This amount waited for the next invoice. " +
        "On 21 June 2025 the Subscription ended at once, " +
        "after 5 days of 15 days. Only that part of it counts: US$15.00.",
    });
    expect(lines.map(({ amount }: Json) => evaluate(amount.expression))).toEqual([-500, 1500]);
  });

  it("2025-06-21: the tax is that of the line's day, though the Customer has moved (rule X3)", async () => {
    await story.ok(story.app.manage("PATCH", `/customers/${sold["taxed"].customerId}`, livingIn("FR")));
    const { previewed } = await end("taxed");
    expect(previewed.chargeAmount).toBe(1190);
    const [invoice] = await invoicesOf("taxed");
    expect(invoice).toMatchObject({
      totalAmount: 1190,
      taxes: [{ taxableAmount: 1000, taxAmount: 190, basisPoints: 1900 }],
    });
    expect(invoice.lines.map(({ amount, taxAmount }: Json) => [amount, taxAmount])).toEqual([
      [-500, -95],
      [1500, 285],
    ]);
  });

  it("2025-06-21: a charge that is declined leaves a void invoice, and the Subscription ended", async () => {
    const { previewed, statement } = await end("declined", false);
    expect(previewed).toMatchObject({ chargeAmount: 1000, balanceChange: 0 });
    expect(statement[0]).toBe("0002 product_change void 1000");
    expect(await story.subscription(sold["declined"].id)).toMatchObject({ status: "canceled" });
  });

  it("2025-06-21: without a usable card the invoice is void at once, and the preview has no charge", async () => {
    const report = "UPDATE payment_methods SET dead = true, due_at = NULL WHERE customer_id = $1 RETURNING id";
    await story.app.ctx.db.tx((tx) =>
      tx.query(sql("test.card_reported_stolen", report), [sold["cardless"].customerId]),
    );
    const { previewed, statement } = await end("cardless");
    expect(previewed).toMatchObject({ chargeAmount: 0, balanceChange: 0, lines: [{ amount: -500 }, { amount: 1500 }] });
    expect(statement[0]).toBe("0002 product_change void 1000");
  });

  it("2025-06-21: a deletion counts them whole: credit becomes balance, which is written off (rule I5)", async () => {
    await story.statement();
    expect(
      (await story.app.manage("DELETE", `/customers/${sold["deleted"].customerId}?forfeitBalance=true`)).status,
    ).toBe(204);
    expect(await story.statement()).toEqual([
      "0002 product_change paid -3000 (balance -3000)",
      "     max, unused rest of the period -4500 2025-06-16 → 2025-07-01",
      "     pro, rest of the period 1500 2025-06-16 → 2025-07-01",
    ]);
  });

  it("2025-06-26: each line counts for its own span", async () => {
    await next("twice", "mid");
    await story.travel("2025-06-26");
    const { previewed, statement } = await end("twice");
    expect(previewed.chargeAmount).toBe(1334);
    expect(statement).toEqual([
      "0002 product_change paid 1334",
      "     pro, unused rest of the period up to the cancellation -1000 2025-06-16 → 2025-06-26",
      "     max, rest of the period up to the cancellation 3000 2025-06-16 → 2025-06-26",
      "     max, unused rest of the period up to the cancellation -1500 2025-06-21 → 2025-06-26",
      "     mid, rest of the period up to the cancellation 834 2025-06-21 → 2025-06-26",
    ]);
  });

  it("2025-06-26: lines with a span that has not begun come to 0, so there is no invoice", async () => {
    await next("atOnce", "max");
    const { previewed, statement } = await end("atOnce");
    expect(previewed).toMatchObject({ lines: [], chargeAmount: 0, balanceChange: 0 });
    expect(statement).toEqual([]);
  });

  it("2025-07-02: credit that a void invoice gives back counts whole, since its span is over (rule S5)", async () => {
    await story.travel("2025-07-02");
    const [renewal] = await invoicesOf("owing");
    expect(renewal).toMatchObject({ status: "open", amountDue: 2000 });
    const { previewed, statement } = await end("owing");
    expect(previewed).toMatchObject({ chargeAmount: 0, balanceChange: 1000 });
    const headings = statement.filter((line) => line.startsWith("0"));
    expect(headings).toEqual(["0002 renewal void 2000", "0003 product_change paid -1000 (balance -1000)"]);
    expect(previewed.lines.map(({ amount, periodEnd }: Json) => [amount, periodEnd.slice(0, 10)])).toEqual([
      [-2500, "2025-07-01"],
      [1500, "2025-07-01"],
    ]);
  });

  it("a year on no work is left", async () => {
    await story.travel("2026-07-01");
    expect(await story.audit()).toEqual([]);
  });
});
