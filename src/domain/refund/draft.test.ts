import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  creditWith,
  customerWith,
  disputeWith,
  invoiceWith,
  lineWith,
  lotWith,
  NOW,
  paymentWith,
  refundWith,
} from "../../../test/support/customer-billing.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { balanceIn } from "../balance/move.ts";
import { paidBy } from "../model/credit-source.ts";
import type { Change } from "../model/frozen-plan.ts";
import { Refusal } from "../refusal.ts";
import type { AskedRefund } from "./draft.ts";
import { refundInvoice } from "./request.ts";
import { settleRefund } from "./settle.ts";

const asked = (more: Partial<AskedRefund> = {}): AskedRefund => ({
  amount: null,
  to: "card",
  reason: null,
  revokeGrants: false,
  ...more,
});
const bought = {
  subscriptions: [subscriptionWith()],
  invoices: [invoiceWith()],
  lines: [lineWith()],
  payments: [paymentWith()],
};
const deleted = customerWith({ deletedAt: NOW });
const unpaid = { ...bought, invoices: [invoiceWith({ status: "open" })], payments: [] };

/** The code of the refusal, with its `available` amount. */
function refusalOf(billing: CustomerBilling, more: Partial<AskedRefund>): unknown {
  try {
    return refundInvoice(billing, "inv_1", asked(more));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return "available" in error.values ? [error.code, error.values.available.amount] : error.code;
  }
}

const toBalance = { to: "balance" } as const;
/** A change has credited 400, which wait; or which are on the balance, where 100 of them are left. */
const credited = { ...bought, lines: [lineWith(), creditWith(400)] };
const nextBill = invoiceWith({ id: "inv_2", totalAmount: -400, balanceApplied: -400 });
const onBalance = (left: number) => ({
  ...bought,
  invoices: [invoiceWith(), nextBill],
  lines: [lineWith(), creditWith(400, { invoiceId: "inv_2" })],
  balances: [{ currency: "usd", amount: left }],
  balanceEntries: [lotWith(400, { remaining: left, ...paidBy("pay_1") })],
});
const payout = refundWith({
  to: "card",
  purpose: "balance",
  invoiceId: null,
  amount: 400,
  fromBalance: 400,
  lines: [],
});
const all = { ...bought, lines: [lineWith(), creditWith(1000)] };

describe("a refund is refused (rule I3)", () => {
  test.each<[what: string, rows: Parameters<typeof billingWith>[0], more: Partial<AskedRefund>, refusal: unknown]>([
    ["of an unknown invoice", { ...bought, invoices: [] }, {}, "not_found"],
    ["of one that is open", unpaid, {}, "invoice_not_paid"],
    [
      "while its charge is not settled",
      { ...unpaid, payments: [paymentWith({ status: "unknown" })] },
      {},
      "payment_unknown",
    ],
    [
      "while its challenge waits",
      { ...unpaid, payments: [paymentWith({ status: "requires_action" })] },
      {},
      "invoice_not_paid",
    ],
    [
      "where the card got all back",
      { ...bought, refunds: [refundWith({ to: "card", amount: 1000 })] },
      {},
      "nothing_to_refund",
    ],
    [
      "where the card got all back, with an amount",
      { ...bought, refunds: [refundWith({ to: "card", amount: 1000 })] },
      { amount: 1 },
      "nothing_to_refund",
    ],
    [
      "where the balance got all back",
      { ...bought, refunds: [refundWith({ amount: 1000 })] },
      toBalance,
      "nothing_to_refund",
    ],
    ["where all is disputed", { ...bought, disputes: [disputeWith()] }, toBalance, "nothing_to_refund"],
    ["to the card where all is disputed", { ...bought, disputes: [disputeWith()] }, {}, "nothing_to_refund"],
    [
      "to the card where all is lost",
      { ...bought, disputes: [disputeWith({ status: "lost" })] },
      {},
      "nothing_to_refund",
    ],
    ["where changes have credited all", all, {}, ["credit_spent", 0]],
    ["to the balance where changes have credited all", all, toBalance, ["credited", 0]],
    ["of the part that a change has credited", credited, { amount: 601 }, ["credit_spent", 600]],
    ["of that part to the balance", credited, { ...toBalance, amount: 601 }, ["credited", 600]],
    ["of more credit than is left on the balance", onBalance(100), { amount: 701 }, ["credit_spent", 700]],
    [
      "of credit that a debt elsewhere has used",
      { ...onBalance(100), balances: [{ currency: "usd", amount: 30 }] },
      { amount: 700 },
      ["credit_spent", 630],
    ],
    [
      "of credit of another charge",
      { ...onBalance(100), balanceEntries: [lotWith(100, paidBy("pay_0"))] },
      { amount: 601 },
      ["credit_spent", 600],
    ],
    [
      "of granted credit",
      { ...onBalance(100), balanceEntries: [lotWith(100)] },
      { amount: 601 },
      ["credit_spent", 600],
    ],
    ["of more than was paid", bought, { amount: 1001 }, "refund_too_large"],
    ["of more than was paid, to the balance", bought, { ...toBalance, amount: 1001 }, "refund_too_large"],
    [
      "of more than a payout has left of the charge",
      { ...onBalance(0), refunds: [payout] },
      { amount: 601 },
      "refund_too_large",
    ],
    [
      "of more than a bank has left of the charge",
      { ...bought, disputes: [disputeWith({ amount: 600 })] },
      { amount: 401 },
      "refund_too_large",
    ],
    ["with the grants of a Subscription", bought, { revokeGrants: true }, "not_one_time"],
    ["to a card that did not pay", { ...bought, payments: [] }, {}, "not_paid_by_card"],
    [
      "to the card where it was paid outside",
      { ...bought, invoices: [invoiceWith({ paidOutside: true })], payments: [] },
      {},
      "not_paid_by_card",
    ],
    ["to the balance of a deleted Customer", { ...bought, customer: deleted }, toBalance, "no_balance_left"],
    [
      "while a change that credits the period is being paid",
      { ...bought, subscriptions: [subscriptionWith({ changeId: "chg_1" })] },
      {},
      "change_in_progress",
    ],
  ])("%s", (_, rows, more, refusal) => expect(refusalOf(billingWith(rows), more)).toEqual(refusal));
});

describe("a refund to the card that takes credit off the balance (rule I3c)", () => {
  it("reverses the sale first, and takes the rest from lots of this very charge", () => {
    const billing = billingWith(onBalance(100));
    const refund = refundInvoice(billing, "inv_1", asked({ amount: 700 }));
    expect(refund).toMatchObject({ amount: 700, fromBalance: 100, to: "card", paymentId: "pay_1" });
    expect(refund.lines).toEqual([{ invoiceLineId: "iln_1", amount: 600, taxAmount: 0 }]);
    expect(refund.taken).toEqual([{ ...paidBy("pay_1"), creditedLineId: null, amount: 100 }]);
    expect(balanceIn(billing, "usd")).toBe(0);
    const settled = settleRefund(billing, refund.id, { status: "succeeded" });
    expect(billing.creditNotes.get(settled.creditNoteId!)).toMatchObject({ totalAmount: 600 });
    expect(billing.invoices.get("inv_1")?.refundedAmount).toBe(600);
    expect(billing.transfers.where(() => true)).toMatchObject([
      { kind: "payout_requested", debitAccount: "balance", creditAccount: "paying_out", amount: 100 },
      { kind: "refund", debitAccount: "revenue", creditAccount: "provider", amount: 600 },
      { kind: "refund", debitAccount: "paying_out", creditAccount: "provider", amount: 100 },
    ]);
  });

  it("takes no credit by default, and makes no credit note for credit alone (rules I3d, I3k)", () => {
    expect(refundInvoice(billingWith(onBalance(100)), "inv_1", asked())).toMatchObject({ amount: 600, fromBalance: 0 });
    const rows = onBalance(100);
    const billing = billingWith({ ...rows, refunds: [refundWith({ to: "card", amount: 600 })] });
    const refund = refundInvoice(billing, "inv_1", asked({ amount: 100 }));
    expect(refund).toMatchObject({ amount: 100, fromBalance: 100, lines: [] });
    expect(settleRefund(billing, refund.id, { status: "succeeded" }).creditNoteId).toBeNull();
    expect(billing.invoices.get("inv_1")?.refundedAmount).toBe(0);
  });

  it("leaves credit that a dispute holds, and credit that a change reserves (rules D7, M4)", () => {
    const reserved = { status: "pending", plan: { currency: "usd", totals: { balanceApplied: 60, amountDue: 5 } } };
    const rows = { ...onBalance(100), changes: [{ id: "chg_1", ...reserved } as unknown as Change] };
    expect(refusalOf(billingWith(rows), { amount: 700 })).toEqual(["credit_spent", 640]);
    const disputes = [disputeWith({ amount: 300 })];
    expect(refusalOf(billingWith({ ...onBalance(100), disputes }), { amount: 400 })).toEqual(["credit_spent", 300]);
  });
});
