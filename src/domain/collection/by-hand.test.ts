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
import { AppError } from "../../errors.ts";
import { chargeByHand, markPaid, voidByHand } from "./by-hand.ts";

const owing = pastDueWith({ nextRetryAt: null });
const open = invoiceWith({ status: "open" });
const onFile = { cards: [cardWith()], customer: customerWith({ defaultPaymentMethodId: "pm_1" }) };
const rows = { subscriptions: [owing], invoices: [open], lines: [lineWith()], ...onFile };
const challenge = paymentWith({ status: "requires_action" });
const any = () => {};
const because = { reason: "a mistake" };

const deeds = {
  void: (account: ReturnType<typeof billingWith>, checkVersion = any) =>
    voidByHand(account, "inv_1", because, checkVersion),
  "mark-paid": (account: ReturnType<typeof billingWith>, checkVersion = any) =>
    markPaid(account, "inv_1", because, checkVersion),
  pay: (account: ReturnType<typeof billingWith>, checkVersion = any) =>
    chargeByHand(account, "inv_1", null, checkVersion),
};

describe.each(Object.entries(deeds))("an operator's %s of an open invoice (rules D3, S5)", (_, deed) => {
  const stale = () => {
    throw new AppError("precondition_failed");
  };
  test.each([
    ["that is unknown", { invoices: [] }, stale, "not_found"],
    ["that changed meanwhile", { invoices: [invoiceWith()] }, stale, "precondition_failed"],
    ["that is paid", { invoices: [invoiceWith()] }, any, "invoice_not_open"],
    ["that is being paid", { payments: [paymentWith({ status: "pending" })] }, any, "payment_in_progress"],
  ])("is refused of one %s", (__, more, checkVersion, refusal) => {
    expect(() => deed(billingWith({ ...rows, ...more }), checkVersion)).toThrow(
      expect.objectContaining({ code: refusal }),
    );
  });

  it("waits until the challenge is given up, and changes no row before", () => {
    const account = billingWith({ ...rows, payments: [challenge] });
    expect(deed(account)).toEqual({ challenge });
    expect([account.events, account.invoices.changes().updated, account.payments.changes().inserted]).toEqual([
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
    const account = billingWith({ ...rows, subscriptions: [pastDueWith({ nextRetryAt: null, ...ends })] });
    close(account, "inv_1", because);
    expect(account.subscriptions.get("sub_1")).toMatchObject({ currentPeriodStart: NOW, periodNumber: 2 });
  });

  it("is void: the Subscription recovers, and the period in progress was billed at 0 (rules S5, P)", () => {
    const account = billingWith(rows);
    expect(deeds.void(account)).toMatchObject({ bill: { invoice: { status: "void", voidReason: "a mistake" } } });
    expect(account.subscriptions.get("sub_1")).toMatchObject({ status: "active", paidRate: 0, firstFailedAt: null });
    expect(eventsOf(account)).toEqual(["invoice.voided", "subscription.recovered"]);
  });

  it("leaves the rate where it billed another period, and the Subscription past due while another one is open", () => {
    const account = billingWith({
      ...rows,
      invoices: [
        { ...open, periodNumber: 0 },
        { ...open, id: "inv_2" },
      ],
    });
    deeds.void(account);
    expect(account.subscriptions.get("sub_1")).toEqual(owing);
  });

  it("is paid outside of the provider", () => {
    const account = billingWith(rows);
    const paid = { status: "paid", paidOutside: true, paymentNote: "a mistake", amountPaid: 1000 };
    expect(deeds["mark-paid"](account)).toMatchObject({ bill: { invoice: paid, lines: [lineWith()] } });
    expect(account.subscriptions.get("sub_1")).toMatchObject({ status: "active", paidRate: 1000 });
    expect(eventsOf(account)).toEqual(["invoice.paid", "subscription.recovered"]);
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
    const account = billingWith({ ...rows, cards: [], payments: [challenge] });
    expect(chargeByHand(account, "inv_1", null, any)).toEqual({ cardMissing: open });
  });

  it("needs a payment provider", () => {
    const account = billingWith({ ...rows, subscriptions: [subscriptionWith()], hasProvider: false });
    expect(() => deeds.pay(account)).toThrow(expect.objectContaining({ code: "payment_provider_missing" }));
  });
});
