import { describe, expect, it } from "vitest";
import { newBooks } from "../../../test/support/any-books.ts";
import type { Books } from "../../../test/support/books.ts";
import { DAY } from "../calendar.ts";
import type { Refund } from "../model/refund.ts";

const [SUB, INVOICE, CHARGE] = ["sub_00a", "inv_00a", "pay_00a"];
const done = (answer: Refund | null | { refused: string }): Refund => {
  if (answer === null || "refused" in answer) throw new Error(answer?.refused ?? "no refund");
  return answer;
};
const rateOf = ({ rows }: Books) => rows.subscriptions.find(({ id }) => id === SUB)!.paidRate;
const balanceOf = (books: Books) => books.balances()[0]?.amount ?? 0;
const lotsOf = ({ rows }: Books) =>
  rows.balanceEntries
    .filter(({ remaining }) => remaining > 0)
    .map(({ source, paymentId, remaining }) => [source, paymentId, remaining]);
const change = (books: Books, product: string) =>
  books.change(SUB, { productId: `prd_a_${product}`, prorationBehavior: "invoice_now" });
function refunded(amount: number): { books: Books; refund: Refund } {
  const books = newBooks(false);
  const refund = done(books.refund(INVOICE, { amount }));
  books.settleRefunds(true);
  return { books, refund };
}

describe("a refund that fails late (rule I8)", () => {
  it("leaves the paid rate and the refunded lines as they are, and credits the balance", () => {
    const { books, refund } = refunded(1000);
    expect(rateOf(books)).toBe(2000);
    expect(done(books.failLate(refund.id))).toMatchObject({
      status: "failed",
      failedLate: true,
      failureCode: "card_gone",
    });
    expect([rateOf(books), lotsOf(books)]).toEqual([2000, [["refund_failed", CHARGE, 1000]]]);
    expect(books.refund(INVOICE, {})).toMatchObject({ amount: 2000 });
  });

  it("fails once, and not before its success", () => {
    const { books, refund } = refunded(1000);
    const pending = done(books.refund(INVOICE, { amount: 500 }));
    expect(done(books.failLate(pending.id))).toMatchObject({ status: "pending" });
    books.failLate(refund.id);
    expect(done(books.failLate(refund.id))).toMatchObject({ status: "failed" });
    expect(balanceOf(books)).toBe(1000);
  });

  it("settles a debt first", () => {
    const { books, refund } = refunded(1000);
    books.adjust(-700);
    books.failLate(refund.id);
    expect([balanceOf(books), lotsOf(books)]).toEqual([300, [["refund_failed", CHARGE, 300]]]);
  });

  /** Credit of a failed refund, of another charge and of a grant. */
  function threeLots(): Books {
    const { books, refund } = refunded(1000);
    books.failLate(refund.id);
    books.refund("inv_00b", { amount: 200, to: "balance" });
    books.adjust(500);
    return books;
  }

  it("is spent after credit of payments, and before a grant (rule I6c)", () => {
    const books = threeLots();
    // The lines are -28.00 and 33.33, and the balance pays 5.33.
    books.change("sub_00b", { productId: "prd_b_odd", prorationBehavior: "invoice_now" });
    expect(lotsOf(books)).toEqual([
      ["refund_failed", CHARGE, 667],
      ["granted", null, 500],
    ]);
  });

  it("is taken away by an operator after a grant, and before credit of payments (rule I6d)", () => {
    const books = threeLots();
    books.adjust(-1400);
    expect(lotsOf(books)).toEqual([
      ["refund_failed", CHARGE, 100],
      ["payment", "pay_00b", 200],
    ]);
    expect(books.payOut(null)).toMatchObject([{ paymentId: "pay_00b", amount: 200 }]);
  });
});

describe("a refund at the provider (rule I9)", () => {
  it("reverses the sale as far as it can be refunded", () => {
    const books = newBooks(false);
    expect(done(books.refundOutside(CHARGE, 1200))).toMatchObject({
      origin: "provider",
      purpose: "invoice",
      status: "succeeded",
      fromBalance: 0,
      lines: [{ amount: 1200 }],
    });
    expect(rateOf(books)).toBe(1800);
    expect(books.rows.creditNotes).toMatchObject([{ totalAmount: 1200 }]);
  });

  it("takes the excess from credit of the charge first, then from other credit, and leaves a debt", () => {
    const books = newBooks(false);
    books.refund(INVOICE, { amount: 1000, to: "balance" });
    books.refund("inv_00b", { amount: 400, to: "balance" });
    books.refund(INVOICE, { amount: 500 });
    books.settleRefunds(true);
    // 15.00 can be refunded, 10.00 lie on the balance.
    expect(done(books.refundOutside(CHARGE, 2500))).toMatchObject({
      fromBalance: 1000,
      taken: [{ paymentId: CHARGE, amount: 1000 }],
    });
    expect(lotsOf(books)).toEqual([["payment", "pay_00b", 400]]);
    expect(balanceOf(books)).toBe(400);
  });

  it("does not reverse the credit that a change in progress has fixed", () => {
    const books = newBooks(false);
    books.advance(15 * DAY);
    change(books, "team");
    const refund = done(books.refundOutside(CHARGE, 3000));
    expect(refund).toMatchObject({ amount: 3000, fromBalance: 1500, lines: [{ amount: 1500 }] });
    expect(balanceOf(books)).toBe(-1500);
    books.settleCharges(true);
    expect(rateOf(books)).toBe(6000);
  });

  it("does not reverse it either if the change fails afterwards, and the paid rate stays lowered", () => {
    const books = newBooks(false);
    books.advance(15 * DAY);
    change(books, "team");
    books.refundOutside(CHARGE, 3000);
    books.settleCharges(false);
    expect([rateOf(books), balanceOf(books)]).toEqual([1500, -1500]);
  });

  it("that fails late gives back its own part with the name of the charge, and the debt's part without", () => {
    const books = newBooks(false);
    books.refund(INVOICE, { amount: 1000, to: "balance" });
    books.adjust(-1000);
    const refund = done(books.refundOutside(CHARGE, 3000));
    expect(balanceOf(books)).toBe(-1000);
    books.failLate(refund.id);
    // The debt is settled by the first lot.
    expect(lotsOf(books)).toEqual([
      ["refund_failed", CHARGE, 1000],
      ["refund_failed", null, 1000],
    ]);
  });
});
