import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  creditWith,
  disputeWith,
  invoiceWith,
  lineWith,
  paymentWith,
  refundWith,
} from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { PartsMissing } from "../billing/parts.ts";
import { paidBy } from "../model/credit-source.ts";
import { NOTHING_BACK } from "../model/invoice-returns.ts";
import { creditedOf, type LineCredit } from "../model/line-credit.ts";
import { findBilledLine, findRateLine, returnsOf, isRateAtStake, isRateLowered } from "./returns.ts";

/** The credits of an invoice's lines outside of that invoice. */
const creditedElsewhere = (credits: readonly LineCredit[]) =>
  credits.filter(({ netted }) => !netted).reduce((sum, { amount }) => sum + amount, 0);

const paid = invoiceWith();
/** A credit of the line from `lineWith`, paid by the charge of that line. */
const given = (amount: number): LineCredit => ({
  creditedLineId: "iln_1",
  amount,
  netted: false,
  sources: [{ ...paidBy("pay_1"), amount }],
});
const nextBill = invoiceWith({ id: "inv_2", status: "paid" });

describe("everything that was given back of an invoice (rules I3, D5, P10)", () => {
  it("is refunds, disputes that were not won, and credits on other invoices or waiting", () => {
    const billing = billingWith({
      invoices: [paid, nextBill],
      lines: [lineWith(), creditWith(200), creditWith(100, { id: "iln_3", invoiceId: "inv_2" })],
      refunds: [
        refundWith(),
        refundWith({ id: "rfd_2", status: "failed" }),
        refundWith({ id: "rfd_3", invoiceId: "inv_2" }),
      ],
      disputes: [disputeWith({ amount: 40 }), disputeWith({ id: "dsp_2", status: "won", amount: 7 })],
    });
    const { refunds, disputed, credits } = returnsOf(billing, "inv_1");
    expect(refunds.map(({ id }) => id)).toEqual(["rfd_1", "rfd_2"]);
    expect(disputed).toBe(40);
    expect(credits).toEqual([given(200), given(100)]);
  });

  it("tells credits on the invoice itself from all others", () => {
    const lines = [lineWith(), creditWith(200), creditWith(100, { id: "iln_3", invoiceId: "inv_1", sources: null })];
    expect(returnsOf(billingWith({ invoices: [paid], lines }), "inv_1").credits).toEqual([
      given(200),
      { ...given(100), netted: true, sources: [] },
    ]);
  });

  it("includes the changes so far: a credit counts no more once its invoice is void (rule S5)", () => {
    const lines = [lineWith(), creditWith(100, { invoiceId: "inv_2" })];
    const billing = billingWith({ invoices: [paid, { ...nextBill, status: "open" }], lines });
    expect(creditedElsewhere(returnsOf(billing, "inv_1").credits)).toBe(100);
    billing.invoices.put({ ...nextBill, status: "void" });
    billing.lines.put(creditWith(60, { id: "iln_4" }));
    expect(creditedElsewhere(returnsOf(billing, "inv_1").credits)).toBe(60);
  });

  it("needs its part, but not of an invoice that was made in this transaction", () => {
    const billing = billingWith({ parts: [] });
    expect(() => returnsOf(billing, "inv_1")).toThrow(PartsMissing);
    billing.invoices.put(paid);
    expect(returnsOf(billing, "inv_1")).toEqual(NOTHING_BACK);
  });

  it("comes to the plain sums of the credits of each line", () => {
    const place = fc.constantFrom(null, "inv_1", "inv_2", "inv_void");
    const credit = fc.record({ line: fc.nat(2), amount: fc.integer({ min: 1, max: 999 }), tax: fc.nat(200), place });
    fc.assert(
      fc.property(fc.array(credit, { maxLength: 12 }), (drawn) => {
        const billed = [0, 1, 2].map((n) => lineWith({ id: `iln_billed${n}`, amount: 5000 }));
        const crediting = drawn.map(({ line, amount, tax, place: invoiceId }, n) =>
          creditWith(amount, {
            id: `iln_credit${n}`,
            creditedLineId: `iln_billed${line}`,
            taxAmount: -tax,
            invoiceId,
            sources: invoiceId === "inv_1" ? null : [{ ...paidBy("pay_1"), amount: amount + tax }],
          }),
        );
        const invoices = [paid, nextBill, invoiceWith({ id: "inv_void", status: "void" })];
        const { credits } = returnsOf(billingWith({ invoices, lines: [...billed, ...crediting] }), "inv_1");
        const standing = drawn.filter((each) => each.place !== "inv_void");
        const sum = (rows: typeof drawn) => rows.reduce((running, { amount, tax }) => running + amount + tax, 0);
        for (const n of [0, 1, 2]) {
          expect(creditedOf(credits, `iln_billed${n}`)).toBe(sum(standing.filter(({ line }) => line === n)));
        }
        expect(creditedElsewhere(credits)).toBe(sum(standing.filter((each) => each.place !== "inv_1")));
      }),
    );
  });
});

describe("the line that the paid rate comes from (rule P10)", () => {
  const june = subscriptionWith();
  const debit = lineWith({ id: "iln_3", invoiceId: null, amount: 600, proration: true, periodStart: at("2025-06-16") });

  test.each([
    ["the line of the period's invoice", { invoices: [paid], lines: [lineWith()] }, "iln_1"],
    ["no line of a void invoice", { invoices: [invoiceWith({ status: "void" })], lines: [lineWith()] }, null],
    [
      "the debit that waits once the line was credited",
      { invoices: [paid], lines: [lineWith(), creditWith(500), debit] },
      "iln_3",
    ],
    ["no line of another Subscription", { invoices: [paid], lines: [lineWith({ subscriptionId: "sub_2" })] }, null],
    [
      "no line of an invoice of another period",
      { invoices: [invoiceWith({ periodEnd: at("2025-06-16") })], lines: [lineWith()] },
      null,
    ],
  ])("%s", (_, rows, id) => expect(findRateLine(billingWith(rows), june)?.id ?? null).toBe(id));

  it("has so much left as refunds that did not fail have left of it", () => {
    const refunds = [refundWith({ amount: 300 }), refundWith({ id: "rfd_2", amount: 50, status: "failed" })];
    expect(findBilledLine(billingWith({ invoices: [paid], lines: [lineWith()], refunds }), june)).toEqual({
      line: lineWith(),
      left: 700,
    });
  });

  it("is found among the lines of a period that began in this transaction", () => {
    const billing = billingWith({ parts: [{ part: "period", subscriptionId: "sub_1", end: at("2025-08-01") }] });
    billing.invoices.put(invoiceWith({ periodEnd: at("2025-08-01") }));
    billing.lines.put(lineWith({ periodStart: at("2025-07-01"), periodEnd: at("2025-08-01") }));
    const july = { ...june, currentPeriodStart: at("2025-07-01"), currentPeriodEnd: at("2025-08-01") };
    expect(findBilledLine(billing, july)?.left).toBe(1000);
    expect(() => findRateLine(billing, june)).toThrow(PartsMissing);
  });
});

describe("refunds and disputes that may lower the paid rate of a period (rules I3, D5)", () => {
  const pending = refundWith({
    to: "card",
    status: "pending",
    checkAt: at("2025-06-16"),
    rateLowered: 300,
    periodNumber: 1,
  });
  const lowers = (refund: typeof pending, subscription = subscriptionWith()) =>
    isRateLowered(billingWith({ invoices: [paid], refunds: [refund] }), subscription);

  test.each([
    ["a refund with an outcome that is to come", pending, true],
    ["not once it is settled", { ...pending, checkAt: null }, false],
    ["not one that lowered another period", { ...pending, periodNumber: 2 }, false],
    ["not one that lowered no rate", { ...pending, rateLowered: 0 }, false],
  ])("%s", (_, refund, is) => expect(lowers(refund)).toBe(is));

  it("counts for the Subscription of its invoice alone", () =>
    expect(lowers(pending, subscriptionWith({ id: "sub_2" }))).toBe(false));

  const bought = { invoices: [paid], lines: [lineWith()], payments: [paymentWith()] };
  const withLots = (lots: number) => ({
    ...bought,
    invoices: [
      invoiceWith({
        balanceApplied: lots,
        balanceSources: [{ ...paidBy("pay_0"), creditedLineId: null, amount: lots }],
      }),
    ],
  });
  const other = disputeWith({ paymentId: "pay_0", invoiceId: "inv_0" });

  test.each([
    ["an open dispute of the charge that paid the period", bought, disputeWith(), true],
    ["not one that is lost", bought, disputeWith({ status: "lost" }), false],
    ["not one of another charge", bought, other, false],
    ["one of a charge with credit that the balance used for the period", withLots(400), other, true],
    [
      "not where refunds have given that credit back",
      {
        ...withLots(400),
        refunds: [refundWith({ sources: [{ ...paidBy("pay_0"), creditedLineId: null, amount: 400, own: false }] })],
      },
      other,
      false,
    ],
    [
      "not once a change has credited the line",
      { ...bought, lines: [lineWith(), creditWith(500)] },
      disputeWith(),
      false,
    ],
    [
      "not for a period that is not paid",
      { ...bought, invoices: [invoiceWith({ status: "open" })] },
      disputeWith(),
      false,
    ],
  ])("%s", (_, rows, dispute, is) =>
    expect(isRateAtStake(billingWith({ ...rows, disputes: [dispute] }), subscriptionWith())).toBe(is),
  );
});
