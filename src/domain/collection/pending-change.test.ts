import { describe, expect, test } from "vitest";
import { billingWith, cardWith, customerWith, NOW, productWith } from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { ONE_UNIT } from "../model/quantity.ts";
import type { PendingChange } from "../model/subscription.ts";
import { followProduct } from "../subscription/follow-product.ts";
import { outlooksOf } from "../subscription/outlook.ts";
import { nextPeriodOf } from "./next-period.ts";
import { renewSubscription } from "./renew.ts";

const change: PendingChange = {
  productId: "prd_current",
  productName: "Present",
  groupKey: "plans",
  amount: 3000,
  ...ONE_UNIT,
  quantity: 3,
  interval: "month",
  intervalCount: 1,
  effectiveAt: at("2025-07-01"),
};
const toOther = { ...change, productId: "prd_other", productName: "Other", quantity: 1 };

/** Ada has one unit of Present at 10.00 until 1 July. `archived`: the Products that are not for sale any more. */
function ada(pendingChange: PendingChange, archived: readonly string[], productId = "prd_current") {
  const subscription = subscriptionWith({ productId, pendingChange, noticedUntil: at("2025-07-01") });
  const product = (id: string) => productWith([], { id, archived: archived.includes(id) });
  const billing = billingWith({
    now: NOW,
    customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
    cards: [cardWith()],
    products: [product("prd_current"), product("prd_other")],
    subscriptions: [subscription],
  });
  return { billing, subscription };
}

describe("a pending change and archived Products (rules P6, P7, Q6a)", () => {
  test.each<[name: string, pending: PendingChange, archived: string[], isKept: boolean]>([
    ["a quantity of the current Product", change, [], true],
    ["a quantity of the current Product, which is archived", change, ["prd_current"], true],
    ["a price of the current Product, which is archived", { ...change, quantity: 1 }, ["prd_current"], true],
    ["a quantity at another price, archived", { ...change, amount: 4500 }, ["prd_current"], true],
    ["a quantity, while another Product is archived", change, ["prd_other"], true],
    ["another Product", toOther, [], true],
    ["another Product from an archived one", toOther, ["prd_current"], true],
    ["another Product, which is archived", toOther, ["prd_other"], false],
    ["another Product of another group, archived", { ...toOther, groupKey: "extras" }, ["prd_other"], false],
  ])("%s", (_, pending, archived, isKept) => {
    const amount = isKept ? pending.amount : 1000;
    const { billing, subscription } = ada(pending, archived);
    expect(outlooksOf(ada(pending, archived).billing, [subscription]).get("sub_1")!.change !== null).toBe(isKept);
    expect(nextPeriodOf(billing, subscription).plan.subscription).toMatchObject({ amount });
    for (const id of archived) followProduct(billing, "sub_1", id);
    const current = billing.subscriptions.get("sub_1")!;
    expect(current.pendingChange).toEqual(isKept ? pending : null);
    renewSubscription(billing, current);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({
      productId: isKept ? pending.productId : "prd_current",
      quantity: isKept ? pending.quantity : 1,
      amount,
      pendingChange: null,
    });
  });
});
