import { describe, expect, it, test } from "vitest";
import { billingWith, cardWith, customerWith, invoiceWith, NOW } from "../../../test/support/customer-billing.ts";
import { pastDueWith, trialWith } from "../../../test/support/subscription.ts";
import { instant } from "../calendar.ts";
import { liveAttempt } from "../payment/attempt.ts";
import { adoptCard, adoptCardOfChange, recordMethod, makeDefaultCard, tryNewCard } from "./new-card.ts";

const given = {
  ref: "ref_1",
  fingerprint: "fp",
  type: "card",
  brand: "visa",
  last4: "4242",
  expMonth: 1,
  expYear: 2031,
} as const;
const owing = pastDueWith({ paymentMethodId: null });
const open = invoiceWith({ status: "open" });
const cards = [cardWith({ id: "pm_old" }), cardWith({ id: "pm_new", createdAt: NOW })];

describe("a card that a buyer gives", () => {
  it("is kept, and not charged", () => {
    const billing = billingWith();
    const method = recordMethod(billing, { ...given, provider: "sandbox", providerAccount: "sandbox" });
    expect(method).toMatchObject({
      customerId: "cus_1",
      providerRef: "ref_1",
      provider: "sandbox",
      dead: false,
      createdAt: NOW,
    });
    expect(method).not.toHaveProperty("ref");
    expect([...billing.cards.changes().inserted, ...billing.payments.changes().inserted]).toEqual([method]);
  });

  it("becomes the default without a new version of the Customer, and trials that had no card go on (rule C2)", () => {
    const trial = trialWith({ cardMissing: true });
    const stranger = trialWith({ id: "sub_2", cardMissing: true, claimed: false });
    const billing = billingWith({ subscriptions: [trial, stranger], cards });
    makeDefaultCard(billing, "pm_new");
    expect(billing.customer).toEqual(customerWith({ defaultPaymentMethodId: "pm_new" }));
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ cardMissing: false, accessEndsAt: null, version: 1 });
    expect(billing.subscriptions.get("sub_2")).toEqual(stranger);
    expect(billing.events).toEqual([]);
  });

  it("is tried at once for every debt but that of the Subscription that it has just paid for (rule D3)", () => {
    const rows = {
      subscriptions: [owing],
      invoices: [open],
      cards,
      customer: customerWith({ defaultPaymentMethodId: "pm_new" }),
    };
    const billing = billingWith(rows);
    tryNewCard(billing, "pm_new", ({ id }) => id !== "sub_1");
    expect(liveAttempt(billing, "inv_1")).toBeNull();
    tryNewCard(billing, "pm_new");
    expect(liveAttempt(billing, "inv_1")).toMatchObject({
      purpose: "new_card",
      paymentMethodId: "pm_new",
      checkAt: NOW,
    });
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ paymentMethodId: null, version: owing.version });
  });

  it("is tried neither for an unclaimed Subscription nor for one with a card of its own (rules C12e, D3g)", () => {
    for (const others of [{ claimed: false, paymentMethodId: "pm_old" }, { paymentMethodId: "pm_old" }]) {
      const customer = customerWith({ defaultPaymentMethodId: "pm_new" });
      const billing = billingWith({ subscriptions: [{ ...owing, ...others }], invoices: [open], cards, customer });
      tryNewCard(billing, "pm_new");
      expect(liveAttempt(billing, "inv_1")).toBeNull();
    }
  });

  test.each([
    ["of a Customer that the Checkout names", true, "pm_old", "pm_new", null, true],
    ["of a buyer that only typed an e-mail, where there is no default yet", false, null, "pm_new", "pm_new", false],
    ["of such a buyer, where there is one", false, "pm_old", "pm_old", "pm_new", false],
  ])("that paid a Checkout: %s", (_, customerNamed, before, after, own, tried) => {
    const customer = customerWith({ defaultPaymentMethodId: before });
    const billing = billingWith({ subscriptions: [owing], invoices: [open], cards, customer });
    expect(adoptCard(billing, { customerNamed }, { paymentMethodId: "pm_new" })).toBe(own);
    expect(billing.customer.defaultPaymentMethodId).toBe(after);
    expect(liveAttempt(billing, "inv_1") !== null).toBe(tried);
  });

  const later = (dead = false) => cardWith({ id: "pm_later", createdAt: instant(NOW + 1), dead });

  test.each([
    ["stays", true, false, "pm_later", null],
    ["stays where an e-mail was only typed", false, false, "pm_later", null],
    ["does not stay once it can't be charged any more", true, true, "pm_new", "pm_new"],
  ])("a default card that was given after the one that paid a Checkout %s", (_, customerNamed, dead, after, tried) => {
    const customer = customerWith({ defaultPaymentMethodId: "pm_later" });
    const onFile = [...cards, later(dead)];
    const billing = billingWith({ subscriptions: [owing], invoices: [open], cards: onFile, customer });
    adoptCard(billing, { customerNamed }, { paymentMethodId: "pm_new" });
    expect(billing.customer.defaultPaymentMethodId).toBe(after);
    expect(liveAttempt(billing, "inv_1")?.paymentMethodId ?? null).toBe(tried);
  });

  test.each([
    ["becomes the default card, which pays", {}, "pm_old", "pm_new", null, "pm_new"],
    ["takes the place of an older card of its own", { paymentMethodId: "pm_old" }, null, "pm_new", null, "pm_new"],
    ["yields to a newer default card", {}, "pm_later", "pm_later", null, "pm_later"],
    ["yields to a newer card of its own", { paymentMethodId: "pm_later" }, null, "pm_new", "pm_later", null],
    ["is no card for others if unclaimed", { claimed: false }, "pm_old", "pm_old", "pm_new", null],
  ])("a card that paid for the change of a Subscription %s", (_, state, before, after, own, tried) => {
    const subscription = { ...owing, ...state };
    const customer = customerWith({ defaultPaymentMethodId: before });
    const onFile = [...cards, later()];
    const billing = billingWith({ subscriptions: [subscription], invoices: [open], cards: onFile, customer });
    adoptCardOfChange(billing, subscription, { paymentMethodId: "pm_new" });
    expect(billing.customer.defaultPaymentMethodId).toBe(after);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ paymentMethodId: own });
    expect(liveAttempt(billing, "inv_1")?.paymentMethodId ?? null).toBe(tried);
  });
});
