import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  benefitWith,
  eventsOf,
  grantWith,
  invoiceWith,
  NOW,
  productWith,
} from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { PartsMissing } from "../billing/parts.ts";
import { revokePurchaseGrants, syncPurchaseGrants, syncSubscriptionGrants } from "./grant.ts";

const seats = benefitWith();
const key = benefitWith({
  id: "bft_2",
  type: "license_key",
  version: 3,
  properties: { prefix: "ACME", activationLimit: 1 },
});
const sold = { products: [productWith(["bft_2", "bft_1"])], benefits: [seats, key] };
const revoked = { status: "revoked", revokedAt: at("2025-06-02"), reason: "payment_failed" } as const;
const canceled = subscriptionWith({ status: "canceled", endedAt: NOW, canceledAt: NOW });

const statuses = (billing: CustomerBilling) =>
  billing.grants.where(() => true).map(({ benefitId, status }) => [benefitId, status]);
const SIGNS = { "benefit_grant.granted": "+", "benefit_grant.revoked": "-", "benefit_grant.updated": "~" } as Record<
  string,
  string
>;
const shortly = (billing: CustomerBilling) => eventsOf(billing).map((type) => SIGNS[type]);

describe("the grants of a Subscription (rules B1, B2, B3, D4)", () => {
  type Row = [
    name: string,
    rows: object,
    subscription: ReturnType<typeof subscriptionWith>,
    events: string,
    after: string[][],
  ];
  const both = [
    ["bft_2", "active"],
    ["bft_1", "active"],
  ];
  const table: Row[] = [
    ["are its Product's Benefits", {}, subscriptionWith(), "++", both],
    ["in a trial too", {}, subscriptionWith({ status: "trialing" }), "++", both],
    ["keep their row where they are granted already", { grants: [grantWith()] }, subscriptionWith(), "+", both],
    [
      "end once the grace has passed",
      { grants: [grantWith()] },
      subscriptionWith({ grantsSuspended: true }),
      "-",
      [["bft_1", "revoked"]],
    ],
    ["end with it", { grants: [grantWith()] }, canceled, "-", [["bft_1", "revoked"]]],
    [
      "leave out a deleted Benefit",
      { benefits: [{ ...seats, deletedAt: NOW }, key] },
      subscriptionWith(),
      "+",
      [["bft_2", "active"]],
    ],
  ];
  test.each(table)("%s", (_, rows, subscription, events, after) => {
    const billing = billingWith({ ...sold, ...rows });
    syncSubscriptionGrants(billing, subscription, "purchased", NOW);
    expect(shortly(billing).join("")).toBe(events);
    expect(statuses(billing)).toEqual(after);
  });

  it("are revoked first, then come back as the same row, then are made", () => {
    const gone = benefitWith({ id: "bft_3" });
    const grants = [grantWith({ ...revoked, benefitVersion: 0 }), grantWith({ id: "bgr_3", benefitId: "bft_3" })];
    const billing = billingWith({ ...sold, benefits: [seats, key, gone], grants });
    syncSubscriptionGrants(billing, subscriptionWith(), "product_changed", NOW);
    expect(shortly(billing)).toEqual(["-", "+", "+"]);
    const [back, made] = ["bgr_1", billing.grants.changes().inserted[0]!.id].map((id) => billing.grants.get(id)!);
    const granted = { status: "active", grantedAt: NOW, revokedAt: null, reason: "product_changed" };
    expect(back).toMatchObject({ ...granted, benefitVersion: 1, version: 2 });
    expect(made).toMatchObject({
      benefitId: "bft_2",
      benefitVersion: 3,
      properties: { key: expect.stringMatching(/^ACME-/) },
      version: 1,
    });
    expect(billing.grants.get("bgr_3")).toMatchObject({ status: "revoked", revokedAt: NOW, reason: "product_changed" });
  });

  it("show the quantity, and keep row, status and reason if the quantity changes (rule B5)", () => {
    const grants = [
      grantWith({ quantity: 5, activations: 2 }),
      grantWith({ id: "bgr_2", benefitId: "bft_2", ...revoked, quantity: 5 }),
      grantWith({ id: "bgr_3", benefitId: "bft_3" }),
    ];
    const billing = billingWith({ ...sold, benefits: [seats, key, benefitWith({ id: "bft_3" })], grants });
    syncSubscriptionGrants(billing, { ...subscriptionWith(), quantity: 3 }, "product_changed", NOW);
    expect(shortly(billing)).toEqual(["-", "~", "+"]);
    const kept = { status: "active", reason: "purchased", activations: 2, version: 2 };
    expect(billing.grants.get("bgr_1")).toMatchObject({ ...kept, quantity: 3, grantedAt: grants[0]!.grantedAt });
    expect(billing.grants.get("bgr_2")).toMatchObject({ status: "active", quantity: 3, reason: "product_changed" });
    expect(billing.grants.get("bgr_3")).toMatchObject({ status: "revoked", quantity: 1 });
    syncSubscriptionGrants(billing, { ...subscriptionWith(), quantity: 3 }, "product_changed", NOW);
    expect(shortly(billing)).toHaveLength(3);
  });

  it("tell when their access ends, and their Benefit", () => {
    const billing = billingWith(sold);
    const accessEndsAt = at("2025-07-01");
    syncSubscriptionGrants(billing, { ...subscriptionWith(), accessEndsAt }, "purchased", NOW);
    expect(billing.events[0]!.resource).toMatchObject({ kind: "grant", benefit: key, expiresAt: accessEndsAt });
  });

  it("need their part, but not of a Subscription that was made in this transaction", () => {
    const billing = billingWith({ ...sold, parts: [{ part: "product_benefits", productId: "prd_current" }] });
    expect(() => syncSubscriptionGrants(billing, subscriptionWith(), "purchased", NOW)).toThrow(PartsMissing);
    billing.subscriptions.put(subscriptionWith());
    syncSubscriptionGrants(billing, subscriptionWith(), "purchased", NOW);
    expect(shortly(billing)).toEqual(["+", "+"]);
  });

  it("need no Product once it grants no Benefit", () => {
    const billing = billingWith({
      benefits: [seats],
      grants: [grantWith()],
      parts: [{ part: "grants", sourceId: "sub_1" }],
    });
    syncSubscriptionGrants(billing, canceled, "subscription_ended", NOW);
    expect(shortly(billing)).toEqual(["-"]);
  });
});

describe("the grants of a one-time purchase (rules B1, I3)", () => {
  const ofPurchase = { subscriptionId: null, invoiceId: "inv_1" };
  const dropped = grantWith({ ...ofPurchase, benefitId: "bft_3" });
  const rows = {
    ...sold,
    benefits: [seats, key, benefitWith({ id: "bft_3" })],
    invoices: [invoiceWith({ subscriptionId: null })],
  };

  it("gain each Benefit that is added to the Product, and lose none", () => {
    const billing = billingWith({ ...rows, grants: [dropped, grantWith({ id: "bgr_2", quantity: 3, ...ofPurchase })] });
    syncPurchaseGrants(billing, { invoiceId: "inv_1", productId: "prd_current", quantity: 3 }, "benefits_edited", NOW);
    expect(shortly(billing)).toEqual(["+"]);
    expect(billing.grants.get("bgr_1")).toEqual(dropped);
    expect(billing.grants.changes().inserted).toMatchObject([{ benefitId: "bft_2", quantity: 3, ...ofPurchase }]);
  });

  it("end when all of them are taken, and those of other sources stay", () => {
    const billing = billingWith({ ...rows, grants: [dropped, grantWith({ id: "bgr_2" })] });
    revokePurchaseGrants(billing, "inv_1", "refunded", NOW);
    expect(statuses(billing)).toEqual([
      ["bft_3", "revoked"],
      ["bft_1", "active"],
    ]);
  });
});
