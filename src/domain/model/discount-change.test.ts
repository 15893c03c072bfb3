import { describe, expect, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { discountsAt } from "../metrics/mrr.ts";
import type { HeldDiscount, PendingDiscount } from "./discount.ts";
import { planDiscount, turnDiscount } from "./discount-change.ts";

const held = (id: string, others: Partial<HeldDiscount> = {}): HeldDiscount => ({
  id,
  code: id,
  type: "percentage",
  basisPoints: 2000,
  amount: null,
  currency: null,
  duration: "forever",
  months: null,
  productIds: null,
  startedAt: null,
  endsAt: null,
  first: null,
  ...others,
});
const JULY = at("2025-07-01");
const MID_JUNE = at("2025-06-15");
/** Discounts of a Subscription with a period from 1 June to 1 July. */
const running = held("running", { startedAt: at("2025-05-01") });
const unbegun = held("unbegun", { duration: "once" });
const runOut = held("runOut", { duration: "repeating", months: 2, startedAt: at("2025-05-01"), endsAt: JULY });
const gone = held("gone", { duration: "once", startedAt: at("2025-06-01"), endsAt: at("2025-06-01") });
const spring = held("spring");
const none: PendingDiscount = { discount: null };

describe("another discount from the next period on (rules X4a, X4b)", () => {
  const takes = (discount: HeldDiscount) => ({ pendingDiscount: { discount }, uses: true });
  const takesBack = { pendingDiscount: null, uses: false };
  test.each<[string, HeldDiscount | null, PendingDiscount | null, HeldDiscount | null, object]>([
    ["without a discount", null, null, spring, takes(spring)],
    ["in place of another one", running, null, spring, takes(spring)],
    ["in place of a waiting one", running, { discount: unbegun }, spring, takes(spring)],
    ["in place of none", running, none, spring, takes(spring)],
    ["that waits already", running, { discount: spring }, spring, { unchanged: true }],
    ["the held one", running, null, running, { unchanged: true }],
    ["the held one, in place of a waiting one", running, { discount: spring }, running, takesBack],
    ["the held one, in place of none", unbegun, none, unbegun, takesBack],
    ["the same one after it has run out", runOut, null, runOut, takes(runOut)],
    ["none", running, null, null, { pendingDiscount: none, uses: false }],
    ["none, in place of a waiting one", running, { discount: spring }, null, { pendingDiscount: none, uses: false }],
    ["none, again", running, none, null, { unchanged: true }],
    ["none, without a discount", null, null, null, { unchanged: true }],
    ["none, without a discount, in place of a waiting one", null, { discount: spring }, null, takesBack],
    ["none, after the discount has run out", gone, { discount: spring }, null, takesBack],
    ["none, in the last period of the discount", runOut, null, null, { pendingDiscount: none, uses: false }],
  ])("%s", (_, discount, pendingDiscount, wanted, plan) => {
    expect(planDiscount({ discount, pendingDiscount, currentPeriodEnd: JULY }, wanted, MID_JUNE)).toEqual(plan);
  });

  test("none, for a discount of which months are left after a pause", () => {
    const left = { discount: held("left", { duration: "repeating", endsAt: at("2025-08-01") }), pendingDiscount: null };
    const plan = planDiscount({ ...left, currentPeriodEnd: JULY }, null, at("2025-12-01"));
    expect(plan).toEqual({ pendingDiscount: none, uses: false });
  });
});

describe("the discount of a period that begins (rules X4a, X4b)", () => {
  const before = { discount: running, pastDiscounts: [], eventSequence: 7 };

  test("is the pending one, which counts its months from there", () => {
    const months = held("months", { duration: "repeating", months: 3 });
    expect(turnDiscount({ ...before, pendingDiscount: { discount: months } }, JULY, "UTC", null)).toEqual({
      discount: { ...months, startedAt: JULY, endsAt: at("2025-10-01") },
      pendingDiscount: null,
      pastDiscounts: [{ until: 7, discount: running }],
    });
    expect(turnDiscount({ ...before, pendingDiscount: none }, JULY, "UTC", null)).toEqual({
      discount: null,
      pendingDiscount: null,
      pastDiscounts: [{ until: 7, discount: running }],
    });
  });

  test("is the held one otherwise", () => {
    const same = { discount: running, pendingDiscount: null, pastDiscounts: [] };
    expect(turnDiscount({ ...before, pendingDiscount: null }, JULY, "UTC", null)).toEqual(same);
  });
});

test("the MRR of an earlier event counts the discount of that event (rule R1)", () => {
  const period = { currentPeriodStart: at("2025-06-01"), currentPeriodEnd: JULY };
  const states = [3, 7, 8, 9].map((sequence) => ({ ...period, sequence }));
  const history = {
    discount: spring,
    pastDiscounts: [
      { until: 3, discount: null },
      { until: 7, discount: running },
      { until: 8, discount: null },
    ],
  };
  expect(discountsAt(history, states)).toEqual([null, running, null, spring]);
  expect(discountsAt(history, states.slice(2))).toEqual([null, spring]);
});
