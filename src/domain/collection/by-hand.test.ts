import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  cardWith,
  customerWith,
  eventsOf,
  invoiceWith,
  lineWith,
  NOW,
  paymentWith,
} from "../../../test/support/customer-billing.ts";
import { pastDueWith, subscriptionWith } from "../../../test/support/subscription.ts";
import { Refusal } from "../refusal.ts";
import { chargeByHand, markPaid, voidByHand } from "./by-hand.ts";

const owing = pastDueWith({ nextRetryAt: null });
const open = invoiceWith({ status: "open" });
const onFile = { cards: [cardWith()], customer: customerWith({ defaultPaymentMethodId: "pm_1" }) };
const rows = { subscriptions: [owing], invoices: [open], lines: [lineWith()], ...onFile };
const challenge = paymentWith({ status: "requires_action" });
const any = () => {};
const because = { reason: "a mistake" };

const operations = {
  void: (billing: ReturnType<typeof billingWith>, checkVersion = any) =>
    voidByHand(billing, "inv_1", because, checkVersion),
  "mark-paid": (billing: ReturnType<typeof billingWith>, checkVersion = any) =>
    markPaid(billing, "inv_1", because, checkVersion),
  pay: (billing: ReturnType<typeof billingWith>, checkVersion = any) =>
    chargeByHand(billing, "inv_1", null, checkVersion),
};

describe.each(Object.entries(operations))("an operator's %s of an open invoice (rules D3, S5)", (_, operation) => {
  const stale = () => {
    throw new Refusal("precondition_failed");
  };
  test.each([
    ["that is unknown", { invoices: [] }, stale, "not_found"],
    ["that changed meanwhile", { invoices: [invoiceWith()] }, stale, "precondition_failed"],
    ["that is paid", { invoices: [invoiceWith()] }, any, "invoice_not_open"],
    ["that is being paid", { payments: [paymentWith({ status: "pending" })] }, any, "payment_in_progress"],
  ])("is refused of one %s", (__, more, checkVersion, refusal) => {
    expect(() => operation(billingWith({ ...rows, ...more }), checkVersion)).toThrow(
      expect.objectContaining({ code: refusal }),
    );
  });

  it("waits until the challenge is given up, and changes no row before", () => {
    const billing = billingWith({ ...rows, payments: [challenge] });
    expect(operation(billing)).toEqual({ challenge });
    expect([billing.events, billing.invoices.changes().updated, billing.payments.changes().inserted]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe("an invoice that an operator closes", () => {
  test.each([
    ["void", voidByHand],
    ["paid outside", markPaid],
  ] as const)("%s at the instant at which grace and period end: the renewal follows at once (rule D8)", (_, close) => {
    const ends = { currentPeriodEnd: NOW, graceEndsAt: NOW, grantsSuspended: true };
    const billing = billingWith({ ...rows, subscriptions: [pastDueWith({ nextRetryAt: null, ...ends })] });
    close(billing, "inv_1", because);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ currentPeriodStart: NOW, periodNumber: 2 });
  });

  it("is void: the Subscription recovers, and the period in progress was billed at 0 (rules S5, P)", () => {
    const billing = billingWith(rows);
    expect(operations.void(billing)).toMatchObject({ bill: { invoice: { status: "void", voidReason: "a mistake" } } });
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ status: "active", paidRate: 0, firstFailedAt: null });
    expect(eventsOf(billing)).toEqual(["invoice.voided", "subscription.recovered"]);
  });

  it("leaves the rate where it billed another period, and the Subscription past due while another one is open", () => {
    const billing = billingWith({
      ...rows,
      invoices: [
        { ...open, periodNumber: 0 },
        { ...open, id: "inv_2" },
      ],
    });
    operations.void(billing);
    expect(billing.subscriptions.get("sub_1")).toEqual(owing);
  });

  it("is paid outside of the provider", () => {
    const billing = billingWith(rows);
    const paid = { status: "paid", paidOutside: true, paymentNote: "a mistake", amountPaid: 1000 };
    expect(operations["mark-paid"](billing)).toMatchObject({ bill: { invoice: paid, lines: [lineWith()] } });
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ status: "active", paidRate: 1000 });
    expect(eventsOf(billing)).toEqual(["invoice.paid", "subscription.recovered"]);
  });
});

describe("an invoice that an operator charges (rule D3)", () => {
  const request = { requestId: "req_1", idempotency: { organizationId: "org_1", key: "k", method: "POST", path: "/" } };

  it("goes to the card that its retries go to", () => {
    const attempt = {
      purpose: "hand",
      invoiceId: "inv_1",
      amount: 1000,
      paymentMethodId: "pm_1",
      request,
      createdAt: NOW,
    };
    expect(chargeByHand(billingWith(rows), "inv_1", request, any)).toMatchObject({ attempt });
  });

  it("is answered without an attempt where there is no card, also while a challenge waits", () => {
    const billing = billingWith({ ...rows, cards: [], payments: [challenge] });
    expect(chargeByHand(billing, "inv_1", null, any)).toEqual({ cardMissing: open });
  });

  it("needs a payment provider", () => {
    const billing = billingWith({ ...rows, subscriptions: [subscriptionWith()], hasProvider: false });
    expect(() => operations.pay(billing)).toThrow(expect.objectContaining({ code: "payment_provider_missing" }));
  });
});
