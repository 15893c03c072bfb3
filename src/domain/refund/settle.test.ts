import { describe, expect, it } from "vitest";
import { newBooks } from "../../../test/support/any-books.ts";
import type { Books } from "../../../test/support/books.ts";
import { DAY } from "../calendar.ts";
import type { Refund } from "../model/refund.ts";

const SUB = "sub_00a";
/** Pro for 30.00, and a change to another Product after `days`. */
function changed(product: "team" | "free", days = 0): Books {
  const books = newBooks(false);
  if (days > 0) books.advance(days * DAY);
  books.change(SUB, { productId: `prd_a_${product}`, prorationBehavior: "invoice_now" });
  books.settleCharges(true);
  return books;
}
const FIRST = "inv_00a";
const lastInvoice = ({ rows }: Books) => rows.invoices.at(-1)!.id;
const rateOf = ({ rows }: Books) => rows.subscriptions.find(({ id }) => id === SUB)!.paidRate;
const creditOf = ({ rows }: Books) => rows.lines.find(({ creditedLineId }) => creditedLineId === "iln_00a")!.sources;
const balanceOf = (books: Books) => books.balances()[0]?.amount ?? 0;
const P1 = { source: "payment", paymentId: "pay_00a" };
const done = (answer: Refund | { refused: string }): Refund => {
  if ("refused" in answer) throw new Error(answer.refused);
  return answer;
};

describe("credit of an invoice that a refund frees (rule I3g)", () => {
  it("is freed once the refund has succeeded, and can then be refunded at the first invoice", () => {
    const books = changed("team", 15);
    const refund = done(books.refund(lastInvoice(books), {}));
    expect(refund).toMatchObject({ amount: 1500, status: "pending" });
    expect(refund.freed).toMatchObject([{ ...P1, amount: 1500 }]);
    expect(refund.lines).toMatchObject([{ amount: 1500, freed: 1500 }]);
    expect([rateOf(books), creditOf(books)]).toEqual([0, [{ ...P1, amount: 1500 }]]);
    expect(done(books.refund(FIRST, {})).amount).toBe(1500);
    expect(books.refund(FIRST, {})).toEqual({ refused: "credit_spent" });
    books.settleRefunds(true);
    expect([rateOf(books), creditOf(books)]).toEqual([0, []]);
    expect(done(books.refund(FIRST, {})).amount).toBe(1500);
    books.settleRefunds(true);
    expect(books.refund(FIRST, { amount: 1 })).toEqual({ refused: "nothing_to_refund" });
    expect(books.rows.refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(4500);
  });

  it("is not freed by a refund that fails, and the paid rate is as before", () => {
    const books = changed("team", 15);
    books.refund(lastInvoice(books), {});
    books.settleRefunds(false);
    expect([rateOf(books), creditOf(books)]).toEqual([6000, [{ ...P1, amount: 1500 }]]);
    expect(done(books.refund(lastInvoice(books), {}))).toMatchObject({ amount: 1500, freed: [{ amount: 1500 }] });
  });

  it("is freed at once by a refund to the balance", () => {
    const books = changed("team", 15);
    expect(done(books.refund(lastInvoice(books), { to: "balance", amount: 500 })).freed).toMatchObject([
      { amount: 500 },
    ]);
    expect(creditOf(books)).toEqual([{ ...P1, amount: 1000 }]);
    expect(balanceOf(books)).toBe(500);
    expect(done(books.refund(FIRST, {})).amount).toBe(2000);
  });
});

describe("the part of a refund that came off the balance (rule I3i)", () => {
  it("leaves the balance at once, and is there again if the refund fails", () => {
    const books = changed("free");
    expect(balanceOf(books)).toBe(3000);
    const refund = done(books.refund(FIRST, { amount: 3000 }));
    expect(refund).toMatchObject({ fromBalance: 3000, lines: [], freed: [] });
    expect(balanceOf(books)).toBe(0);
    books.settleRefunds(false);
    expect(balanceOf(books)).toBe(3000);
    const [lot] = books.rows.balanceEntries.filter(({ reason }) => reason === "payout_failed");
    expect(lot).toMatchObject({ ...P1, creditedLineId: "iln_00a", remaining: 3000, refundId: refund.id });
    expect(done(books.refund(FIRST, { amount: 3000 })).fromBalance).toBe(3000);
  });

  it("settles debts that were made meanwhile", () => {
    const books = changed("free");
    books.refund(FIRST, { amount: 3000 });
    books.adjust(-100);
    expect(balanceOf(books)).toBe(-100);
    books.settleRefunds(false);
    expect(balanceOf(books)).toBe(2900);
    expect(books.refund(FIRST, { amount: 3000 })).toEqual({ refused: "credit_spent" });
    expect(done(books.refund(FIRST, { amount: 2900 })).fromBalance).toBe(2900);
  });

  it("may be disputed if the refund failed, but not while the refund is under way", () => {
    const books = changed("free");
    books.refund(FIRST, { amount: 3000 });
    expect(books.dispute("pay_00a")).toEqual({ refused: "payment_not_disputable" });
    books.settleRefunds(false);
    books.dispute("pay_00a");
    expect(books.rows.disputes).toMatchObject([{ amount: 3000, status: "open" }]);
    expect(books.payOut(null)).toEqual({ refused: "nothing_to_pay_out" });
  });
});
