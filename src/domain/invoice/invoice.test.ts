import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { CURRENCIES, minimumCharge } from "../currency.ts";
import { fullLine, totalsOf } from "./invoice.ts";
import { MAX_AMOUNT } from "../money.ts";

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
    const totals = totalsOf(linesOf(lines), balance, minimumCharge("usd"));
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

  it("add up: total = balance applied + amount due, and the amount due can be charged", () => {
    const amount = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }));
    fc.assert(
      fc.property(
        fc.array(amount, { maxLength: 6 }),
        amount,
        fc.constantFrom(...CURRENCIES.keys()),
        (lines, held, currency) => {
          const minimum = minimumCharge(currency);
          const totals = totalsOf(linesOf(lines), held, minimum);
          const { subtotalAmount, discountAmount, taxAmount, totalAmount, balanceApplied, amountDue } = totals;
          expect(totalAmount).toBe(lines.reduce((sum, each) => sum + each, 0));
          expect(totalAmount).toBe(subtotalAmount - discountAmount + taxAmount);
          expect(totalAmount).toBe(balanceApplied + amountDue);
          expect(amountDue === 0 || amountDue >= minimum).toBe(true);
          // A balance is used down to 0 at most. A debt arises only from a remainder under the minimum charge.
          const left = held - balanceApplied;
          if (totalAmount > 0) expect(left >= 0 || (amountDue === 0 && left > -minimum)).toBe(true);
          else expect(left).toBe(held - totalAmount);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a full line", () => {
  const product = { id: "prd_1", name: "Pro", price: 1000 };
  const plain = { discount: null, tax: null };
  const whole = {
    description: "Pro",
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
