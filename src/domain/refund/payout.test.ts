import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  customerWith,
  debtWith,
  disputeWith,
  eventsOf,
  lotWith,
  NOW,
  paymentWith,
} from "../../../test/support/customer-billing.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { balanceIn, lotsIn } from "../balance/move.ts";
import { OUTSIDE, paidBy } from "../model/credit-source.ts";
import type { Change } from "../model/frozen-plan.ts";
import { Refusal } from "../refusal.ts";
import { payOut } from "./payout.ts";
import { settleRefund } from "./settle.ts";

const [P1, P2] = [paidBy("pay_1"), paidBy("pay_2")];
const lots = [
  lotWith(500, { id: "bal_001", ...P1 }),
  lotWith(300, { id: "bal_002", ...P2, creditedLineId: "iln_1" }),
  lotWith(70, { id: "bal_003", ...OUTSIDE }),
  lotWith(40, { id: "bal_004" }),
  lotWith(20, { id: "bal_005", ...P2 }),
];
const payments = [paymentWith(), paymentWith({ id: "pay_2", invoiceId: "inv_2" })];
const rowsOf = (entries: readonly BalanceEntry[]) => ({
  payments,
  balanceEntries: entries,
  balances: [{ currency: "usd", amount: entries.reduce((sum, { remaining }) => sum + remaining, 0) }],
});
const ask = (billing: CustomerBilling, amount: number | null = null) =>
  payOut(billing, { currency: "usd", amount, reason: "asked" });
const short = (billing: CustomerBilling, amount: number | null = null) =>
  ask(billing, amount).map((refund) => [refund.paymentId, refund.amount]);
const left = (billing: CustomerBilling) => lotsIn(billing, "usd").map(({ id, remaining }) => [id.slice(6), remaining]);

function refusalOf(billing: CustomerBilling, amount: number | null): unknown {
  try {
    return ask(billing, amount);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return "available" in error.values ? [error.code, error.values.available.amount] : error.code;
  }
}
/** A change in progress that reserves a part of the balance. */
const reserving = (balanceApplied: number) =>
  ({
    id: "chg_1",
    status: "pending",
    plan: { currency: "usd", totals: { balanceApplied, amountDue: 1000 } },
  }) as unknown as Change;

describe("a payout of credit (rule I7)", () => {
  it("goes to the charges that the credit came from, newest first; other credit stays", () => {
    const billing = billingWith(rowsOf(lots));
    expect(short(billing)).toEqual([
      ["pay_2", 320],
      ["pay_1", 500],
    ]);
    expect(left(billing)).toEqual([
      ["3", 70],
      ["4", 40],
    ]);
    expect(balanceIn(billing, "usd")).toBe(110);
  });

  it("of a part takes the newest charge first, and of its lots the newest", () => {
    const billing = billingWith(rowsOf(lots));
    expect(short(billing, 100)).toEqual([["pay_2", 100]]);
    expect(left(billing)).toEqual([
      ["1", 500],
      ["2", 220],
      ["3", 70],
      ["4", 40],
    ]);
    expect(short(billing, 221)).toEqual([
      ["pay_2", 220],
      ["pay_1", 1],
    ]);
  });

  it("is a refund without an invoice and without a credit note", () => {
    const billing = billingWith(rowsOf(lots));
    const [refund] = ask(billing, 310);
    expect(refund).toMatchObject({ purpose: "balance", invoiceId: null, to: "card", status: "pending", checkAt: NOW });
    expect(refund).toMatchObject({ amount: 310, fromBalance: 310, taxAmount: 0, lines: [], reason: "asked" });
    expect(refund!.taken).toEqual([
      { ...P2, creditedLineId: null, amount: 20 },
      { ...P2, creditedLineId: "iln_1", amount: 290 },
    ]);
    expect(eventsOf(billing)).toEqual(["refund.created"]);
    const done = settleRefund(billing, refund!.id, { status: "succeeded" });
    expect(done).toMatchObject({ status: "succeeded", creditNoteId: null, settledAt: NOW });
    expect(billing.transfers.where(() => true)).toMatchObject([
      { kind: "payout_requested", debitAccount: "balance", creditAccount: "paying_out", amount: 310 },
      { kind: "refund", debitAccount: "paying_out", creditAccount: "provider", amount: 310 },
    ]);
  });

  it("is on the balance again if the provider declines the refund (rule I7e)", () => {
    const billing = billingWith(rowsOf(lots));
    const [refund] = ask(billing, 310);
    expect(balanceIn(billing, "usd")).toBe(620);
    settleRefund(billing, refund!.id, { status: "declined", code: "card_declined" });
    const back = billing.balanceEntries.where(({ reason }) => reason === "payout_failed");
    expect(back).toMatchObject([
      { ...P2, creditedLineId: null, amount: 20, refundId: refund!.id },
      { ...P2, creditedLineId: "iln_1", amount: 290, refundId: refund!.id },
    ]);
    expect(balanceIn(billing, "usd")).toBe(930);
    expect(short(billing)).toEqual([
      ["pay_2", 320],
      ["pay_1", 500],
    ]);
  });

  test.each([
    ["the credit that a debt leaves", rowsOf([...lots, debtWith(500, { id: "bal_006" })]), 430],
    ["not the credit that a change reserves", { ...rowsOf(lots), changes: [reserving(880)] }, 50],
    ["not held credit", { ...rowsOf(lots), disputes: [disputeWith()] }, 320],
    ["not credit from a lost charge", { ...rowsOf(lots), disputes: [disputeWith({ status: "lost" })] }, 320],
    ["released credit", { ...rowsOf(lots), disputes: [disputeWith({ status: "won" })] }, 820],
  ])("brings by default %s", (_, rows, amount) => {
    const payouts = ask(billingWith(rows));
    expect(payouts.reduce((sum, refund) => sum + refund.amount, 0)).toBe(amount);
    expect(refusalOf(billingWith(rows), amount + 1)).toEqual(["credit_spent", amount]);
  });

  test.each([
    ["without a balance", rowsOf([]), "nothing_to_pay_out"],
    ["of granted credit and money from outside alone", rowsOf(lots.slice(2, 4)), "nothing_to_pay_out"],
    ["if all credit is held", { ...rowsOf(lots.slice(0, 1)), disputes: [disputeWith()] }, "nothing_to_pay_out"],
    ["if a change reserves all credit", { ...rowsOf(lots), changes: [reserving(930)] }, "nothing_to_pay_out"],
    ["if debts exceed the credit", rowsOf([...lots, debtWith(930, { id: "bal_006" })]), "nothing_to_pay_out"],
    ["to a deleted Customer", { ...rowsOf(lots), customer: customerWith({ deletedAt: NOW }) }, "not_found"],
  ])("is refused %s", (_, rows, refusal) => {
    expect(refusalOf(billingWith(rows), null)).toBe(refusal);
    expect(refusalOf(billingWith(rows), 1)).toBe(refusal);
  });

  it("concerns one currency", () => {
    const eur = lotWith(60, { id: "bal_006", currency: "eur", ...P1 });
    const rows = { payments, balanceEntries: [eur], balances: [{ currency: "eur", amount: 60 }] };
    expect(refusalOf(billingWith(rows), null)).toBe("nothing_to_pay_out");
    const payouts = payOut(billingWith(rows), { currency: "eur", amount: null, reason: null });
    expect(payouts).toMatchObject([{ currency: "eur", amount: 60 }]);
  });
});

describe("a payout at a provider with a step of 10 (rule M5g)", () => {
  const ofSteps = [lotWith(495, { id: "bal_001", ...P1 }), lotWith(323, { id: "bal_002", ...P2 })];
  const billing = () => billingWith({ ...rowsOf(ofSteps), step: 10 });

  it("leaves the part of each charge's credit between two steps on the balance", () => {
    const paying = billing();
    expect(short(paying)).toEqual([
      ["pay_2", 320],
      ["pay_1", 490],
    ]);
    expect(balanceIn(paying, "usd")).toBe(8);
    expect(refusalOf(paying, null)).toBe("nothing_to_pay_out");
  });

  test.each<[amount: number, answer: unknown]>([
    [320, [["pay_2", 320]]],
    [
      330,
      [
        ["pay_2", 320],
        ["pay_1", 10],
      ],
    ],
    [811, ["credit_spent", 810]],
    [820, ["credit_spent", 810]],
    [335, "payout_between_steps"],
    [5, "payout_between_steps"],
  ])("of %i", (amount, answer) => {
    const given = refusalOf(billing(), amount);
    expect(Array.isArray(given) && typeof given[0] === "object" ? short(billing(), amount) : given).toEqual(answer);
  });

  it("names a near amount that can be paid out", () => {
    const between = (nearest: number | null) =>
      expect.objectContaining({
        code: "payout_between_steps",
        values: { field: "/amount", nearest: nearest && { currency: "usd", amount: nearest } },
      });
    expect(() => ask(billing(), 335)).toThrow(between(330));
    expect(() => ask(billing(), 5)).toThrow(between(null));
  });

  it("pays each step up to the credit out exactly, and never a part between two steps", () => {
    const lot = fc.record({ amount: fc.integer({ min: 1, max: 999 }), charge: fc.constantFrom(P1, P2) });
    fc.assert(
      fc.property(fc.array(lot, { maxLength: 5 }), fc.integer({ min: 1, max: 3000 }), (given, amount) => {
        const entries = given.map((each, n) => lotWith(each.amount, { id: `bal_${n}`, ...each.charge }));
        const paying = billingWith({ ...rowsOf(entries), step: 10 });
        const before = balanceIn(paying, "usd");
        const ofCharge = [P1, P2].map(({ paymentId }) =>
          entries.filter((each) => each.paymentId === paymentId).reduce((sum, each) => sum + each.amount, 0),
        );
        const most = ofCharge.reduce((sum, each) => sum + (each - (each % 10)), 0);
        const answer = refusalOf(paying, amount);
        const isPaid = most > 0 && amount <= most && amount % 10 === 0;
        expect(Array.isArray(answer) && answer[0] !== "credit_spent").toBe(isPaid);
        const paid = paying.refunds.where(() => true).map((refund) => refund.amount);
        expect(paid.every((part) => part > 0 && part % 10 === 0)).toBe(true);
        expect(before - balanceIn(paying, "usd")).toBe(isPaid ? amount : 0);
      }),
    );
  });
});
