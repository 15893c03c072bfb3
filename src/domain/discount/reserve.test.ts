import { describe, expect, it, test } from "vitest";
import { billingWith, NOW } from "../../../test/support/customer-billing.ts";
import { PartsMissing } from "../billing/parts.ts";
import type { Discount } from "../model/discount.ts";
import { releaseDiscount, reserveDiscount } from "./reserve.ts";

const discount = (more: Partial<Discount>): Discount => {
  const terms = {
    type: "percentage",
    basisPoints: 1000,
    amount: null,
    currency: null,
    duration: "once",
    months: null,
  } as const;
  const limits = {
    maxRedemptions: null,
    redemptions: 0,
    startsAt: null,
    endsAt: null,
    productIds: null,
    deletedAt: null,
  };
  const row = {
    organizationId: "org_1",
    id: "dsc_1",
    code: "TEN",
    codeKey: "TEN",
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
  };
  return { ...row, ...terms, ...limits, ...more };
};
const redemption = { id: "chk_1", organizationId: "org_1", discountId: "dsc_1" };

describe("a use of a Discount (rule X1)", () => {
  test.each([
    ["without a limit", discount({ redemptions: 7 }), 8],
    ["the last one", discount({ maxRedemptions: 2, redemptions: 1 }), 2],
    ["no use is left", discount({ maxRedemptions: 2, redemptions: 2 }), null],
    ["it was deleted", discount({ deletedAt: NOW }), null],
  ])("is reserved, or refused: %s", (_, row, redemptions) => {
    const billing = billingWith({ discounts: [row] });
    expect(reserveDiscount(billing, "dsc_1", "chk_1")).toBe(redemptions !== null);
    const updated = billing.discounts.changes().updated.map((changed) => changed.row);
    expect(updated).toEqual(redemptions === null ? [] : [{ ...row, redemptions }]);
    expect(billing.redemptions.changes().inserted).toEqual(redemptions === null ? [] : [redemption]);
  });

  it("is refused for an unknown Discount, and is reserved only under its lock", () => {
    expect(reserveDiscount(billingWith(), "dsc_9", "chk_1")).toBe(false);
    expect(() => reserveDiscount(billingWith({ parts: [] }), "dsc_1", "chk_1")).toThrow(PartsMissing);
  });

  it("is given back once, also of a Discount that was deleted", () => {
    const billing = billingWith({
      discounts: [discount({ redemptions: 3, deletedAt: NOW })],
      redemptions: [redemption],
    });
    releaseDiscount(billing, "dsc_1", "chk_1");
    releaseDiscount(billing, "dsc_1", "chk_1");
    expect(billing.discounts.get("dsc_1")?.redemptions).toBe(2);
    expect(billing.redemptions.changes().dropped).toEqual([redemption]);
  });

  it("is not given back where no use was reserved", () => {
    const billing = billingWith({
      discounts: [discount({ redemptions: 3 })],
      redemptions: [{ ...redemption, discountId: "dsc_2" }],
    });
    releaseDiscount(billing, "dsc_1", "chk_1");
    expect(billing.discounts.changes().updated).toEqual([]);
  });
});
