import { describe, expect, test } from "vitest";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { addDays24, type Instant } from "../calendar.ts";
import { noticeAt, passNotice, withoutNotice, type Subscription } from "./subscription.ts";
import { MOST_TRIAL_DAYS, planTrial } from "./trial.ts";

/** A trial from 1 to 15 June 2025. */
const trialing = (others: Partial<Subscription> = {}) =>
  subscriptionWith({
    status: "trialing",
    trialStart: at("2025-06-01"),
    trialEnd: at("2025-06-15"),
    currentPeriodEnd: at("2025-06-15"),
    anchorAt: at("2025-06-15"),
    anchorIndex: 0,
    ...others,
  });
const LATER = at("2025-07-20");

describe("a longer trial (rule S9)", () => {
  test("moves the period, the anchor, a planned end, a pending change and a request for a card", () => {
    const team = { productId: "prd_team", productName: "Team", groupKey: "plans", amount: 2000, quantity: 1 };
    const monthly = { unitName: null, interval: "month", intervalCount: 1 } as const;
    const planned = trialing({
      cancelAtPeriodEnd: true,
      cancelAt: at("2025-06-15"),
      pendingChange: { ...team, ...monthly, effectiveAt: at("2025-06-15") },
      cardRequestAt: at("2025-06-12"),
    });
    expect(planTrial(planned, LATER)).toEqual({
      change: {
        trialEnd: LATER,
        currentPeriodEnd: LATER,
        anchorAt: LATER,
        cancelAt: LATER,
        pendingChange: { ...team, ...monthly, effectiveAt: LATER },
        cardRequestAt: at("2025-07-17"),
      },
    });
  });

  test.each<[name: string, others: Partial<Subscription>, end: Instant, plan: object]>([
    ["the present end", {}, at("2025-06-15"), { unchanged: true }],
    ["an earlier end", {}, at("2025-06-14"), { outOfRange: expect.anything() }],
    ["730 days", {}, addDays24(at("2025-06-01"), MOST_TRIAL_DAYS), { change: expect.anything() }],
    ["more than 730 days", {}, addDays24(at("2025-06-01"), 731), { outOfRange: expect.anything() }],
    ["an ended Subscription", { status: "canceled" }, LATER, { refusal: "subscription_canceled" }],
    ["an active Subscription", { status: "active" }, LATER, { refusal: "subscription_not_trialing" }],
    [
      "a planned pause",
      { pause: { resumesAt: null, access: "keep" } },
      LATER,
      { refusal: "subscription_pause_scheduled" },
    ],
  ])("%s", (_, others, end, plan) => {
    expect(planTrial(trialing(others), end)).toEqual(plan);
  });

  test("has its notice again, unless the instant of the notice has passed (rule S9d)", () => {
    const noticed = withoutNotice(trialing());
    const lengthened = (end: Instant) => {
      const plan = planTrial(noticed, end);
      return { ...noticed, ...("change" in plan ? plan.change : {}) };
    };
    expect(noticeAt(lengthened(LATER))).toBe(at("2025-07-17"));
    expect(noticeAt(passNotice(lengthened(at("2025-06-16")), at("2025-06-14")))).toBe(null);
  });
});
