import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  creditWith,
  disputeWith,
  eventsOf,
  invoiceWith,
  lineWith,
  openingWith,
} from "../../../test/support/customer-billing.ts";
import { loadedAsNeeded, NOW, paymentWith, refundWith } from "../../../test/support/customer-billing.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import { closeDispute } from "./close.ts";
import { disputedCards } from "../payment/card.ts";
import { escalateDispute, openDispute } from "./open.ts";

const charged = {
  subscriptions: [subscriptionWith()],
  invoices: [invoiceWith()],
  lines: [lineWith()],
  payments: [paymentWith()],
};
const because = openingWith();
const code = (expected: string) => expect.objectContaining({ code: expected });
const transfersOf = (billing: ReturnType<typeof billingWith>) =>
  billing.transfers
    .where(() => true)
    .map(({ kind, debitAccount, creditAccount, amount }) => [kind, debitAccount, creditAccount, amount]);

describe("a charge that a buyer disputes (rule D5)", () => {
  it("is taken back, and the rate of its period stays until the decision", () => {
    const billing = billingWith(charged);
    const dispute = openDispute(billing, "pay_1", because);
    expect(dispute).toMatchObject({
      status: "open",
      amount: 1000,
      invoiceId: "inv_1",
      reason: "fraudulent",
      createdAt: NOW,
      subscriptionId: "sub_1",
    });
    expect(billing.subscriptions.get("sub_1")?.paidRate).toBe(1000);
    expect(transfersOf(billing)).toEqual([["dispute_opened", "disputed", "provider", 1000]]);
    expect(eventsOf(billing)).toEqual(["dispute.created"]);
  });

  it("needs the refunds of the charge and the invoice", () => {
    const { answer, parts } = loadedAsNeeded(charged, (billing) => openDispute(billing, "pay_1", because));
    expect(answer).toMatchObject({ amount: 1000, subscriptionId: "sub_1" });
    expect(parts).toEqual([["payment pay_1"], ["refunds_of pay_1", "disputes_of pay_1"], ["invoice inv_1"]]);
  });

  test.each([
    ["less the refunds to the card", { refunds: [refundWith({ to: "card", amount: 300 })] }, 700],
    [
      "less a payout of credit from the charge",
      { refunds: [refundWith({ to: "card", purpose: "balance", invoiceId: null, amount: 300 })] },
      700,
    ],
    ["but not less the refunds to the balance", { refunds: [refundWith({ amount: 300 })] }, 1000],
    ["whole where a change has credited its line", { lines: [lineWith(), creditWith(600)] }, 1000],
    ["whole once the Subscription has ended", { subscriptions: [] }, 1000],
    ["for an invoice that was void by then", { invoices: [invoiceWith({ status: "void" })] }, 1000],
  ])("%s", (_, rows, amount) => {
    const dispute = openDispute(billingWith({ ...charged, ...rows }), "pay_1", because);
    expect([dispute.amount, dispute.subscriptionId]).toEqual([amount, "sub_1"]);
  });

  it("is taken back in part, if the bank takes only a part", () => {
    const billing = billingWith(charged);
    expect(openDispute(billing, "pay_1", openingWith({ amount: 400, fee: 1500 }))).toMatchObject({
      amount: 400,
      fee: 1500,
      feeCurrency: "usd",
    });
    expect(transfersOf(billing)).toEqual([["dispute_opened", "disputed", "provider", 400]]);
    expect(openDispute(billingWith(charged), "pay_1", openingWith({ amount: 9999 })).amount).toBe(1000);
  });

  test.each([
    ["an unknown payment", { payments: [] }, "not_found"],
    ["one that only saved a card", { payments: [paymentWith({ purpose: "setup" })] }, "not_found"],
    ["one that failed", { payments: [paymentWith({ status: "failed" })] }, "payment_not_disputable"],
    [
      "one that was refunded to the card whole",
      { refunds: [refundWith({ to: "card", amount: 1000 })] },
      "payment_not_disputable",
    ],
    ["one that is disputed", { disputes: [disputeWith()] }, "already_disputed"],
    ["one with an inquiry", { disputes: [disputeWith({ status: "inquiry" })] }, "already_disputed"],
    ["one with a dispute that was lost", { disputes: [disputeWith({ status: "lost" })] }, "already_disputed"],
  ])("is not %s", (_, rows, refusal) => {
    expect(() => openDispute(billingWith({ ...charged, ...rows }), "pay_1", because)).toThrow(code(refusal));
  });

  test.each(["won", "closed"] as const)("may be disputed again after that was %s", (status) => {
    const billing = billingWith({ ...charged, disputes: [disputeWith({ status })] });
    expect(openDispute(billing, "pay_1", because).amount).toBe(1000);
  });
});

describe("an inquiry of a bank (rule D5)", () => {
  const inquiry = disputeWith({ status: "inquiry" });

  it("moves no money and holds no card back", () => {
    const billing = billingWith(charged);
    expect(openDispute(billing, "pay_1", openingWith({ isInquiry: true })).status).toBe("inquiry");
    expect(transfersOf(billing)).toEqual([]);
    expect(disputedCards(billing).size).toBe(0);
  });

  it("becomes a dispute, at most of the rest of the charge", () => {
    const rows = { ...charged, disputes: [inquiry], refunds: [refundWith({ to: "card", amount: 300 })] };
    const billing = billingWith(rows);
    const open = escalateDispute(billing, "dsp_1", { fee: 1500 });
    expect(open).toMatchObject({ status: "open", amount: 700, fee: 1500, feeCurrency: "usd", closedAt: null });
    expect(transfersOf(billing)).toEqual([["dispute_opened", "disputed", "provider", 700]]);
    expect(eventsOf(billing)).toEqual(["dispute.updated"]);
    expect(() => escalateDispute(billing, "dsp_1")).toThrow(code("dispute_not_inquiry"));
    expect(() => escalateDispute(billing, "dsp_2")).toThrow(code("not_found"));
  });

  it("ends without a decision", () => {
    const billing = billingWith({ ...charged, disputes: [inquiry] });
    expect(closeDispute(billing, "dsp_1", { outcome: "closed" })).toMatchObject({ status: "closed", closedAt: NOW });
    expect(transfersOf(billing)).toEqual([]);
    expect(() => closeDispute(billing, "dsp_1", { outcome: "closed" })).toThrow(code("dispute_closed"));
  });

  test.each([
    ["inquiry", "won"],
    ["inquiry", "lost"],
    ["open", "closed"],
  ] as const)("%s is not %s", (status, outcome) => {
    const billing = billingWith({ ...charged, disputes: [disputeWith({ status })] });
    expect(() => closeDispute(billing, "dsp_1", { outcome })).toThrow(code("dispute_outcome_mismatch"));
  });
});

describe("the decision of the bank (rule D5)", () => {
  const close = (outcome: "won" | "lost", rows: object = {}) => {
    const billing = billingWith({ ...charged, disputes: [disputeWith()], ...rows });
    return { billing, dispute: closeDispute(billing, "dsp_1", { outcome }) };
  };

  it("brings the money back, or keeps it", () => {
    const won = close("won");
    expect(won.dispute).toMatchObject({ status: "won", closedAt: NOW, version: 2 });
    expect(transfersOf(won.billing)).toEqual([["dispute_won", "provider", "disputed", 1000]]);
    expect(won.billing.subscriptions.get("sub_1")?.paidRate).toBe(1000);
    const lost = close("lost");
    expect(transfersOf(lost.billing)).toEqual([["dispute_lost", "dispute_lost", "disputed", 1000]]);
    expect(eventsOf(lost.billing)).toEqual(["dispute.closed"]);
  });

  it("comes once", () => {
    expect(() => close("lost", { disputes: [] })).toThrow(code("not_found"));
    expect(() => close("won", { disputes: [disputeWith({ status: "lost" })] })).toThrow(code("dispute_closed"));
  });
});
