import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { CURRENCIES } from "../currency.ts";
import { fullLine, totalsOf } from "./invoice.ts";
import { ONE_UNIT } from "./quantity.ts";
import { MAX_AMOUNT } from "../money.ts";
import { limitsWith } from "./charge-limits.ts";

const linesOf = (amounts: readonly number[]) =>
  amounts.map((amount) => ({ amount, discountAmount: 0, taxAmount: 0, tax: null }));

describe("the amounts of an invoice (rules M2, M4, M5)", () => {
  const table: [name: string, lines: number[], balance: number, total: number, applied: number, due: number][] = [
    ["one line", [1000], 0, 1000, 0, 1000],
    ["a credit and a debit", [-6667, 20_000], 0, 13_333, 0, 13_333],
    ["no lines", [], 500, 0, 0, 0],
    ["nothing to pay", [0], -500, 0, 0, 0],
    ["a balance pays a part", [1000], 300, 1000, 300, 700],
    ["a balance pays it all", [1000], 1000, 1000, 1000, 0],
    ["a balance pays more than it all", [1000], 5000, 1000, 1000, 0],
    ["a debt is collected with it", [1000], -300, 1000, -300, 1300],
    ["a total below zero feeds the balance whole (rule P2)", [-5000, 1000], 0, -4000, -4000, 0],
    ["and adds to the balance there is", [-400], 300, -400, -400, 0],
    ["and makes a debt less", [-400], -300, -400, -400, 0],
    ["lines that cancel each other out", [-3, 3], 250, 0, 0, 0],
    ["the minimum itself is charged", [50], 0, 50, 0, 50],
    ["less than the minimum becomes a debt (rule M5)", [49], 0, 49, 49, 0],
    ["so does a rest under it that a balance leaves", [1000], 951, 1000, 1000, 0],
    ["a rest at the minimum is charged", [1000], 950, 1000, 950, 50],
    ["a debt under the minimum grows", [20], -29, 20, 20, 0],
    ["until it is worth a charge", [20], -30, 20, -30, 50],
  ];
  test.each(table)("%s", (_, lines, balance, totalAmount, balanceApplied, amountDue) => {
    const totals = totalsOf(linesOf(lines), balance, limitsWith("usd", 1));
    expect(totals).toEqual({
      subtotalAmount: totalAmount,
      discountAmount: 0,
      taxAmount: 0,
      taxIncludedAmount: 0,
      totalAmount,
      balanceApplied,
      balanceBasis: { balance, minimum: 50 },
      amountDue,
    });
  });

  const between: [name: string, lines: number[], balance: number, held: number, applied: number, due: number][] = [
    ["a multiple of the step is charged whole", [1290], 0, 0, 0, 1290],
    ["the part above the step becomes a debt", [1292], 0, 0, 2, 1290],
    ["which the next invoice collects", [1308], -2, 0, -2, 1310],
    ["or joins its own part", [1292], -2, 0, 2, 1290],
    ["a debt that is smaller than the own part grows", [1295], -3, 0, 5, 1290],
    ["a larger debt is collected as far as a step goes", [1292], -27, 0, -18, 1310],
    ["a balance pays a part, and the rest is rounded", [1292], 300, 0, 302, 990],
    ["a balance leaves a multiple", [1292], 302, 0, 302, 990],
    ["a balance pays it all", [1292], 1292, 0, 1292, 0],
    ["less than the minimum charge becomes a debt as a whole", [499], 0, 0, 499, 0],
    ["the minimum charge and a part above the step", [509], 0, 0, 9, 500],
    ["a total below zero feeds the balance whole", [-1292], 0, 0, -1292, 0],
    ["held credit goes to the balance, less the part above the step", [-301, 1292], 0, 301, -299, 1290],
  ];
  test.each(between)("with a step of 10: %s (rule M5)", (_, lines, balance, held, balanceApplied, amountDue) => {
    expect(totalsOf(linesOf(lines), balance, { least: 500, step: 10 }, held)).toMatchObject({
      balanceApplied,
      amountDue,
      balanceBasis: { balance, minimum: 500, step: 10, ...(held === 0 ? {} : { held }) },
    });
  });

  it("collect each part above a step in the end: charges and the last balance come to the totals", () => {
    const total = fc.integer({ min: 0, max: 3000 });
    const steps = fc.constantFrom(1, 10, 100);
    fc.assert(
      fc.property(fc.array(total, { maxLength: 8 }), fc.integer({ min: -50, max: 50 }), steps, (all, first, step) => {
        const limits = limitsWith("kwd", step);
        let balance = first;
        let charged = 0;
        for (const each of all) {
          const { amountDue, balanceApplied } = totalsOf(linesOf([each]), balance, limits);
          expect(amountDue % step).toBe(0);
          balance -= balanceApplied;
          charged += amountDue;
          // A debt is never as large as the smallest charge.
          if (amountDue > 0) expect(balance === 0 || (balance < 0 && balance > -step)).toBe(true);
        }
        expect(charged + first - balance).toBe(all.reduce((sum, each) => sum + each, 0));
      }),
    );
  });

  it("add up: total = balance applied + amount due, and the amount due can be charged", () => {
    const amount = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }));
    fc.assert(
      fc.property(
        fc.array(amount, { maxLength: 6 }),
        amount,
        fc.constantFrom(...CURRENCIES.keys()),
        fc.constantFrom(1, 10, 100),
        (lines, held, currency, step) => {
          const limits = limitsWith(currency, step);
          const totals = totalsOf(linesOf(lines), held, limits);
          const { subtotalAmount, discountAmount, taxAmount, totalAmount, balanceApplied, amountDue } = totals;
          expect(totalAmount).toBe(lines.reduce((sum, each) => sum + each, 0));
          expect(totalAmount).toBe(subtotalAmount - discountAmount + taxAmount);
          expect(totalAmount).toBe(balanceApplied + amountDue);
          expect(amountDue === 0 || amountDue >= limits.least).toBe(true);
          expect(amountDue % step).toBe(0);
          // A balance is used down to 0 at most. A debt arises only from a remainder that can't be charged.
          const left = held - balanceApplied;
          const most = amountDue === 0 ? limits.least : step;
          if (totalAmount > 0) expect(left >= 0 || left > -most).toBe(true);
          else expect(left).toBe(held - totalAmount);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a full line", () => {
  const product = { id: "prd_1", name: "Pro", price: 1000, currency: "usd", ...ONE_UNIT };
  const plain = { discount: null, tax: null };
  const whole = {
    description: "Pro",
    productName: "Pro",
    productId: "prd_1",
    amount: 1000,
    discountAmount: 0,
    taxAmount: 0,
    tax: null,
    proration: false,
    basis: { kind: "period", price: 1000, discount: null },
    creditedLineId: null,
  };

  it("names its Product, and its period unless the Product is sold for good", () => {
    const [start, end] = [at("2025-06-01"), at("2025-07-01")];
    expect(fullLine(product, { start, end }, plain)).toEqual({ ...whole, periodStart: start, periodEnd: end });
    expect(fullLine(product, null, plain)).toEqual({ ...whole, periodStart: null, periodEnd: null });
  });
});
