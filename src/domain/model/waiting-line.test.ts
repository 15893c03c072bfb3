import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { instant } from "../calendar.ts";
import type { InvoiceLine } from "./invoice.ts";
import { MAX_AMOUNT } from "../money.ts";
import { passedOf } from "./proration.ts";
import { taxOf, type LineTax } from "../tax/tax.ts";
import { lineDeviationsOf } from "../verify.ts";
import { linesAtCancellation } from "./waiting-line.ts";

const VAT: LineTax = {
  country: "DE",
  region: null,
  basisPoints: 1900,
  inclusive: false,
  name: "USt",
  reverseCharge: false,
};

/** A waiting line for the rest of June 2025, from the 16th on. */
function waitingLine(amount: number, others: Partial<InvoiceLine> = {}): InvoiceLine {
  const tax = others.tax ?? null;
  return {
    organizationId: "org_1",
    id: "iln_1",
    invoiceId: null,
    subscriptionId: "sub_1",
    position: 0,
    description: "Pro, rest of the period",
    productName: "Pro",
    productId: "prd_1",
    amount,
    discountAmount: 0,
    taxAmount: taxOf(amount, tax),
    proration: true,
    periodStart: at("2025-06-16"),
    periodEnd: at("2025-07-01"),
    basis: null,
    creditedLineId: null,
    sources: null,
    ...others,
    tax,
  };
}

describe("a waiting line at cancel-now (rule S4)", () => {
  const inclusive = { ...VAT, inclusive: true };
  test.each<[number, string, LineTax | null, amount: number | null, tax: number]>([
    [4500, "2025-06-16", null, null, 0],
    [-1500, "2025-06-16", null, null, 0],
    [4500, "2025-06-20", null, 1200, 0],
    [-1500, "2025-06-20", null, -400, 0],
    [4500, "2025-06-20", VAT, 1200, 228],
    [4500, "2025-06-20", inclusive, 1200, 192],
    // Half a unit is rounded away from zero, for credits and debits alike.
    [5, "2025-06-23T12:00:00Z", null, 3, 0],
    [-5, "2025-06-23T12:00:00Z", null, -3, 0],
    [1, "2025-06-18", null, null, 0],
    [4500, "2025-06-30T23:59:59.999Z", null, 4500, 0],
    [4500, "2025-07-01", VAT, 4500, 855],
    [-1500, "2025-08-01", null, -1500, 0],
    // A clock that was set back before the line's span.
    [4500, "2025-06-01", null, null, 0],
  ])("of %s on %s with %j is %s", (waiting, now, tax, amount, taxAmount) => {
    const { billed, dropped } = linesAtCancellation([waitingLine(waiting, { tax })], at(now));
    expect(billed.map((line) => [line.amount, line.taxAmount])).toEqual(amount === null ? [] : [[amount, taxAmount]]);
    expect(dropped).toHaveLength(amount === null ? 1 : 0);
  });

  it("says for how long it counts, and keeps its whole amount", () => {
    const [from, until, periodEnd] = [at("2025-06-16"), at("2025-06-20"), at("2025-07-01")];
    const basis = { kind: "debit", rate: 9000, from, periodStart: at("2025-06-01"), periodEnd } as const;
    const line = waitingLine(4500, { basis });
    expect(linesAtCancellation([line], until).billed).toEqual([
      {
        ...line,
        description: "Pro, rest of the period up to the cancellation",
        amount: 1200,
        periodEnd: until,
        basis: { kind: "passed", amount: 4500, from, until, periodEnd, of: basis },
      },
    ]);
  });

  it("stays as it is once its span is over", () => {
    const over = waitingLine(-1500, { tax: VAT });
    expect(linesAtCancellation([over], at("2025-07-01"))).toEqual({ billed: [over], dropped: [] });
  });

  it("follows from the basis that it shows", () => {
    fc.assert(
      fc.property(
        span,
        fc.constantFrom(null, VAT, { ...VAT, inclusive: true }),
        ({ amount, start, length, gone }, tax) => {
          const line = waitingLine(amount, { tax, periodStart: instant(start), periodEnd: instant(start + length) });
          const { billed, dropped } = linesAtCancellation([line], instant(start + gone));
          expect(billed.flatMap(lineDeviationsOf)).toEqual([]);
          expect(billed.length + dropped.length).toBe(1);
        },
      ),
    );
  });
});

const span = fc
  .record({
    amount: fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }).filter((amount) => amount !== 0),
    start: fc.integer({ min: at("2000-01-01"), max: at("2060-01-01") }),
    length: fc.integer({ min: 1, max: 366 * 12 * 86_400_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...each }) => ({ ...each, gone: Math.floor(share * each.length) }));

describe("the passed part of a span (rules S4, M2)", () => {
  const passed = ({ amount, start, length }: { amount: number; start: number; length: number }, gone: number) =>
    passedOf(amount, { start: instant(start), end: instant(start + length) }, instant(start + gone));

  it("is 0 at its start and before, and the whole at its end and after", () => {
    fc.assert(
      fc.property(span, fc.nat(86_400_000), (each, more) => {
        expect([passed(each, -more), passed(each, 0)]).toEqual([0, 0]);
        expect([passed(each, each.length), passed(each, each.length + more)]).toEqual([each.amount, each.amount]);
      }),
    );
  });

  it("adds up to the whole with the remaining part, but for the one unit that two exact halves gain", () => {
    fc.assert(
      fc.property(span, (each) => {
        const { amount, length, gone } = each;
        const halves = (2n * BigInt(amount) * BigInt(gone)) % (2n * BigInt(length));
        const gained = halves === BigInt(length) || halves === -BigInt(length) ? Math.sign(amount) : 0;
        expect(passed(each, gone) + passed(each, length - gone)).toBe(amount + gained);
      }),
    );
  });

  it("never shrinks as time goes by, for debits, and is the same for credits below zero", () => {
    fc.assert(
      fc.property(span, fc.nat(86_400_000), (each, later) => {
        const debit = { ...each, amount: Math.abs(each.amount) };
        expect(passed(debit, each.gone + later)).toBeGreaterThanOrEqual(passed(debit, each.gone));
        expect(passed({ ...debit, amount: -debit.amount }, each.gone) + passed(debit, each.gone)).toBe(0);
      }),
    );
  });
});
