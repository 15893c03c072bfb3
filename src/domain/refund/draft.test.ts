import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  accountWith,
  creditWith,
  customerWith,
  disputeWith,
  invoiceWith,
  lineWith,
  lotWith,
  NOW,
  paymentWith,
  refundWith,
} from "../../../test/support/account.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import type { Account } from "../account/account.ts";
import { balanceIn } from "../balance/move.ts";
import { paidBy } from "../balance/source.ts";
import type { Change } from "../subscription/frozen-plan.ts";
import { AppError } from "../../errors.ts";
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

/** The code of the first faulty field, or the code of the refusal with its `available` amount. */
function refusalOf(account: Account, more: Partial<AskedRefund>): unknown {
  try {
    return refundInvoice(account, "inv_1", asked(more));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { errors, extra } = error.parts;
    const code = errors?.[0]?.code ?? error.code;
    return extra?.available === undefined ? code : [code, extra.available];
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
  test.each<[what: string, rows: Parameters<typeof accountWith>[0], more: Partial<AskedRefund>, refusal: unknown]>([
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
    ["of more than was paid", bought, { amount: 1001 }, "too_large"],
    ["of more than was paid, to the balance", bought, { ...toBalance, amount: 1001 }, "too_large"],
    [
      "of more than a payout has left of the charge",
      { ...onBalance(0), refunds: [payout] },
      { amount: 601 },
      "too_large",
    ],
    [
      "of more than a bank has left of the charge",
      { ...bought, disputes: [disputeWith({ amount: 600 })] },
      { amount: 401 },
      "too_large",
    ],
    ["with the grants of a Subscription", bought, { revokeGrants: true }, "not_one_time"],
    ["to a card that did not pay", { ...bought, payments: [] }, {}, "not_paid_by_card"],
    [
      "to the card where it was paid outside",
      { ...bought, invoices: [invoiceWith({ paidOutside: true })], payments: [] },
      {},
      "not_paid_by_card",
    ],
    ["to the balance of a deleted Customer", { ...bought, customer: deleted }, toBalance, "customer_deleted"],
    [
      "while a change that credits the period is being paid",
      { ...bought, subscriptions: [subscriptionWith({ changeId: "chg_1" })] },
      {},
      "change_in_progress",
    ],
  ])("%s", (_, rows, more, refusal) => expect(refusalOf(accountWith(rows), more)).toEqual(refusal));
});

describe("a refund to the card that takes credit off the balance (rule I3c)", () => {
  it("reverses the sale first, and takes the rest from lots of this very charge", () => {
    const account = accountWith(onBalance(100));
    const refund = refundInvoice(account, "inv_1", asked({ amount: 700 }));
    expect(refund).toMatchObject({ amount: 700, fromBalance: 100, to: "card", paymentId: "pay_1" });
    expect(refund.lines).toEqual([{ invoiceLineId: "iln_1", amount: 600, taxAmount: 0 }]);
    expect(refund.taken).toEqual([{ ...paidBy("pay_1"), creditedLineId: null, amount: 100 }]);
    expect(balanceIn(account, "usd")).toBe(0);
    const settled = settleRefund(account, refund.id, { status: "succeeded" });
    expect(account.creditNotes.get(settled.creditNoteId!)).toMatchObject({ totalAmount: 600 });
    expect(account.invoices.get("inv_1")?.refundedAmount).toBe(600);
    expect(account.transfers.where(() => true)).toMatchObject([
      { kind: "payout_requested", debitAccount: "balance", creditAccount: "paying_out", amount: 100 },
      { kind: "refund", debitAccount: "revenue", creditAccount: "provider", amount: 600 },
      { kind: "refund", debitAccount: "paying_out", creditAccount: "provider", amount: 100 },
    ]);
  });

  it("takes no credit by default, and makes no credit note for credit alone (rules I3d, I3k)", () => {
    expect(refundInvoice(accountWith(onBalance(100)), "inv_1", asked())).toMatchObject({ amount: 600, fromBalance: 0 });
    const rows = onBalance(100);
    const account = accountWith({ ...rows, refunds: [refundWith({ to: "card", amount: 600 })] });
    const refund = refundInvoice(account, "inv_1", asked({ amount: 100 }));
    expect(refund).toMatchObject({ amount: 100, fromBalance: 100, lines: [] });
    expect(settleRefund(account, refund.id, { status: "succeeded" }).creditNoteId).toBeNull();
    expect(account.invoices.get("inv_1")?.refundedAmount).toBe(0);
  });

  it("leaves credit that a dispute holds, and credit that a change reserves (rules D7, M4)", () => {
    const reserved = { status: "pending", plan: { currency: "usd", totals: { balanceApplied: 60, amountDue: 5 } } };
    const rows = { ...onBalance(100), changes: [{ id: "chg_1", ...reserved } as unknown as Change] };
    expect(refusalOf(accountWith(rows), { amount: 700 })).toEqual(["credit_spent", 640]);
    const disputes = [disputeWith({ amount: 300 })];
    expect(refusalOf(accountWith({ ...onBalance(100), disputes }), { amount: 400 })).toEqual(["credit_spent", 300]);
  });
});

describe("a refund to a card whose provider has a step of 10 (rule M5g)", () => {
  const paid = (amountPaid: number) => ({
    ...bought,
    invoices: [
      invoiceWith({ totalAmount: 1292, balanceApplied: 1292 - amountPaid, amountDue: amountPaid, amountPaid }),
    ],
    lines: [lineWith({ amount: 1292 })],
    payments: [paymentWith({ amount: amountPaid })],
    step: 10,
  });
  const messageOf = (rows: Parameters<typeof accountWith>[0], amount: number | null) => {
    try {
      return refundInvoice(accountWith(rows), "inv_1", asked({ amount }));
    } catch (error) {
      return (error as AppError).parts.detail;
    }
  };
  const left5 = { ...paid(1290), refunds: [refundWith({ to: "balance", amount: 1285 })] };

  test.each([
    ["of an invoice with a part above the step", paid(1290), 1290],
    ["of an invoice that collected a debt", paid(1300), 1290],
    ["after a refund to the balance", { ...paid(1290), refunds: [refundWith({ to: "balance", amount: 105 })] }, 1180],
  ])("is by default rounded down: %s", (_, rows, amount) => {
    expect(refundInvoice(accountWith(rows), "inv_1", asked())).toMatchObject({ amount, fromBalance: 0 });
  });

  test.each<[string, Parameters<typeof accountWith>[0], number | null, string]>([
    ["an amount between two steps", paid(1290), 1285, "Refund 1280 or 1290, and the rest to the `balance`."],
    ["an amount below the first step", paid(1290), 5, "Refund 10, and the rest to the `balance`."],
    ["the whole price of 1292", paid(1300), 1292, "Refund 1290, and the rest to the `balance`."],
    ["a rest below the step", left5, null, "Refund this amount to the `balance`."],
    ["more than the price", paid(1300), 1300, "Refund at most 1290 of this Invoice to the card."],
  ])("names what can be refunded: %s", (_, rows, amount, words) => expect(messageOf(rows, amount)).toContain(words));

  it("leaves the rest to a refund to the balance, which settles the debt of the invoice", () => {
    const debt = lotWith(-2, { amount: -2, remaining: -2, source: null });
    const account = accountWith({ ...paid(1290), balances: [{ currency: "usd", amount: -2 }], balanceEntries: [debt] });
    const refund = refundInvoice(account, "inv_1", asked());
    settleRefund(account, refund.id, { status: "succeeded" });
    expect(refundInvoice(account, "inv_1", asked(toBalance))).toMatchObject({ amount: 2 });
    expect(balanceIn(account, "usd")).toBe(0);
  });

  it("is a multiple of the step, or refused, and comes to the amount that was asked for", () => {
    const amount = fc.integer({ min: 1, max: 1400 });
    fc.assert(
      fc.property(fc.constantFrom(1290, 1300), fc.array(amount, { maxLength: 4 }), (taken, amounts) => {
        const account = accountWith(paid(taken));
        let sum = 0;
        for (const each of amounts) {
          const isPossible = each % 10 === 0 && sum + each <= 1290;
          let made: number | null = null;
          try {
            made = refundInvoice(account, "inv_1", asked({ amount: each })).amount;
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
          }
          expect(made).toBe(isPossible ? each : null);
          sum += made ?? 0;
        }
      }),
    );
  });
});
