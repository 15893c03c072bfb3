import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { limitsWith } from "./charge-limits.ts";
import { totalsOf } from "./invoice.ts";
import {
  adjusted,
  decided,
  disputed,
  issued,
  paid,
  paidOutside,
  refunded,
  unapplied,
  voided,
  writtenOff,
  type LedgerAccount,
  type TransferDraft,
} from "./ledger.ts";
import { MAX_AMOUNT } from "../money.ts";

/** The sum of each account after these transfers, debits above zero; accounts with a sum of 0 are left out. */
function held(transfers: readonly TransferDraft[]): Partial<Record<LedgerAccount, number>> {
  const accounts = new Map<LedgerAccount, number>();
  for (const { debitAccount, creditAccount, amount } of transfers) {
    accounts.set(debitAccount, (accounts.get(debitAccount) ?? 0) + amount);
    accounts.set(creditAccount, (accounts.get(creditAccount) ?? 0) - amount);
  }
  return Object.fromEntries([...accounts].filter(([, amount]) => amount !== 0));
}

const amountsOf = (totalAmount: number, balanceApplied: number) => {
  return { taxAmount: 0, totalAmount, balanceApplied, amountDue: totalAmount - balanceApplied };
};
const without = (amounts: Record<string, number>) =>
  Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));

describe("transfers (rule I4)", () => {
  type Row = [
    name: string,
    total: number,
    applied: number,
    expected: [debit: LedgerAccount, credit: LedgerAccount, amount: number][],
  ];
  const table: Row[] = [
    ["all of it is owed", 1000, 0, [["receivable", "revenue", 1000]]],
    [
      "a part is settled by the balance",
      1000,
      300,
      [
        ["receivable", "revenue", 700],
        ["balance", "revenue", 300],
      ],
    ],
    ["all of it is settled by the balance", 1000, 1000, [["balance", "revenue", 1000]]],
    ["it feeds the balance", -4000, -4000, [["revenue", "balance", 4000]]],
    [
      "it collects a debt",
      1000,
      -300,
      [
        ["receivable", "revenue", 1000],
        ["receivable", "balance", 300],
      ],
    ],
    ["it is for nothing", 0, 0, []],
  ];
  test.each(table)("when an invoice is issued: %s", (_, total, applied, expected) => {
    expect(
      issued(amountsOf(total, applied)).map((each) => [each.debitAccount, each.creditAccount, each.amount]),
    ).toEqual(expected);
  });

  it("when it is paid, by a provider or outside, or paid though it was void", () => {
    expect(paidOutside(amountsOf(1000, 300))).toEqual([
      { debitAccount: "outside", creditAccount: "receivable", amount: 700 },
    ]);
    expect(paid(amountsOf(1000, 300))).toEqual([
      { debitAccount: "provider", creditAccount: "receivable", amount: 700 },
    ]);
    expect(paid(amountsOf(1000, 1000))).toEqual([]);
    expect(unapplied(700)).toEqual([{ debitAccount: "provider", creditAccount: "balance", amount: 700 }]);
  });

  it("when a bank takes it back, and has decided", () => {
    expect(held(disputed(1190))).toEqual({ disputed: 1190, provider: -1190 });
    expect(held([...disputed(1190), ...decided("won", 1190)])).toEqual({});
    expect(held([...disputed(1190), ...decided("lost", 1190)])).toEqual({ dispute_lost: 1190, provider: -1190 });
  });

  it("when it is refunded, to a card or to the balance", () => {
    expect(refunded({ fromBalance: 0, amount: 1190, taxAmount: 190, to: "card" })).toEqual([
      { debitAccount: "revenue", creditAccount: "provider", amount: 1190 },
      { debitAccount: "tax", creditAccount: "revenue", amount: 190 },
    ]);
    expect(refunded({ fromBalance: 0, amount: 500, taxAmount: 0, to: "balance" })).toEqual([
      { debitAccount: "revenue", creditAccount: "balance", amount: 500 },
    ]);
  });

  it("when a balance is adjusted by hand, or written off, either way", () => {
    expect(adjusted(500)).toEqual([{ debitAccount: "adjustment", creditAccount: "balance", amount: 500 }]);
    expect(adjusted(-500)).toEqual([{ debitAccount: "balance", creditAccount: "adjustment", amount: 500 }]);
    expect(writtenOff(500)).toEqual([{ debitAccount: "balance", creditAccount: "written_off", amount: 500 }]);
    expect(writtenOff(-500)).toEqual([{ debitAccount: "written_off", creditAccount: "balance", amount: 500 }]);
  });
});

describe("for any amounts of an invoice", () => {
  const line = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }));
  const totals = fc
    .record({ lines: fc.array(line, { maxLength: 5 }), balance: line, currency: fc.constantFrom("usd", "jpy", "kwd") })
    .map(({ lines, balance, currency }) =>
      totalsOf(
        lines.map((amount) => ({ amount, discountAmount: 0, taxAmount: 0, tax: null })),
        balance,
        limitsWith(currency, currency === "kwd" ? 10 : 1),
      ),
    );

  it("receivables move by the amount due, the balance by the amount applied, revenue by the total", () => {
    fc.assert(
      fc.property(totals, (amounts) => {
        const { totalAmount, balanceApplied, amountDue } = amounts;
        const moved = held(issued(amounts));
        expect(moved).toEqual(without({ receivable: amountDue, balance: balanceApplied, revenue: -totalAmount }));
        expect(Object.values(moved).reduce((sum, amount) => sum + amount, 0)).toBe(0);
      }),
    );
  });

  it("paid, the invoice leaves no receivable, and the provider holds the amount due", () => {
    fc.assert(
      fc.property(totals, (amounts) => {
        const { totalAmount, balanceApplied, amountDue } = amounts;
        const moved = held([...issued(amounts), ...paid(amounts)]);
        expect(moved).toEqual(without({ provider: amountDue, balance: balanceApplied, revenue: -totalAmount }));
      }),
    );
  });

  it("void, it is as if it had never been; money that still arrives is the Customer's", () => {
    fc.assert(
      fc.property(totals, (amounts) => {
        const gone = [...issued(amounts), ...voided(amounts)];
        expect(held(gone)).toEqual({});
        const { amountDue } = amounts;
        expect(held([...gone, ...unapplied(amountDue)])).toEqual(without({ provider: amountDue, balance: -amountDue }));
      }),
    );
  });

  it("each transfer is above zero, between two accounts, and each pair of them is posted once", () => {
    fc.assert(
      fc.property(totals, (amounts) => {
        for (const transfers of [issued(amounts), paid(amounts), voided(amounts)]) {
          expect(
            transfers.every(({ debitAccount, creditAccount, amount }) => amount > 0 && debitAccount !== creditAccount),
          ).toBe(true);
          expect(new Set(transfers.map((each) => `${each.debitAccount} ${each.creditAccount}`)).size).toBe(
            transfers.length,
          );
        }
      }),
    );
  });
});
