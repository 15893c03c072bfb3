import { describe, expect, test } from "vitest";
import { refundable, type Refund } from "./refund.ts";

describe("the amount that may still be refunded (rule I3)", () => {
  const refund = (status: Refund["status"], amount: number) => ({ status, amount });
  type Row = [what: string, paid: number, total: number, refunds: Pick<Refund, "status" | "amount">[], left: number];
  const table: Row[] = [
    ["all that was paid", 1000, 1000, [], 1000],
    ["not the part that the balance settled", 700, 1000, [], 700],
    ["not the debt that it collected", 1300, 1000, [], 1000],
    ["zero of a free invoice", 0, 0, [], 0],
    ["zero of an invoice that fed the balance", 0, -4000, [], 0],
    ["the rest after refunds", 1000, 1000, [refund("succeeded", 300), refund("succeeded", 200)], 500],
    ["not an amount that is on its way", 1000, 1000, [refund("pending", 300), refund("unknown", 200)], 500],
    ["the amount of a failed refund, too", 1000, 1000, [refund("failed", 1000), refund("succeeded", 1)], 999],
    ["zero when all is given back", 1000, 1000, [refund("succeeded", 1000)], 0],
  ];
  test.each(table)("%s", (_, amountPaid, totalAmount, refunds, left) => {
    expect(refundable({ amountPaid, totalAmount, balanceBasis: null }, { refunds, disputed: 0, credits: [] })).toBe(
      left,
    );
  });

  test("less the amount that a bank took back", () => {
    const paid = { amountPaid: 1000, totalAmount: 1000, balanceBasis: null };
    const given = { refunds: [refund("succeeded", 300)], credits: [] };
    expect(refundable(paid, { ...given, disputed: 600 })).toBe(100);
    // The bank does not know of refunds to the balance: refunds and a dispute together may exceed the paid amount.
    expect(refundable(paid, { ...given, disputed: 1000 })).toBe(0);
  });

  test("held credit on it did not lower its price, and a debt that it collected beside is no part of it", () => {
    const balanceBasis = { balance: -200, minimum: 50, held: 5000 };
    const back = { refunds: [], disputed: 0, credits: [] };
    expect(refundable({ amountPaid: 1500, totalAmount: -3500, balanceBasis }, back)).toBe(1500);
    expect(refundable({ amountPaid: 1700, totalAmount: -3500, balanceBasis }, back)).toBe(1500);
  });

  test("less later credits of its lines; a credit on the invoice itself has already lowered its total", () => {
    const paid = { amountPaid: 1000, totalAmount: 1000, balanceBasis: null };
    const credits = [
      { creditedLineId: "a", amount: 400, netted: false },
      { creditedLineId: "b", amount: 250, netted: true },
    ];
    expect(refundable(paid, { refunds: [], disputed: 0, credits })).toBe(600);
    expect(refundable(paid, { refunds: [refund("succeeded", 300)], disputed: 100, credits })).toBe(200);
    expect(refundable(paid, { refunds: [refund("succeeded", 300)], disputed: 700, credits })).toBe(0);
  });
});
