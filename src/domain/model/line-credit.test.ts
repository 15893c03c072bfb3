import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { change, facts, other } from "../../../test/support/change.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { planChange } from "./plan-change.ts";
import { leftOf, mostCredit, rateLineOf, type LineCredit } from "./line-credit.ts";
import { lineTotal, type InvoiceLine } from "./invoice.ts";
import { allocateRefund, rateLoweredBy, type RefundLine } from "./refund.ts";
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
const [JUNE, MID, JULY] = [at("2025-06-01"), at("2025-06-16"), at("2025-07-01")];
const june = { currentPeriodStart: JUNE, currentPeriodEnd: JULY };

function line(id: string, amount: number, more: Partial<InvoiceLine> = {}): InvoiceLine {
  const common = {
    organizationId: "org_1",
    invoiceId: "inv_1",
    subscriptionId: "sub_1",
    position: 0,
    description: id,
    productName: null,
    productId: "prd_1",
  };
  const plain = {
    periodStart: JUNE,
    periodEnd: JULY,
    proration: false,
    basis: null,
    creditedLineId: null,
    sources: null,
    discountAmount: 0,
    tax: null,
  };
  return { ...common, ...plain, id, amount, taxAmount: taxOf(amount, more.tax ?? null), ...more };
}
const credit = (creditedLineId: string, amount: number): LineCredit => ({
  creditedLineId,
  amount,
  netted: false,
  sources: [],
});

describe("the line that the paid rate comes from (rule P10)", () => {
  type Row = [what: string, lines: InvoiceLine[], credits: LineCredit[], id: string | null];
  const table: Row[] = [
    ["the line of the whole period", [line("a", 1000)], [], "a"],
    ["no line where the period was billed elsewhere", [], [], null],
    ["the newer one after a change", [line("a", 1000), line("b", 900, { periodStart: MID })], [credit("a", 500)], "b"],
    [
      "also where the credit of the old one was rounded to zero",
      [line("a", 1), line("b", 900, { periodStart: MID })],
      [],
      "b",
    ],
    ["at one instant the one that was not given back", [line("b", 900), line("a", 1000)], [credit("b", 900)], "a"],
    [
      "no line of another period",
      [line("a", 1000, { periodEnd: MID }), line("c", 1000, { periodStart: at("2025-05-01") })],
      [],
      null,
    ],
    ["no credit", [line("a", 1000), line("c", -500, { periodStart: MID })], [], "a"],
    ["no one-time line", [line("a", 1000, { periodStart: null, periodEnd: null })], [], null],
  ];
  test.each(table)("%s", (_, lines, credits, id) => expect(rateLineOf(lines, credits, june)?.id ?? null).toBe(id));
});

describe("the most that can be credited of a billed line (rule P10)", () => {
  const table: [what: string, left: number, tax: LineTax | null, most: number][] = [
    ["all that is left", 1000, null, 1000],
    ["without the tax on top", 1190, VAT, 1000],
    ["tax inside is a part of it", 1190, INSIDE, 1190],
    ["zero where no amount is left", 0, VAT, 0],
    ["zero where more than all was given back", -5, null, 0],
  ];
  test.each(table)("%s", (_, left, tax, most) => expect(mostCredit(left, tax)).toBe(most));

  it("comes with its tax to no more than is left, and one unit more would be too much", () => {
    const rates = [1, 700, 10_000].map((basisPoints) => ({ ...VAT, basisPoints }));
    const anyTax = fc.constantFrom(null, VAT, INSIDE, ...rates, { ...VAT, reverseCharge: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), anyTax, (left, tax) => {
        const total = (net: number) => lineTotal({ amount: net, discountAmount: 0, taxAmount: taxOf(net, tax), tax });
        const most = mostCredit(left, tax);
        expect(total(most)).toBeLessThanOrEqual(left);
        expect(total(most + 1)).toBeGreaterThan(left);
      }),
    );
  });
});

describe("the credit of a change (rule P10)", () => {
  const monthly = subscriptionWith({ ...june, amount: 10_000, paidRate: 10_000 });
  const creditOf = (left: number, tax: LineTax | null = null) => {
    const billed = { line: line("a", 10_000, { tax }), left };
    return change({ ...monthly, paidTax: tax }, other(0), "invoice_now", MID, { billed }).lines.find(
      ({ amount }) => amount < 0,
    );
  };

  it("names the line that it gives back", () => {
    expect(creditOf(10_000)).toMatchObject({ amount: -5000, creditedLineId: "a", basis: { rate: 10_000 } });
    expect(creditOf(10_000)!.basis).not.toHaveProperty("most");
  });

  it("is limited to the rest of that line, and shows the limit", () => {
    expect(creditOf(4000)).toMatchObject({ amount: -4000, creditedLineId: "a", basis: { rate: 10_000, most: 4000 } });
    expect(creditOf(1190, VAT)).toMatchObject({ amount: -1000, taxAmount: -190, basis: { most: 1000 } });
    expect(creditOf(0)).toBeUndefined();
  });

  it("is not limited where the period was billed elsewhere", () => {
    const { lines } = change(monthly, other(0), "invoice_now", MID);
    expect(lines[0]).toMatchObject({ amount: -5000, creditedLineId: null });
  });
});

describe("a billed line", () => {
  /**
   * Refunds and changes in any order; `share` is a part of the amount left, or of the period. At the end the whole
   * refundable amount is refunded.
   */
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const anyRefund = fc.record({ kind: fc.constant("refund" as const), share });
  const anyChange = fc.record({
    kind: fc.constant("change" as const),
    share,
    price: fc.integer({ min: 0, max: 90_000 }),
  });
  const anySteps = fc.array(fc.oneof(anyRefund, anyChange), { maxLength: 8 });
  const anyTax = fc.constantFrom(null, VAT, INSIDE);

  it("is never given back more than once by refunds and credits together, in any order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90_000 }), anyTax, anySteps, (price, tax, steps) => {
        const lines = [line("l0", price, { tax })];
        const refunded: RefundLine[] = [];
        const credits: LineCredit[] = [];
        let now = JUNE as number;
        let sub = subscriptionWith({ ...june, amount: price, paidRate: price, paidTax: tax });
        for (const step of steps) {
          const rateLine = rateLineOf(lines, credits, june);
          if (step.kind === "refund") {
            const open = lines.find((each) => leftOf(each, refunded, credits) > 0);
            if (!open) continue;
            const amount = Math.max(Math.floor(leftOf(open, refunded, credits) * step.share), 1);
            const parts = allocateRefund([open], refunded, credits, amount);
            sub = { ...sub, paidRate: sub.paidRate - rateLoweredBy(parts, refunded, rateLine, june) };
            refunded.push(...parts);
            continue;
          }
          now += Math.floor((JULY - now) * step.share);
          const billed = rateLine && { line: rateLine, left: leftOf(rateLine, refunded, credits) };
          const plan = planChange(
            sub,
            facts(other(step.price), "invoice_now", at(new Date(now).toISOString()), { billed, tax }),
          );
          if (!("set" in plan) || plan.restarted) continue;
          for (const made of plan.lines) {
            if (made.creditedLineId !== null) credits.push(credit(made.creditedLineId, 0 - lineTotal(made)));
            if (made.amount > 0) lines.push({ ...line(`l${lines.length}`, 0), ...made });
          }
          sub = { ...sub, ...plan.set, productId: "prd_current" };
        }
        for (const each of lines) expect(leftOf(each, refunded, credits)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
