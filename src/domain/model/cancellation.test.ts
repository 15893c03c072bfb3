import { describe, expect, it, test } from "vitest";
import { at, canceled, pastDueWith, planned, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { ended, planCancellation, type CancellationWhy } from "./cancellation.ts";
import { ONE_UNIT } from "./quantity.ts";
import { NO_CANCELLATION, NO_DUNNING, withDerived, type Subscription } from "./subscription.ts";

describe("a scheduled cancellation (rule S1, contract 1.7)", () => {
  const now = at("2025-06-10");
  const why: CancellationWhy = { reason: "unused", comment: "Later." };
  const known = planned("2025-07-01", { cancellationReason: "unused", cancellationComment: "Later." });

  test.each([
    ["active", subscriptionWith(), "2025-07-01"],
    ["in a trial", trialWith(), "2025-06-15"],
    ["past due", pastDueWith(), "2025-07-01"],
  ])("is planned for the period's end: %s", (_, subscription, cancelAt) => {
    const said = { cancellationReason: "unused", cancellationComment: "Later." };
    const change = { cancelAtPeriodEnd: true, cancelAt: at(cancelAt), canceledAt: now, ...said };
    expect(planCancellation(subscription, why, now)).toEqual({ change, event: "subscription.cancellation_scheduled" });
  });

  test.each<[name: string, why: CancellationWhy, said: Partial<Subscription> | null]>([
    ["nothing new", {}, null],
    ["the same words", why, null],
    ["another reason", { reason: "other" }, { cancellationReason: "other", cancellationComment: "Later." }],
    ["another comment", { comment: "Now." }, { cancellationReason: "unused", cancellationComment: "Now." }],
  ])("asked for again with %s", (_, again, said) => {
    const expected = said ? { change: said, event: "subscription.updated" } : { unchanged: true };
    expect(planCancellation(subscriptionWith(known), again, now)).toEqual(expected);
  });

  it("leaves pending change and status alone, and undoing it clears all it set", () => {
    const subscription = subscriptionWith();
    const plan = planCancellation(subscription, why, now);
    const scheduled = { ...subscription, ...("change" in plan ? plan.change : {}) };
    expect(scheduled).toMatchObject({ status: "active", pendingChange: null });
    expect({ ...scheduled, ...NO_CANCELLATION }).toEqual(subscription);
  });
});

describe("an end (rules S, S1, S5)", () => {
  const pendingChange = {
    productId: "prd_other",
    productName: "Other",
    groupKey: null,
    amount: 1,
    ...ONE_UNIT,
    interval: "year",
    intervalCount: 1,
    effectiveAt: at("2025-07-01"),
  } as const;
  const now = at("2025-06-20");

  type Cause = "ended" | "dunning_exhausted";
  type Row = [
    name: string,
    from: Subscription,
    cause: Cause,
    why: CancellationWhy,
    canceledAt: string,
    reason: string | null,
  ];
  test.each<Row>([
    [
      "as planned",
      subscriptionWith(planned("2025-06-20", { cancellationReason: "unused" })),
      "ended",
      {},
      "2025-06-02",
      "unused",
    ],
    ["at once", subscriptionWith({ pendingChange }), "ended", { reason: "other" }, "2025-06-20", "other"],
    ["in a trial", trialWith(), "ended", {}, "2025-06-20", null],
    ["past due", pastDueWith({ pendingChange }), "ended", {}, "2025-06-20", null],
    [
      "at dunning's end",
      pastDueWith(),
      "dunning_exhausted",
      { reason: "payment_failed" },
      "2025-06-20",
      "payment_failed",
    ],
  ])("%s", (_, from, cause, why, canceledAt, reason) => {
    const after = withDerived(ended(from, cause, now, why));
    expect(after).toMatchObject({
      status: "canceled",
      endedAt: now,
      canceledAt: at(canceledAt),
      cancellationReason: reason,
    });
    expect(after).toMatchObject({ ...NO_DUNNING, pendingChange: null, dueAt: null, accessEndsAt: now });
    // A planned end that was reached stays on record.
    expect(after).toMatchObject(
      from.cancelAt === now ? planned("2025-06-20") : { cancelAtPeriodEnd: false, cancelAt: null },
    );
  });

  it("comes once", () => {
    expect(() => ended(canceled, "ended", now)).toThrow("canceled subscription");
  });
});
