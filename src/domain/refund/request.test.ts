import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  benefitWith,
  eventsOf,
  grantWith,
  invoiceWith,
  lineWith,
  loadedAsNeeded,
  NOW,
  paymentWith,
} from "../../../test/support/customer-billing.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import { balanceIn } from "../balance/move.ts";
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
/** A one-time purchase. */
const once = {
  ...bought,
  subscriptions: [],
  invoices: [invoiceWith({ subscriptionId: null })],
  lines: [lineWith({ subscriptionId: null })],
};

describe("a refund to the balance (rule I3)", () => {
  it("is done at once: credit note, balance, ledger, paid rate", () => {
    const billing = billingWith({ ...bought, numbers: { invoice: 1, creditNote: 2 } });
    const refund = refundInvoice(billing, "inv_1", asked({ to: "balance", amount: 300, reason: "sorry" }));
    expect(refund).toMatchObject({ status: "succeeded", paymentId: null, settledAt: NOW, checkAt: null });
    expect(refund).toMatchObject({ rateLowered: 300, periodNumber: 1 });
    const note = { number: "INV-CUS_1-CN0003", totalAmount: 300, invoiceId: "inv_1" };
    expect(billing.creditNotes.get(refund.creditNoteId!)).toMatchObject(note);
    expect(billing.numbers.creditNote).toBe(3);
    expect(billing.invoices.get("inv_1")).toMatchObject({ refundedAmount: 300, status: "paid" });
    expect(balanceIn(billing, "usd")).toBe(300);
    expect(billing.transfers.where(() => true)).toMatchObject([{ kind: "refund", sourceId: refund.id, amount: 300 }]);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ paidRate: 700, version: 1 });
    expect(eventsOf(billing)).toEqual(["refund.created", "invoice.refunded"]);
    expect(billing.events[1]!.resource).toMatchObject({
      back: { refunds: [{ id: refund.id, status: "succeeded" }], disputed: 0 },
    });
  });

  it("of a one-time purchase may take its grants for good", () => {
    const grants = [grantWith({ subscriptionId: null, invoiceId: "inv_1" })];
    const billing = billingWith({ ...once, grants, benefits: [benefitWith()] });
    refundInvoice(billing, "inv_1", asked({ to: "balance", revokeGrants: true }));
    expect(billing.grants.get("bgr_1")).toMatchObject({ status: "revoked", reason: "refunded" });
  });

  it("lowers no rate of a Subscription that has ended", () => {
    const ended = subscriptionWith({ status: "canceled", endedAt: NOW, canceledAt: NOW });
    const billing = billingWith({ ...bought, subscriptions: [ended] });
    expect(refundInvoice(billing, "inv_1", asked({ to: "balance" })).rateLowered).toBe(0);
  });
});

test("a refund names its parts at once, as far as it can know them", () => {
  const { answer, parts } = loadedAsNeeded(bought, (billing) => refundInvoice(billing, "inv_1", asked()));
  expect(answer).toMatchObject({ amount: 1000, rateLowered: 1000 });
  expect(parts).toEqual([
    ["invoice inv_1", "given_back inv_1"],
    ["refunds_of pay_1"],
    [`period sub_1 ${subscriptionWith().currentPeriodEnd}`],
  ]);
});

describe("a refund to a card (rules D1, D2, I3)", () => {
  const requested = () => {
    const billing = billingWith(bought);
    return { billing, refund: refundInvoice(billing, "inv_1", asked({ amount: 400 })) };
  };

  it("is recorded for the worker, and lowers the paid rate from now on", () => {
    const { billing, refund } = requested();
    expect(refund).toMatchObject({
      status: "pending",
      paymentId: "pay_1",
      creditNoteId: null,
      checkAt: NOW,
      settledAt: null,
    });
    expect(billing.subscriptions.get("sub_1")?.paidRate).toBe(600);
    expect(billing.transfers.where(() => true)).toEqual([]);
    expect(eventsOf(billing)).toEqual(["refund.created"]);
  });

  it("that succeeds makes its credit note", () => {
    const { billing, refund } = requested();
    const settled = settleRefund(billing, refund.id, { status: "succeeded" });
    expect(settled).toMatchObject({ status: "succeeded", checkAt: null, settledAt: NOW });
    expect(billing.creditNotes.get(settled.creditNoteId!)).toMatchObject({ refundId: refund.id, totalAmount: 400 });
    expect(billing.invoices.get("inv_1")?.refundedAmount).toBe(400);
    expect(billing.transfers.where(() => true)).toMatchObject([
      { debitAccount: "revenue", creditAccount: "provider", amount: 400 },
    ]);
    expect(balanceIn(billing, "usd")).toBe(0);
    expect(settleRefund(billing, refund.id, { status: "declined", code: "card_declined" })).toEqual(settled);
  });

  it("that fails gives the paid rate back, but not to a later period", () => {
    const { billing, refund } = requested();
    const declined = { status: "declined", code: "card_declined" } as const;
    expect(settleRefund(billing, refund.id, declined)).toMatchObject({ status: "failed", settledAt: NOW });
    expect(billing.subscriptions.get("sub_1")?.paidRate).toBe(1000);
    const later = requested();
    later.billing.subscriptions.put(subscriptionWith({ periodNumber: 2, paidRate: 900 }));
    settleRefund(later.billing, later.refund.id, declined);
    expect(later.billing.subscriptions.get("sub_1")?.paidRate).toBe(900);
    expect(eventsOf(billing)).toEqual(["refund.created", "refund.failed"]);
  });

  it("is asked about again, later each time, while its outcome is unknown", () => {
    const { billing, refund } = requested();
    for (const [checks, seconds] of [1, 2, 4].entries()) {
      const unknown = settleRefund(billing, refund.id, { status: "unknown" });
      expect(unknown).toMatchObject({ status: "unknown", checks: checks + 1, checkAt: NOW + seconds * 1000 });
    }
  });
});
