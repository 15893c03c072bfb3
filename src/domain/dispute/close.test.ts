import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  creditWith,
  debtWith,
  disputeWith,
  invoiceWith,
  lineWith,
  lotWith,
  paymentWith,
  refundWith,
} from "../../../test/support/customer-billing.ts";
import { newBooks } from "../../../test/support/any-books.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { balanceIn, heldIn, lotsIn } from "../balance/move.ts";
import { paidBy } from "../model/credit-source.ts";
import { DAY } from "../calendar.ts";
import { refundInvoice } from "../refund/request.ts";
import { closeDispute } from "./close.ts";

type Rows = NonNullable<Parameters<typeof billingWith>[0]>;
const [MID_JUNE, JULY, AUGUST] = [at("2025-06-16"), at("2025-07-01"), at("2025-08-01")];
const charged: Rows = {
  subscriptions: [subscriptionWith()],
  invoices: [invoiceWith()],
  lines: [lineWith()],
  payments: [paymentWith()],
  disputes: [disputeWith()],
};
const july = subscriptionWith({ currentPeriodStart: JULY, currentPeriodEnd: AUGUST, periodNumber: 2 });

/** The paid rate of a Subscription at 10.00 after its charge was lost. */
function rateAfter(rows: Rows, outcome: "won" | "lost" = "lost"): number | undefined {
  const billing = billingWith({ ...charged, ...rows });
  closeDispute(billing, "dsp_1", { outcome });
  return billing.subscriptions.get("sub_1")?.paidRate;
}
const lotsApplied = (amount: number) =>
  invoiceWith({
    balanceApplied: amount,
    balanceSources: [{ ...paidBy("pay_0"), creditedLineId: null, amount }],
  });
const otherCharge = { disputes: [disputeWith({ paymentId: "pay_0", invoiceId: "inv_0" })] };

describe("a lost dispute lowers the paid rate (rule D7d)", () => {
  test.each<[what: string, rows: Rows, paidRate: number]>([
    ["by all that the charge paid", {}, 0],
    [
      "by the part that was not refunded",
      { subscriptions: [subscriptionWith({ paidRate: 600 })], refunds: [refundWith({ to: "card", amount: 400 })] },
      0,
    ],
    [
      "not for refunds to the balance of this charge",
      { subscriptions: [subscriptionWith({ paidRate: 600 })], refunds: [refundWith({ amount: 400 })] },
      0,
    ],
    [
      "for a rest of the period as if it had billed the whole",
      {
        lines: [lineWith({ amount: 400, periodStart: MID_JUNE })],
        invoices: [invoiceWith({ totalAmount: 400 })],
        subscriptions: [subscriptionWith({ paidRate: 800 })],
      },
      0,
    ],
    ["not for a period that is over", { subscriptions: [july] }, 1000],
    ["not once a change has credited the line", { lines: [lineWith(), creditWith(600)] }, 1000],
    ["not of another charge", otherCharge, 1000],
    ["by the part that credit from the charge paid", { ...otherCharge, invoices: [lotsApplied(300)] }, 700],
    [
      "not by credit that was given back",
      {
        ...otherCharge,
        invoices: [lotsApplied(300)],
        subscriptions: [subscriptionWith({ paidRate: 700 })],
        refunds: [refundWith({ sources: [{ ...paidBy("pay_0"), creditedLineId: null, amount: 300, own: false }] })],
      },
      700,
    ],
    [
      "by credit from the charge among the lines",
      {
        ...otherCharge,
        invoices: [invoiceWith({ totalAmount: 800 })],
        lines: [
          creditWith(200, {
            invoiceId: "inv_1",
            creditedLineId: "iln_0",
            sources: [{ ...paidBy("pay_0"), amount: 200 }],
          }),
          lineWith(),
        ],
      },
      800,
    ],
    ["not of an invoice that is open", { invoices: [invoiceWith({ status: "open" })] }, 1000],
  ])("%s", (_, rows, paidRate) => expect(rateAfter(rows)).toBe(paidRate));

  test("a dispute that is won leaves the rate", () => expect(rateAfter({}, "won")).toBe(1000));

  it("as a refund of all that is left would lower the rate", () => {
    const prices = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(prices, (amounts) => {
        const totalAmount = amounts.reduce((sum, amount) => sum + amount, 0);
        const subscriptions = [subscriptionWith({ amount: amounts.at(-1)! })];
        const rows = {
          subscriptions,
          invoices: [invoiceWith({ totalAmount })],
          lines: amounts.map((amount, n) => lineWith({ id: `iln_${n}`, amount })),
          payments: [paymentWith({ amount: totalAmount })],
        };
        const refunded = billingWith({ ...charged, ...rows, disputes: [] });
        refundInvoice(refunded, "inv_1", { amount: null, to: "card", reason: null, revokeGrants: false });
        const disputes = [disputeWith({ amount: totalAmount })];
        expect(rateAfter({ ...rows, disputes })).toBe(refunded.subscriptions.get("sub_1")?.paidRate);
      }),
    );
  });
});

describe("credit from a charge whose dispute is decided (rule D7)", () => {
  const entries = [
    lotWith(50, { id: "bal_001", ...paidBy("pay_1") }),
    lotWith(30, { id: "bal_002", ...paidBy("pay_2") }),
    lotWith(20, { id: "bal_003", ...paidBy("pay_1"), remaining: 5 }),
    lotWith(9, { id: "bal_004" }),
  ].map((lot) => ({ ...lot }));
  const rows = { ...charged, balanceEntries: entries, balances: [{ currency: "usd", amount: 94 }] };
  const decide = (outcome: "won" | "lost", more: Rows = {}) => {
    const billing = billingWith({ ...rows, ...more });
    closeDispute(billing, "dsp_1", { outcome });
    return billing;
  };

  it("is written off by one entry if the dispute is lost", () => {
    const billing = decide("lost");
    const written = billing.balanceEntries.where(({ reason }) => reason === "dispute_lost");
    expect(written).toMatchObject([{ amount: -55, remaining: 0, source: null }]);
    expect(lotsIn(billing, "usd").map(({ id }) => id)).toEqual(["bal_002", "bal_004"]);
    expect(balanceIn(billing, "usd")).toBe(39);
    expect(billing.transfers.where(({ kind }) => kind === "credit_lost")).toMatchObject([
      { sourceId: written[0]!.id, debitAccount: "balance", creditAccount: "dispute_lost", amount: 55 },
    ]);
  });

  it("is free again if the dispute is won, and first settles debts (rule D7c)", () => {
    const debt = debtWith(52, { id: "bal_005" });
    const billing = decide("won", { balanceEntries: [...entries, debt], balances: [{ currency: "usd", amount: 42 }] });
    expect([heldIn(billing, "usd"), balanceIn(billing, "usd")]).toEqual([0, 42]);
    expect(lotsIn(billing, "usd").map(({ remaining }) => remaining)).toEqual([30, 3, 9]);
    expect(billing.balanceEntries.get("bal_005")?.remaining).toBe(0);
  });

  it("makes no entry without lots", () => {
    const billing = decide("lost", { balanceEntries: [], balances: [] });
    expect(billing.balanceEntries.where(() => true)).toEqual([]);
  });
});

it("the worked example: credit that was spent before a dispute is lost", () => {
  const books = newBooks(false);
  const change = (plan: string) => {
    const answer = books.change("sub_00a", { productId: `prd_a_${plan}`, prorationBehavior: "invoice_now" });
    books.settleCharges(true);
    return answer;
  };
  const rate = () => books.rows.subscriptions.find(({ id }) => id === "sub_00a")!.paidRate;
  change("free");
  change("team");
  const paid = books.rows.payments.at(-1)!;
  expect(paid.amount).toBe(3000);
  books.advance(9 * DAY);
  books.dispute("pay_00a");
  expect(change("free")).toEqual({ refused: "payment_disputed" });
  books.advance(5 * DAY);
  books.decideDispute(books.rows.disputes[0]!.id, "lost");
  expect(rate()).toBe(3000);
  books.advance(DAY);
  change("free");
  const [lot] = books.rows.balanceEntries.filter(({ remaining }) => remaining > 0);
  expect(lot).toMatchObject({ source: "payment", paymentId: paid.id, remaining: 1500 });
});
