import { describe, expect, test } from "vitest";
import { at, pastDueWith, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { isHeld, missedPeriods } from "./catch-up.ts";
import { ONE_UNIT } from "../model/quantity.ts";
import { withDerived, type Subscription } from "../model/subscription.ts";

const LIVE = { mode: "live", timeZone: "UTC", catchUpSince: null, catchUpApprovedUntil: null } as const;
const SANDBOX = { ...LIVE, mode: "sandbox" } as const;
const JUMPED = { ...LIVE, catchUpSince: at("2025-06-20") } as const;
const approvedUntil = (day: string) => ({ ...LIVE, catchUpApprovedUntil: at(day) });

// A Subscription with a period from 1 June 2025 to 1 July. The next period is over on 1 August.
const month = subscriptionWith();
const ending = subscriptionWith({ cancelAtPeriodEnd: true, cancelAt: at("2025-07-01"), canceledAt: at("2025-06-10") });
const toYear = {
  productId: "prd_year",
  productName: "Year",
  groupKey: "plans",
  amount: 9000,
  ...ONE_UNIT,
  interval: "year",
  intervalCount: 1,
} as const;
const changing = subscriptionWith({ pendingChange: { ...toYear, effectiveAt: at("2025-07-01") } });
const price = {
  priceChangeId: "pch_1",
  unitAmount: 1200,
  consent: "notice",
  consentedAt: null,
  remindAt: null,
} as const;
const rising = subscriptionWith({ priceChange: { ...price, effectiveAt: at("2025-08-01") } });
const unaccepted = subscriptionWith({
  priceChange: { ...price, consent: "required", effectiveAt: at("2025-07-01"), remindAt: at("2025-06-24") },
});
const FOREVER = { resumesAt: null, access: "revoke" } as const;
const pausing = subscriptionWith({ pause: { ...FOREVER, resumesAt: at("2025-09-15") } });
const paused = withDerived({ ...pausing, status: "paused", grantsSuspended: true });

describe("due work is held (rule T4)", () => {
  test.each<
    [what: string, organization: Parameters<typeof isHeld>[0], subscription: Subscription, now: string, held: boolean]
  >([
    ["no work is due", LIVE, month, "2025-06-30", false],
    ["one period is over", LIVE, month, "2025-07-01", false],
    ["one, and almost another", LIVE, month, "2025-07-31T23:59:59.999Z", false],
    ["two are over", LIVE, month, "2025-08-01", true],
    ["two, in a sandbox", SANDBOX, month, "2025-08-01", false],
    ["a planned end, long ago", LIVE, ending, "2026-08-01", false],
    ["one is over, and a year would begin", LIVE, changing, "2026-06-30", false],
    ["the year is over, too", LIVE, changing, "2026-07-01", true],
    ["a trial is over", LIVE, trialWith(), "2025-07-14", false],
    ["a trial, and the month after it", LIVE, trialWith(), "2025-07-15", true],
    ["a trial without a card", LIVE, trialWith({ cardMissing: true }), "2026-07-15", false],
    ["a pause is due", LIVE, pausing, "2025-09-14", false],
    ["a resume is due", LIVE, paused, "2025-09-15", false],
    ["a resume, and the month after it", LIVE, paused, "2025-10-15", true],
    ["a pause, a resume, and the month after it", LIVE, pausing, "2025-10-15", true],
    ["a pause without a planned resume", LIVE, subscriptionWith({ pause: FOREVER }), "2026-08-01", false],
    ["the clock jumped, a pause is due", JUMPED, pausing, "2025-07-01", true],
    ["the clock jumped, the notice of a resume is due", JUMPED, paused, "2025-09-13", false],
    ["a retry is due", LIVE, pastDueWith(), "2025-06-20", false],
    ["a retry, and two periods", LIVE, pastDueWith(), "2025-08-01", true],
    ["a change is being paid", LIVE, subscriptionWith({ changeId: "chg_1" }), "2025-08-01", false],
    ["the clock jumped, no work is due", JUMPED, month, "2025-06-30", false],
    ["the clock jumped, one is over", JUMPED, month, "2025-07-01", true],
    ["the clock jumped, a planned end", JUMPED, ending, "2025-07-01", true],
    ["the clock jumped, a retry is due", JUMPED, pastDueWith(), "2025-06-20", true],
    ["two, the second at a new price", LIVE, rising, "2025-08-01", true],
    ["two, the first at a price without its consent", LIVE, unaccepted, "2025-08-01", false],
    ["the clock jumped, the reminder of a new price is due", JUMPED, unaccepted, "2025-06-25", false],
    ["two, both approved", approvedUntil("2025-08-01"), month, "2025-08-01", false],
    ["two, of which the first was approved", approvedUntil("2025-07-01"), month, "2025-08-01", false],
    ["two since the approval", approvedUntil("2025-06-30"), month, "2025-08-01", true],
    [
      "approved, then the clock jumped again",
      { ...approvedUntil("2025-06-30"), catchUpSince: at("2025-07-01") },
      month,
      "2025-07-02",
      true,
    ],
  ])("%s: %#", (_, organization, subscription, now, held) => {
    expect(isHeld(organization, subscription, at(now))).toBe(held);
  });
});

describe("the periods that were missed", () => {
  test.each<[what: string, subscription: Subscription, now: string, amounts: number[]]>([
    ["none", month, "2025-06-30T23:59:59.999Z", []],
    ["one, from its first instant on", month, "2025-07-01", [1000]],
    ["three", month, "2025-09-15", [1000, 1000, 1000]],
    ["those at the price of a pending change", changing, "2026-08-01", [9000, 9000]],
    ["those after a trial", trialWith(), "2025-08-15", [1000, 1000, 1000]],
    ["those of a past-due Subscription, too", pastDueWith(), "2025-08-01", [1000, 1000]],
    ["none before a resume", pausing, "2025-09-14", []],
    ["those after a resume", paused, "2025-11-15", [1000, 1000, 1000]],
    ["those at a new price", rising, "2025-09-15", [1000, 1200, 1200]],
    ["none at a price without its consent", unaccepted, "2025-09-15", []],
    ["none after a planned end", ending, "2026-08-01", []],
  ])("%s", (_, subscription, now, amounts) => {
    expect([...missedPeriods(subscription, "UTC", at(now))]).toEqual(amounts);
  });
});
