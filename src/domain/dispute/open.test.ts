import { describe, expect, it, test } from "vitest";
import {
  accountWith,
  creditWith,
  disputeWith,
  eventsOf,
  invoiceWith,
  lineWith,
} from "../../../test/support/account.ts";
import { loadedAsNeeded, NOW, paymentWith, refundWith } from "../../../test/support/account.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import { closeDispute } from "./close.ts";
import { openDispute } from "./open.ts";

const charged = {
  subscriptions: [subscriptionWith()],
  invoices: [invoiceWith()],
  lines: [lineWith()],
  payments: [paymentWith()],
};
const because = { reason: "fraudulent" } as const;
const code = (expected: string) => expect.objectContaining({ code: expected });
const transfersOf = (account: ReturnType<typeof accountWith>) =>
  account.transfers
    .where(() => true)
    .map(({ kind, debitAccount, creditAccount, amount }) => [kind, debitAccount, creditAccount, amount]);

describe("a charge that a buyer disputes (rule D5)", () => {
  it("is taken back, and the rate of its period is at stake", () => {
    const account = accountWith(charged);
    const dispute = openDispute(account, "pay_1", because);
    const sold = { subscriptionId: "sub_1", rateAtStake: 1000, periodNumber: 1 };
    expect(dispute).toMatchObject({
      status: "open",
      amount: 1000,
      invoiceId: "inv_1",
      reason: "fraudulent",
      createdAt: NOW,
      ...sold,
    });
    expect(account.subscriptions.get("sub_1")?.paidRate).toBe(1000);
    expect(transfersOf(account)).toEqual([["dispute_opened", "disputed", "provider", 1000]]);
    expect(eventsOf(account)).toEqual(["dispute.created"]);
  });

  it("needs the invoice with all that was given back of it, and the period", () => {
    const { answer, parts } = loadedAsNeeded(charged, (account) => openDispute(account, "pay_1", because));
    expect(answer).toMatchObject({ amount: 1000, rateAtStake: 1000 });
    const period = `period sub_1 ${subscriptionWith().currentPeriodEnd}`;
    expect(parts).toEqual([["payment pay_1"], ["invoice inv_1", "given_back inv_1"], [period]]);
  });

  test.each([
    ["less the refunds to the card", { refunds: [refundWith({ to: "card", amount: 300 })] }, 700, 700],
    ["but not less the refunds to the balance", { refunds: [refundWith({ amount: 300 })] }, 1000, 700],
    ["whole where a change has credited its line", { lines: [lineWith(), creditWith(600)] }, 1000, 0],
    ["with no rate at stake once the Subscription has ended", { subscriptions: [] }, 1000, 0],
    ["for an invoice that was void by then", { invoices: [invoiceWith({ status: "void" })] }, 1000, 0],
  ])("%s", (_, rows, amount, rateAtStake) => {
    const dispute = openDispute(accountWith({ ...charged, ...rows }), "pay_1", because);
    expect([dispute.amount, dispute.rateAtStake, dispute.subscriptionId]).toEqual([amount, rateAtStake, "sub_1"]);
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
    ["one with a dispute that was lost", { disputes: [disputeWith({ status: "lost" })] }, "already_disputed"],
  ])("is not %s", (_, rows, refusal) => {
    expect(() => openDispute(accountWith({ ...charged, ...rows }), "pay_1", because)).toThrow(code(refusal));
  });

  it("may be disputed again after that was won", () => {
    const account = accountWith({ ...charged, disputes: [disputeWith({ status: "won" })] });
    expect(openDispute(account, "pay_1", because).amount).toBe(1000);
  });
});

describe("the decision of the bank (rule D5)", () => {
  const staking = disputeWith({ rateAtStake: 900, periodNumber: 1 });
  const close = (outcome: "won" | "lost", rows: object = {}) => {
    const account = accountWith({ ...charged, disputes: [staking], ...rows });
    return { account, dispute: closeDispute(account, "dsp_1", { outcome }) };
  };

  it("brings the money back, or keeps it", () => {
    const won = close("won");
    expect(won.dispute).toMatchObject({ status: "won", closedAt: NOW, version: 2 });
    expect(transfersOf(won.account)).toEqual([["dispute_won", "provider", "disputed", 1000]]);
    expect(won.account.subscriptions.get("sub_1")?.paidRate).toBe(1000);
    const lost = close("lost");
    expect(transfersOf(lost.account)).toEqual([["dispute_lost", "dispute_lost", "disputed", 1000]]);
    expect(eventsOf(lost.account)).toEqual(["dispute.closed"]);
  });

  test.each([
    ["lowers the rate of its period", {}, 100],
    ["but not that of a later one", { subscriptions: [subscriptionWith({ periodNumber: 2 })] }, 1000],
    ["nor once a change has credited the line", { lines: [lineWith(), creditWith(600)] }, 1000],
    ["nor where no rate was at stake", { disputes: [disputeWith({ periodNumber: 1 })] }, 1000],
  ])("that loses %s", (_, rows, paidRate) => {
    expect(close("lost", rows).account.subscriptions.get("sub_1")?.paidRate).toBe(paidRate);
  });

  it("comes once", () => {
    expect(() => close("lost", { disputes: [] })).toThrow(code("not_found"));
    expect(() => close("won", { disputes: [disputeWith({ status: "lost" })] })).toThrow(code("dispute_closed"));
  });
});
