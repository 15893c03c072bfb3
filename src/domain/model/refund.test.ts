import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { rateLineOf } from "./line-credit.ts";
import { lineTotal, NO_LIMITS, totalsOf, type InvoiceLine } from "./invoice.ts";
import { restOf } from "./proration.ts";
import { allocateRefund, creditNoteOf, rateLoweredBy, type RefundLine } from "./refund.ts";
import { taxOf, type LineTax } from "../tax/tax.ts";

const VAT: LineTax = {
  country: "DE",
  region: null,
  basisPoints: 1900,
  inclusive: false,
  name: "VAT",
  reverseCharge: false,
};
const INSIDE: LineTax = { ...VAT, inclusive: true };
const REDUCED: LineTax = { ...VAT, basisPoints: 700, name: "Reduced" };
const [JUNE, JULY, AUGUST] = [at("2025-06-01"), at("2025-07-01"), at("2025-08-01")];

/** An invoice line at this price after discount, for June unless `more` says otherwise. */
function line(id: string, amount: number, tax: LineTax | null = null, more: Partial<InvoiceLine> = {}): InvoiceLine {
  const common = {
    organizationId: "org_1",
    invoiceId: "inv_1",
    subscriptionId: "sub_1",
    position: 0,
    description: id,
    productName: null,
    productId: "prd_1",
  };
  const span = {
    periodStart: JUNE,
    periodEnd: JULY,
    proration: false,
    basis: null,
    creditedLineId: null,
    sources: null,
  };
  return { ...common, ...span, id, amount, discountAmount: 0, taxAmount: taxOf(amount, tax), tax, ...more };
}

const short = (parts: readonly RefundLine[]) => parts.map((part) => [part.invoiceLineId, part.amount, part.taxAmount]);
const sum = (amounts: readonly number[]) => amounts.reduce((running, amount) => running + amount, 0);

describe("a refund over the lines (rule I3)", () => {
  type Row = [
    what: string,
    lines: InvoiceLine[],
    before: RefundLine[],
    amount: number,
    parts: [id: string, amount: number, tax: number][],
  ];
  const table: Row[] = [
    ["one line, a part", [line("a", 1000)], [], 300, [["a", 300, 0]]],
    ["one line, whole, with tax on top", [line("a", 1000, VAT)], [], 1190, [["a", 1190, 190]]],
    ["half of it", [line("a", 1000, VAT)], [], 595, [["a", 595, 95]]],
    ["tax inside", [line("a", 1190, INSIDE)], [], 595, [["a", 595, 95]]],
    ["after a discount", [line("a", 2000, VAT, { discountAmount: 1000, taxAmount: 190 })], [], 595, [["a", 595, 95]]],
    [
      "two lines",
      [line("a", 1000), line("b", 2000)],
      [],
      100,
      [
        ["a", 33, 0],
        ["b", 67, 0],
      ],
    ],
    ["a credit gives nothing back", [line("a", -500), line("b", 1500)], [], 1000, [["b", 1000, 0]]],
    ["nor does a line of 0", [line("a", 0), line("b", 10)], [], 10, [["b", 10, 0]]],
    [
      "each line with its own rate",
      [line("a", 1000, VAT), line("b", 1000, REDUCED)],
      [],
      2260,
      [
        ["a", 1190, 190],
        ["b", 1070, 70],
      ],
    ],
    [
      "the rest of the tax comes with the last cent",
      [line("a", 3, VAT)],
      [{ invoiceLineId: "a", amount: 1, taxAmount: 0 }],
      3,
      [["a", 3, 1]],
    ],
    [
      "lines that were given back already have less left",
      [line("a", 100), line("b", 100)],
      [{ invoiceLineId: "a", amount: 100, taxAmount: 0 }],
      60,
      [["b", 60, 0]],
    ],
  ];
  test.each(table)("%s", (_, lines, before, amount, parts) =>
    expect(short(allocateRefund(lines, before, [], amount))).toEqual(parts),
  );

  it("never gives back more than is left", () => {
    expect(() => allocateRefund([line("a", 100)], [{ invoiceLineId: "a", amount: 60, taxAmount: 0 }], [], 41)).toThrow(
      RangeError,
    );
  });

  const anyTax = fc.constantFrom(null, VAT, INSIDE, REDUCED, { ...VAT, reverseCharge: true });
  const anyLines = fc
    .array(fc.tuple(fc.integer({ min: -3000, max: 9000 }), anyTax), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.map(([amount, tax], n) => line(`l${n}`, amount, tax)))
    .filter((lines) => totalsOf(lines, 0, NO_LIMITS).totalAmount > 0);
  /** For each refund: the percentage of the amount that is left before it, and whether the refund fails. */
  const anyRefunds = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.boolean()), { maxLength: 12 });

  /** Refunds one after the other, then the whole rest. Failed refunds do not count afterwards. */
  function giveBack(
    lines: InvoiceLine[],
    steps: readonly (readonly [percent: number, fails: boolean])[],
  ): RefundLine[][] {
    const total = totalsOf(lines, 0, NO_LIMITS).totalAmount;
    const given: RefundLine[][] = [];
    for (const [percent, fails] of [...steps, [100, false] as const]) {
      const left = total - sum(given.flat().map(({ amount }) => amount));
      const amount = Math.max(Math.floor((left * percent) / 100), 1);
      if (left === 0) break;
      const parts = allocateRefund(lines, given.flat(), [], amount);
      expect(sum(parts.map((part) => part.amount))).toBe(amount);
      for (const part of parts)
        expect(part.taxAmount >= 0 && part.taxAmount <= part.amount && part.amount > 0).toBe(true);
      if (!fails) given.push(parts);
    }
    return given;
  }

  const givenOf = ({ id }: InvoiceLine, given: readonly RefundLine[][]) => {
    const parts = given.flat().filter(({ invoiceLineId }) => invoiceLineId === id);
    return { amount: sum(parts.map((part) => part.amount)), taxAmount: sum(parts.map((part) => part.taxAmount)) };
  };

  it("in any number of steps gives back no more of a line than it was billed, and its tax in proportion", () => {
    fc.assert(
      fc.property(anyLines, anyRefunds, (lines, steps) => {
        const sure = steps.map(([percent]) => [percent, false] as const);
        const given = giveBack(lines, sure);
        for (const each of lines) {
          const { amount, taxAmount } = givenOf(each, given);
          if (lineTotal(each) <= 0) expect(amount).toBe(0);
          else {
            expect(amount).toBeLessThanOrEqual(lineTotal(each));
            expect(Math.abs(taxAmount - (each.taxAmount * amount) / lineTotal(each))).toBeLessThanOrEqual(0.5);
          }
        }
      }),
    );
  });

  it("gives back every line and its tax where no line was credited, also after failed refunds", () => {
    const debits = anyLines.map((lines) => lines.filter((each) => lineTotal(each) > 0));
    fc.assert(
      fc.property(debits, anyRefunds, (lines, steps) => {
        const sure = steps.map(([percent]) => [percent, false] as const);
        for (const each of lines)
          expect(givenOf(each, giveBack(lines, sure))).toEqual({ amount: lineTotal(each), taxAmount: each.taxAmount });
        for (const each of lines) expect(givenOf(each, giveBack(lines, steps)).amount).toBe(lineTotal(each));
      }),
    );
  });

  it("agrees with its credit note, line by line", () => {
    fc.assert(
      fc.property(anyLines, anyRefunds, (lines, steps) => {
        for (const parts of giveBack(lines, steps)) {
          const note = creditNoteOf(parts, lines);
          expect(note.totalAmount).toBe(sum(parts.map(({ amount }) => amount)));
          expect(note.totalAmount).toBe(note.subtotalAmount + note.taxAmount - note.taxIncludedAmount);
          expect(note.totalAmount).toBe(sum(note.lines.map((each) => lineTotal({ ...each, discountAmount: 0 }))));
          expect(note.taxAmount).toBe(sum(parts.map(({ taxAmount }) => taxAmount)));
        }
      }),
    );
  });
});

describe("the amount by which a refund lowers the paid rate (rule P)", () => {
  const june = { currentPeriodStart: JUNE, currentPeriodEnd: JULY };
  const MID = at("2025-06-16");
  type Row = [what: string, lines: InvoiceLine[], amount: number, lowered: number];
  const table: Row[] = [
    ["a part of the whole period", [line("a", 10_000)], 3000, 3000],
    ["tax on top does not count", [line("a", 10_000, VAT)], 11_900, 10_000],
    ["tax inside does", [line("a", 11_900, INSIDE)], 5950, 5950],
    ["half of the period, paid at a change", [line("a", 15_000, null, { periodStart: MID })], 5000, 10_000],
    ["another period", [line("a", 10_000, null, { periodStart: JULY, periodEnd: AUGUST })], 10_000, 0],
    ["a period that a new one cut short", [line("a", 10_000, null, { periodStart: at("2025-05-16") })], 10_000, 0],
    ["a Product that is sold once", [line("a", 10_000, null, { periodStart: null, periodEnd: null })], 10_000, 0],
    ["more than a change has left of it", [line("a", 10_000)], 10_000, 10_000],
    ["the share of this period's line alone", [line("a", 1000, null, { periodEnd: MID }), line("b", 3000)], 2000, 1500],
  ];
  test.each(table)("%s", (_, lines, amount, lowered) => {
    expect(rateLoweredBy(allocateRefund(lines, [], [], amount), [], rateLineOf(lines, [], june), june)).toBe(lowered);
  });

  it("refunds and the credit for the rest together never come to more than was paid", () => {
    const price = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(
        price,
        fc.array(price, { maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (paid, wanted, share) => {
          const now = at(new Date(JUNE + Math.floor(share * (JULY - JUNE))).toISOString());
          const lines = [line("a", paid)];
          const given: RefundLine[] = [];
          let paidRate = paid;
          for (const want of wanted) {
            const amount = Math.min(want, paid - sum(given.map((part) => part.amount)));
            if (amount === 0) break;
            const parts = allocateRefund(lines, given, [], amount);
            paidRate -= rateLoweredBy(parts, given, lines[0]!, june);
            given.push(...parts);
          }
          expect(sum(given.map(({ amount }) => amount)) + restOf(paidRate, june, now)).toBeLessThanOrEqual(paid);
        },
      ),
    );
  });
});
