import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import type { BalanceEntry, BalanceReason } from "./balance.ts";
import { applyHold, holdsOf, totalsWith } from "./hold.ts";

const entry = (
  amount: number,
  reason: BalanceReason = "invoice",
  currency = "usd",
  on = "2025-06-01",
): BalanceEntry => ({
  organizationId: "org_1",
  id: "bal_1",
  customerId: "cus_1",
  currency,
  amount,
  reason,
  note: null,
  invoiceId: null,
  createdAt: at(on),
});
const gift = (amount: number, on?: string) => entry(amount, "adjustment", "usd", on);
const disputed = (amount: number, credited: number, currency = "usd", since = "2025-06-01") => ({
  currency,
  disputed: amount,
  credited,
  since: at(since),
});
const later = (amount: number, since: string) => disputed(amount, amount, "usd", since);

describe("credit from disputed charges (rule D7)", () => {
  type Row = [
    what: string,
    charges: ReturnType<typeof disputed>[],
    entries: BalanceEntry[],
    claim: number,
    granted: number,
  ];
  const table: Row[] = [
    ["all that came from the charge", [disputed(3000, 3000)], [entry(3000)], 3000, 0],
    ["at most the amount that the bank took", [disputed(2000, 3000)], [entry(3000)], 2000, 0],
    ["zero where no credit came from it", [disputed(3000, 0)], [entry(500)], 0, 0],
    ["that of several charges together", [disputed(3000, 3000), disputed(2000, 500)], [entry(3500)], 3500, 0],
    ["credit of an operator is told apart", [disputed(3000, 3000)], [entry(3000), gift(700)], 3000, 700],
    ["and is used first", [disputed(3000, 3000)], [entry(3000), gift(700), entry(-500)], 3000, 200],
    ["until it is used up", [disputed(3000, 3000)], [entry(3000), gift(700), entry(-900)], 3000, 0],
    ["credit that an operator took away is held no more", [disputed(3000, 3000)], [entry(3000), gift(-1000)], 2000, 0],
    [
      "credit that the operator gave before is taken first",
      [disputed(3000, 3000)],
      [gift(400), entry(3000), gift(-1000)],
      2400,
      0,
    ],
    ["a gift fills a debt first", [disputed(3000, 3000)], [entry(-300), gift(1000)], 3000, 700],
    ["taking away more than there is makes a debt alone", [disputed(3000, 3000)], [entry(1000), gift(-4000)], 2000, 0],
    [
      "credit taken away before the dispute was other credit",
      [later(3000, "2025-06-02")],
      [entry(900), gift(-900), entry(3000)],
      3000,
      0,
    ],
    [
      "credit of a charge that is disputed later was not taken away",
      [later(500, "2025-06-01"), later(3000, "2025-06-03")],
      [entry(900), gift(-900, "2025-06-02"), entry(3000)],
      3000,
      0,
    ],
    ["other currencies do not count", [disputed(3000, 3000)], [entry(3000), entry(900, "adjustment", "eur")], 3000, 0],
  ];
  test.each(table)("%s", (_, charges, entries, claim, granted) => {
    expect(holdsOf(charges, entries)).toEqual([{ currency: "usd", claim, granted }]);
  });

  it("has a hold for each currency", () => {
    expect(
      holdsOf([disputed(10, 10), disputed(20, 20, "eur")], []).map(({ currency, claim }) => [currency, claim]),
    ).toEqual([
      ["usd", 10],
      ["eur", 20],
    ]);
  });

  it("never holds more than there is, nor credit that operators gave and that is left", () => {
    const amounts = fc.array(fc.tuple(fc.integer({ min: -5000, max: 5000 }), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(amounts, fc.nat(9000), fc.nat(9000), fc.nat(3000), (moves, taken, credited, onInvoice) => {
        const entries = moves
          .filter(([amount]) => amount !== 0)
          .map(([amount, byHand]) => (byHand ? gift(amount) : entry(amount)));
        const balance = entries.reduce((sum, { amount }) => sum + amount, 0);
        const [hold] = holdsOf([disputed(taken, credited)], entries);
        expect(hold!.granted).toBeLessThanOrEqual(Math.max(balance, 0));
        const { onBalance, onLines } = applyHold(hold, { balance, reserved: 0, credited: onInvoice });
        expect(onBalance).toBeLessThanOrEqual(Math.max(balance - hold!.granted, 0));
        expect(onLines).toBeLessThanOrEqual(onInvoice);
        expect(onBalance + onLines).toBeLessThanOrEqual(Math.min(taken, credited));
      }),
    );
  });
});

describe("held credit among the lines of an invoice (rule D7)", () => {
  const line = (amount: number, more: object = {}) => ({ amount, discountAmount: 0, taxAmount: 0, tax: null, ...more });
  const funds = { balance: 0, reserved: 0, hold: { currency: "usd", claim: 9000, granted: 0 } };

  it("goes to the balance, and the rest is to be paid", () => {
    const lines = [line(-5000, { creditedLineId: "iln_0" }), line(500, { id: "iln_1" }), line(1000)];
    expect(totalsWith(lines, funds, 50)).toMatchObject({ totalAmount: -3500, balanceApplied: -5000, amountDue: 1500 });
  });

  it("is no credit of a line that is billed only here: that was paid by no charge yet", () => {
    const credits = [line(-5000, { creditedLineId: "iln_0" }), line(-400, { creditedLineId: "iln_1" })];
    const lines = [...credits, line(500, { id: "iln_1" }), line(1000)];
    expect(totalsWith(lines, funds, 50)).toMatchObject({ totalAmount: -3900, balanceApplied: -5000, amountDue: 1100 });
  });
});

describe("how a hold falls on the credit that there is (rule D7)", () => {
  const hold = { currency: "usd", claim: 3000, granted: 500 };
  test.each([
    ["the balance first", { balance: 2500, reserved: 0, credited: 4000 }, { onBalance: 2000, onLines: 1000 }],
    ["a debt holds nothing", { balance: -100, reserved: 0, credited: 4000 }, { onBalance: 0, onLines: 3000 }],
    [
      "credit on the invoice as far as there is some",
      { balance: 0, reserved: 0, credited: 200 },
      { onBalance: 0, onLines: 200 },
    ],
    [
      "a pending change uses the operator's credit first",
      { balance: 2100, reserved: 400, credited: 0 },
      { onBalance: 2000, onLines: 0 },
    ],
  ])("%s", (_, credit, held) => expect(applyHold(hold, credit)).toEqual(held));
});
