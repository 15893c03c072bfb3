import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Balance } from "./balance.ts";
import { creditAtEnd, type Ending, type EndTerms } from "./credit-at-end.ts";
import type { InvoiceLine } from "./invoice.ts";
import { limitsWith } from "./charge-limits.ts";

/** A line that waited, or a line of a full period (`proration` false). */
const line = (amount: number, proration = true) =>
  ({ amount, discountAmount: 0, taxAmount: 0, tax: null, proration }) as InvoiceLine;
const usd = (amount: number): Balance[] => [{ currency: "usd", amount }];
const eur = (amount: number): Balance[] => [{ currency: "eur", amount }];
const ending = (waiting: number[], open: Ending["open"] = [], currency = "usd"): Ending => ({
  currency,
  waiting: waiting.map((amount) => line(amount)),
  open,
});
const NO_HELD: EndTerms = { heldOn: () => 0, heldAmong: () => 0, limits: (currency) => limitsWith(currency, 1) };
const unpaid = (balanceApplied: number, ...lines: InvoiceLine[]) => ({ invoice: { balanceApplied }, lines });

describe("the credit of a Customer once everything has ended (rules I5, S4, S5)", () => {
  test.each<[string, Balance[], Ending[], Balance[]]>([
    ["nothing", [], [], []],
    ["a balance", usd(500), [ending([])], usd(500)],
    ["a debt is no credit", usd(-500), [], []],
    ["a debt takes nothing off credit in another currency", [...usd(-500), ...eur(1)], [], eur(1)],
    ["credit that waits", [], [ending([-3000, 1000])], usd(2000)],
    ["credit that waits, less a debt", usd(-1500), [ending([-3000, 1000])], usd(500)],
    ["credit that a debt swallows", usd(-2000), [ending([-3000, 1000])], []],
    ["a waiting charge is given up, and the balance stays", usd(400), [ending([-1000, 3000])], usd(400)],
    ["a waiting charge that the balance pays whole", usd(2500), [ending([-1000, 3000])], usd(500)],
    ["a waiting sum that is too little for a charge", usd(10), [ending([49])], []],
    ["credit of one Subscription pays a waiting charge of the next", [], [ending([-3000]), ending([2000])], usd(1000)],
    [
      "the part of an open invoice that the balance had settled",
      [],
      [ending([], [unpaid(700, line(2000, false))])],
      usd(700),
    ],
    ["a debt that an open invoice collects", usd(300), [ending([], [unpaid(-200, line(2000, false))])], usd(100)],
    [
      "credit that an open invoice took in waits again",
      [],
      [ending([], [unpaid(0, line(-500), line(2000, false))])],
      usd(500),
    ],
    [
      "a charge that it took in is given up with it",
      [],
      [ending([-100], [unpaid(0, line(500), line(2000, false))])],
      usd(100),
    ],
    ["credit in two currencies", usd(5), [ending([-7], [], "eur")], [...usd(5), ...eur(7)]],
  ])("%s", (_, balances, endings, expected) => {
    expect(creditAtEnd(balances, endings, NO_HELD)).toEqual(expected);
  });

  it("counts held credit: it pays for nothing that waits (rule D7)", () => {
    const onBalance = { ...NO_HELD, heldOn: () => 2000 };
    const amongLines = { ...NO_HELD, heldAmong: () => 3000 };
    expect(creditAtEnd(usd(2000), [ending([2000])], NO_HELD)).toEqual([]);
    expect(creditAtEnd(usd(2000), [ending([2000])], onBalance)).toEqual(usd(2000));
    expect(creditAtEnd([], [ending([-3000, 1000])], amongLines)).toEqual(usd(2000));
    // The total is above zero, so a charge would be due: the last invoice becomes void.
    expect(creditAtEnd(usd(500), [ending([-3000, 4000])], amongLines)).toEqual(usd(500));
  });

  it("is always above zero, and without Subscriptions the balances themselves", () => {
    const amount = fc.integer({ min: -10_000, max: 10_000 });
    fc.assert(
      fc.property(amount, fc.array(fc.array(amount, { maxLength: 3 }), { maxLength: 3 }), (balance, waiting) => {
        expect(creditAtEnd(usd(balance), [], NO_HELD)).toEqual(balance > 0 ? usd(balance) : []);
        const left = creditAtEnd(
          usd(balance),
          waiting.map((amounts) => ending(amounts)),
          NO_HELD,
        );
        for (const each of left) expect(each.amount).toBeGreaterThan(0);
        const credit = waiting.map((amounts) => Math.max(0 - amounts.reduce((sum, each) => sum + each, 0), 0));
        const most = Math.max(balance, 0) + credit.reduce((sum, each) => sum + each, 0);
        expect(left[0]?.amount ?? 0).toBeLessThanOrEqual(most);
      }),
    );
  });
});
