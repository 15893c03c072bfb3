import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { rateLineOf } from "../invoice/credit.ts";
import { disputable, disputedOf, rateAtStake, type DisputeStatus } from "./dispute.ts";
import type { InvoiceLine } from "../invoice/invoice.ts";
import type { Payment } from "../payment/payment.ts";
import { allocateRefund, rateLoweredBy, refundable, type Refund } from "../refund/refund.ts";

const [JUNE, MID_JUNE, JULY, AUGUST] = [at("2025-06-01"), at("2025-06-16"), at("2025-07-01"), at("2025-08-01")];

function line(id: string, amount: number, more: Partial<InvoiceLine> = {}): InvoiceLine {
  const common = {
    organizationId: "org_1",
    invoiceId: "inv_1",
    subscriptionId: "sub_1",
    position: 0,
    description: id,
    productId: "prd_1",
  };
  const span = { periodStart: JUNE, periodEnd: JULY, proration: false, basis: null, creditedLineId: null };
  return { ...common, ...span, id, amount, discountAmount: 0, taxAmount: 0, tax: null, ...more };
}

type Given = Pick<Refund, "status" | "amount" | "lines" | "paymentId">;
const refund = (status: Refund["status"], amount: number, paymentId: string | null = "pay_1"): Given => ({
  status,
  amount,
  paymentId,
  lines: [{ invoiceLineId: "a", amount, taxAmount: 0 }],
});

describe("the part of a charge that a bank takes back (rule D5)", () => {
  type Row = [what: string, purpose: Payment["purpose"], status: Payment["status"], refunds: Given[], amount: number];
  const table: Row[] = [
    ["all of it", "renewal", "succeeded", [], 1000],
    ["less a refund to the card", "renewal", "succeeded", [refund("succeeded", 300)], 700],
    [
      "less refunds that are on their way to the card",
      "renewal",
      "succeeded",
      [refund("pending", 300), refund("unknown", 200)],
      500,
    ],
    ["whole after a refund that failed", "renewal", "succeeded", [refund("failed", 300)], 1000],
    [
      "whole after a refund to the balance, which the bank does not know",
      "renewal",
      "succeeded",
      [refund("succeeded", 300, null)],
      1000,
    ],
    ["zero of a charge that was given back whole", "renewal", "succeeded", [refund("succeeded", 1000)], 0],
    ["zero of a charge that failed", "renewal", "failed", [], 0],
    ["zero of a charge with an unknown outcome", "renewal", "unknown", [], 0],
    ["zero of a card that was only saved", "setup", "succeeded", [], 0],
  ];
  test.each(table)("%s", (_, purpose, status, refunds, amount) => {
    expect(disputable({ id: "pay_1", purpose, status, amount: 1000 }, refunds)).toBe(amount);
  });

  it("is held until it was won", () => {
    const dispute = (status: DisputeStatus, amount: number) => ({ status, amount });
    expect(disputedOf([dispute("won", 1), dispute("lost", 20), dispute("open", 300)])).toBe(320);
    expect(disputedOf([])).toBe(0);
  });
});

describe("the amount by which a lost dispute lowers the paid rate (rules D5, P)", () => {
  const june = { currentPeriodStart: JUNE, currentPeriodEnd: JULY };
  type Row = [what: string, lines: InvoiceLine[], refunds: Given[], period: typeof june, stake: number];
  const table: Row[] = [
    ["all of it", [line("a", 1000)], [], june, 1000],
    ["the part that was not refunded", [line("a", 1000)], [refund("succeeded", 400)], june, 600],
    ["a rest of the period, as if it had billed the whole", [line("a", 400, { periodStart: MID_JUNE })], [], june, 800],
    [
      "zero for a period that is over",
      [line("a", 1000)],
      [],
      { ...june, currentPeriodStart: JULY, currentPeriodEnd: AUGUST },
      0,
    ],
  ];
  test.each(table)("%s", (_, lines, refunds, period, stake) => {
    const totalAmount = lines.reduce((sum, { amount }) => sum + amount, 0);
    const bill = { invoice: { amountPaid: totalAmount, totalAmount, balanceBasis: null }, lines, refunds, credits: [] };
    expect(rateAtStake(bill, rateLineOf(lines, [], period), period)).toBe(stake);
  });

  test("only the part that no change has credited", () => {
    const [a, b] = [line("a", 1000), line("b", 600, { periodStart: MID_JUNE })];
    const credits = [{ creditedLineId: "a", amount: 500, netted: false }];
    const bill = {
      invoice: { amountPaid: 1000, totalAmount: 1000, balanceBasis: null },
      lines: [a],
      refunds: [],
      credits,
    };
    expect(rateAtStake(bill, rateLineOf([a, b], credits, june), june)).toBe(0);
    expect(rateAtStake({ ...bill, lines: [b] }, rateLineOf([a, b], credits, june), june)).toBe(1000);
  });

  it("is the same as for a refund of all that is left", () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(amounts, fc.double({ min: 0, max: 1, noNaN: true }), (prices, share) => {
        const lines = prices.map((price, n) => line(`l${n}`, price));
        const totalAmount = prices.reduce((sum, price) => sum + price, 0);
        const invoice = { totalAmount, amountPaid: Math.floor(totalAmount * share), balanceBasis: null };
        const rest = allocateRefund(lines, [], [], refundable(invoice, { refunds: [], disputed: 0, credits: [] }));
        const rateLine = rateLineOf(lines, [], june);
        const stake = rateAtStake({ invoice, lines, refunds: [], credits: [] }, rateLine, june);
        expect(stake).toBe(rateLoweredBy(rest, rateLine, june));
        expect(stake).toBe(rest.find(({ invoiceLineId }) => invoiceLineId === rateLine?.id)?.amount ?? 0);
      }),
    );
  });
});
