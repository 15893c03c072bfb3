import { describe, expect, it, test } from "vitest";
import { billingWith } from "../../../test/support/customer-billing.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import type { Checkout } from "../model/checkout.ts";
import type { Change } from "../model/frozen-plan.ts";
import { groupHolder, requireFreeGroup } from "./group.ts";

const checkout = (more: object) =>
  ({ id: "chk_1", customerId: "cus_1", groupKey: "plans", status: "processing", ...more }) as Checkout;
const change = (more: object) =>
  ({ id: "chg_1", subscriptionId: "sub_2", groupKey: "plans", status: "pending", ...more }) as Change;

describe("the holder of a group (rule C4)", () => {
  test.each([
    [
      "a live Subscription",
      { subscriptions: [subscriptionWith()], checkouts: [checkout({})] },
      { subscriptionId: "sub_1", checkoutId: null },
    ],
    ["no Subscription that has ended", { subscriptions: [subscriptionWith({ status: "canceled" })] }, null],
    ["no Subscription of another group", { subscriptions: [subscriptionWith({ groupKey: "addons" })] }, null],
    [
      "a Checkout that is being paid",
      { checkouts: [checkout({})], changes: [change({})] },
      { subscriptionId: null, checkoutId: "chk_1" },
    ],
    ["no Checkout that is open", { checkouts: [checkout({ status: "open" })] }, null],
    ["no Checkout that names no buyer yet", { checkouts: [checkout({ customerId: null })] }, null],
    [
      "a change that is being paid",
      { changes: [change({ checkoutId: "chk_2" })] },
      { subscriptionId: "sub_2", checkoutId: "chk_2" },
    ],
    ["no change that was dropped", { changes: [change({ status: "dropped" })] }, null],
  ])("%s", (_, rows, holder) => expect(groupHolder(billingWith(rows), "plans")).toEqual(holder));

  it("is named by the refusal", () => {
    const billing = billingWith({ subscriptions: [subscriptionWith()] });
    const refusal = expect.objectContaining({
      code: "already_subscribed",
      values: { subscriptionId: "sub_1", checkoutId: null, foundByEmail: null },
    });
    expect(() => requireFreeGroup(billing, "plans")).toThrow(refusal);
    expect(() => requireFreeGroup(billing, "addons")).not.toThrow();
    expect(() => requireFreeGroup(billing, null)).not.toThrow();
  });
});
