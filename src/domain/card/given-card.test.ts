import { describe, expect, it } from "vitest";
import { billingWith, cardWith, customerWith, invoiceWith, NOW } from "../../../test/support/customer-billing.ts";
import { pastDueWith } from "../../../test/support/subscription.ts";
import { liveAttempt } from "../payment/attempt.ts";
import { payAllWith, payOneWith } from "./given-card.ts";

const owing = pastDueWith({ paymentMethodId: null });
const open = invoiceWith({ status: "open" });
const cards = [cardWith({ id: "pm_old" }), cardWith({ id: "pm_new", createdAt: NOW })];

describe("the plans that a given card pays (rule C12e)", () => {
  const unclaimed = { claimed: false, paymentMethodId: "pm_old" };
  const billingOf = (...subscriptions: Partial<typeof owing>[]) =>
    billingWith({
      subscriptions: subscriptions.map((state, n) => ({ ...owing, ...state, id: `sub_${n + 1}` })),
      invoices: [open],
      cards,
      customer: customerWith({ defaultPaymentMethodId: "pm_old" }),
    });

  it("are all plans, which are claimed and lose their own cards", () => {
    const billing = billingOf(unclaimed, { paymentMethodId: "pm_old" });
    payAllWith(billing, "pm_new");
    expect(billing.customer.defaultPaymentMethodId).toBe("pm_new");
    for (const id of ["sub_1", "sub_2"])
      expect(billing.subscriptions.get(id)).toMatchObject({ claimed: true, paymentMethodId: null });
    expect(liveAttempt(billing, "inv_1")).toMatchObject({ paymentMethodId: "pm_new" });
  });

  it("are not the purchases that the Customer has not seen", () => {
    const billing = billingOf(unclaimed);
    payAllWith(billing, "pm_new", () => false);
    expect(billing.subscriptions.get("sub_1")).toMatchObject(unclaimed);
    expect(liveAttempt(billing, "inv_1")).toBeNull();
  });

  it("are not the plans that another system bills (rule V2)", () => {
    const held = { status: "active", imported: { source: "stripe", ref: "sub_there", isHeld: true } } as const;
    const billing = billingOf({ ...held, paymentMethodId: "pm_old" });
    payAllWith(billing, "pm_new");
    expect(billing.customer.defaultPaymentMethodId).toBe("pm_new");
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ paymentMethodId: "pm_old", version: owing.version });
  });

  it("are one plan alone, if the Customer says so", () => {
    const billing = billingOf(unclaimed, { paymentMethodId: null });
    payOneWith(billing, billing.subscriptions.get("sub_1")!, "pm_new");
    expect(billing.customer.defaultPaymentMethodId).toBe("pm_old");
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ claimed: true, paymentMethodId: "pm_new" });
    expect(billing.subscriptions.get("sub_2")).toMatchObject({ paymentMethodId: null });
    expect(liveAttempt(billing, "inv_1")).toMatchObject({ paymentMethodId: "pm_new" });
  });
});
