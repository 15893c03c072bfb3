import fc from "fast-check";
import { expect, it } from "vitest";
import { anyStep, newBooks, play, type Step } from "../../../test/support/any-books.ts";
import type { Books } from "../../../test/support/books.ts";
import { breachesOf } from "../../../test/support/limits.ts";
import { isLot } from "../model/balance.ts";
import { isHeld } from "../balance/move.ts";
import { isLostSource } from "../model/credit-source.ts";
import { fundsLeftOf, lostCharges } from "../invoice/returns.ts";
import { sumOf } from "../money.ts";

const history = (steps: fc.Arbitrary<Step>) => fc.tuple(fc.boolean(), fc.array(steps, { maxLength: 20, size: "max" }));

it("no line and no charge is given back more than once, after any steps (rule I6h)", () => {
  fc.assert(
    fc.property(history(anyStep), ([taxed, steps]) => {
      const books = newBooks(taxed);
      for (const step of steps) {
        play(books, step);
        expect(breachesOf(books)).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});

/** Refunds to the cards all that is left, then to the balance, and pays the credit out, until no money comes back. */
function giveAllBack(books: Books): void {
  books.settleCharges(true);
  books.settleRefunds(true);
  for (let given = 1; given > 0;) {
    given = 0;
    for (const to of ["card", "balance"] as const) {
      for (const { id } of books.rows.invoices.filter(({ status }) => status === "paid")) {
        const refund = books.refund(id, { to });
        if (!("refused" in refund)) given += refund.amount;
        books.settleRefunds(true);
      }
      const payouts = books.payOut(null);
      if (!("refused" in payouts)) given += payouts.length;
      books.settleRefunds(true);
    }
  }
}

/** Invoices with money or credit of charges that could still be given back. Held and lost money is out of reach. */
function unreachable(books: Books): string[] {
  const billing = books.billing();
  const lost = lostCharges(billing);
  return books.rows.invoices
    .filter(({ status, paidOutside }) => status === "paid" && !paidOutside)
    .flatMap((invoice) => {
      const disputes = billing.disputes.where((each) => each.invoiceId === invoice.id && each.status !== "won");
      const funds = fundsLeftOf(billing, invoice).filter(
        (fund) =>
          fund.source === "payment" && (fund.kind === "own" || (fund.kind === "lots" && !isLostSource(fund, lost))),
      );
      const left = sumOf(funds.map(({ amount }) => amount)) - sumOf(disputes.map(({ amount }) => amount));
      return left > 0 ? [`${invoice.id}: ${left}`] : [];
    });
}

it("all money of the charges can be given back once, and then no more (rules I3, I7)", () => {
  fc.assert(
    fc.property(history(anyStep), ([taxed, steps]) => {
      const books = newBooks(taxed);
      for (const step of steps) play(books, step);
      giveAllBack(books);
      expect([breachesOf(books), unreachable(books)]).toEqual([[], []]);
      const billing = books.billing();
      const lots = books.rows.balanceEntries.filter(
        (each) => isLot(each) && each.source === "payment" && each.remaining > 0 && !isHeld(billing, each),
      );
      const hasDebt = books.rows.balanceEntries.some(({ remaining }) => remaining < 0);
      expect(hasDebt ? [] : lots).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

it("refunds of all invoices bring back all that was paid, but for credit among lines that no refund reaches", () => {
  const gentle = ["change", "advance", "refund", "settleRefunds", "payOut"] as const;
  const isGentle = (step: Step) => (gentle as readonly string[]).includes(step.kind);
  const now = (step: Step): Step =>
    step.kind === "change"
      ? { ...step, behavior: "invoice_now", good: true }
      : step.kind === "advance"
        ? { ...step, good: true }
        : step;
  fc.assert(
    fc.property(history(anyStep.filter(isGentle).map(now)), ([taxed, steps]) => {
      const books = newBooks(taxed);
      for (const step of steps) play(books, step);
      giveAllBack(books);
      const { invoices, refunds, payments, lines } = books.rows;
      const billing = books.billing();
      // Only a refund of money or of the balance's part frees credit among the lines. Credit beyond that part stays.
      const netted = invoices
        .filter(({ status }) => status === "paid")
        .flatMap((invoice) =>
          fundsLeftOf(billing, invoice).filter((fund) => fund.kind === "netted" || invoice.totalAmount <= 0),
        );
      const paid = sumOf(payments.filter(({ status }) => status === "succeeded").map(({ amount }) => amount));
      const back = sumOf(
        refunds.filter(({ to, status }) => to === "card" && status === "succeeded").map(({ amount }) => amount),
      );
      expect(lines.filter(({ invoiceId }) => invoiceId === null)).toEqual([]);
      expect(back + sumOf(netted.map(({ amount }) => amount)) + (books.balances()[0]?.amount ?? 0)).toBe(paid);
    }),
    { numRuns: 150 },
  );
});
