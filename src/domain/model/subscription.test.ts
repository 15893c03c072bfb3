import { describe, expect, it, test } from "vitest";
import { formatInstant, type Interval } from "../calendar.ts";
import { at, canceled, pastDueWith, planned, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { ended } from "./cancellation.ts";
import {
  accessEndsAt,
  nextDue,
  nextStatus,
  NO_DUNNING,
  noticeAt,
  passNotice,
  TRANSITIONS,
  withDerived,
  type Subscription,
  type SubscriptionCause,
  type SubscriptionStatus,
} from "./subscription.ts";

describe("transitions (rule S)", () => {
  // Rule S, row by row; "any live" written out.
  const table: [from: SubscriptionStatus | null, cause: SubscriptionCause, to: SubscriptionStatus][] = [
    [null, "purchased", "active"],
    [null, "trial_started", "trialing"],
    ["trialing", "trial_ended", "active"],
    ["active", "period_ended", "active"],
    ["active", "charge_failed", "past_due"],
    ["past_due", "period_ended", "past_due"],
    ["past_due", "all_paid", "active"],
    ["past_due", "dunning_exhausted", "canceled"],
    ["trialing", "paused", "paused"],
    ["active", "paused", "paused"],
    ["paused", "resumed", "active"],
    ["trialing", "ended", "canceled"],
    ["active", "ended", "canceled"],
    ["past_due", "ended", "canceled"],
    ["paused", "ended", "canceled"],
  ];
  test.each(table)("%s, %s: %s", (from, cause, to) => {
    expect(nextStatus(from, cause)).toBe(to);
  });

  it("are these and no others", () => {
    expect(TRANSITIONS).toHaveLength(table.length);
    const possible = new Set(table.map(([from, cause]) => `${from} ${cause}`));
    for (const from of [null, "trialing", "active", "past_due", "paused", "canceled"] as const) {
      for (const { cause } of TRANSITIONS) {
        if (!possible.has(`${from} ${cause}`)) expect(() => nextStatus(from, cause)).toThrow("can't be");
      }
    }
  });
});

describe("the next due instant (rules T4, P1)", () => {
  const [june8, july1] = ["2025-06-08", "2025-07-01"];
  const both = (then: string) => ({ nextRetryAt: at(then), graceEndsAt: at(then) });
  const table: [name: string, subscription: Subscription, expected: [at: string, kind: string] | null][] = [
    ["active: its renewal", subscriptionWith(), [july1, "renewal"]],
    ["trialing: the trial's end", trialWith(), ["2025-06-15", "renewal"]],
    ["to be canceled: its end", subscriptionWith(planned(july1)), [july1, "end"]],
    ["a trial to be canceled: its end", trialWith(planned("2025-06-15")), ["2025-06-15", "end"]],
    ["past due: the retry", pastDueWith(), ["2025-06-04", "retry"]],
    ["retry and grace at one instant: the retry", pastDueWith({ nextRetryAt: at(june8) }), [june8, "retry"]],
    ["the grace before the retry", pastDueWith({ nextRetryAt: at("2025-06-09") }), [june8, "grace"]],
    ["a retry being paid: the grace waits for it, and the renewal too", pastDueWith({ nextRetryAt: null }), null],
    [
      "a retry being paid, within the grace: the renewal",
      pastDueWith({ nextRetryAt: null, graceEndsAt: at("2025-07-02") }),
      [july1, "renewal"],
    ],
    [
      "grants revoked already",
      pastDueWith({ nextRetryAt: at("2025-06-15"), grantsSuspended: true }),
      ["2025-06-15", "retry"],
    ],
    ["access suspended: no renewal", pastDueWith({ nextRetryAt: null, grantsSuspended: true }), null],
    [
      "access suspended: the planned end",
      pastDueWith({ ...planned(july1), nextRetryAt: null, grantsSuspended: true }),
      [july1, "end"],
    ],
    ["renewal, retry and grace at one instant: the retry", pastDueWith(both(july1)), [july1, "retry"]],
    [
      "renewal and grace at one instant: the grace",
      pastDueWith({ nextRetryAt: at("2025-07-02"), graceEndsAt: at(july1) }),
      [july1, "grace"],
    ],
    [
      "end, retry and grace at one instant: the end",
      pastDueWith({ ...planned(july1), ...both(july1) }),
      [july1, "end"],
    ],
    [
      "recovered: dunning is forgotten",
      subscriptionWith({ ...pastDueWith(), ...NO_DUNNING, status: "active" }),
      [july1, "renewal"],
    ],
    ["a change being paid: nothing", subscriptionWith({ changeId: "chg_1" }), null],
    ["canceled: nothing", canceled, null],
  ];
  test.each(table)("%s", (_, subscription, expected) => {
    const noticed = { ...subscription, noticedUntil: subscription.currentPeriodEnd };
    expect(nextDue(noticed)).toEqual(expected && { at: at(expected[0]), kind: expected[1] });
    expect(withDerived(noticed).dueAt).toBe(expected && at(expected[0]));
  });
});

describe("notice of a renewal or of the end of a trial (rule S6)", () => {
  const days = (interval: Interval, intervalCount: number) => subscriptionWith({ interval, intervalCount });
  const table: [name: string, subscription: Subscription, expected: string | null][] = [
    ["a month: 7 days before it is over", subscriptionWith(), "2025-06-24"],
    ["a year", days("year", 1), "2026-05-25"],
    ["30 days", days("day", 30), "2025-06-24"],
    ["29 days: never", days("day", 29), null],
    ["5 weeks", days("week", 5), "2025-06-29"],
    ["4 weeks: never", days("week", 4), null],
    ["given", subscriptionWith({ noticedUntil: at("2025-07-01") }), null],
    ["given of the period before", subscriptionWith({ noticedUntil: at("2025-06-01") }), "2025-06-24"],
    ["it does not go on", subscriptionWith(planned("2025-07-01")), null],
    ["past due: dunning tells enough", pastDueWith(), null],
    ["a trial of 14 days: 3 days before it ends", trialWith(), "2025-06-12"],
    ["a trial of 3 days: never", trialWith({ currentPeriodEnd: at("2025-06-04") }), null],
    ["a trial that does not go on", trialWith(planned("2025-06-15")), null],
    ["canceled", canceled, null],
  ];
  test.each(table)("%s", (_, subscription, expected) => {
    expect(noticeAt(subscription)).toBe(expected && at(expected));
    expect(nextDue(subscription)?.kind === "notice").toBe(expected !== null);
  });

  it("is not given late", () => {
    const subscription = subscriptionWith();
    expect(passNotice(subscription, at("2025-06-24"))).toEqual(subscription);
    const passed = passNotice(subscription, at("2025-06-24T00:00:00.001Z"));
    expect(passed).toEqual({ ...subscription, noticedUntil: at("2025-07-01") });
    expect(noticeAt(passed)).toBeNull();
  });
});

describe("the end of access (rules B3, D4)", () => {
  const endedEarly = (subscription: Subscription) => ended(subscription, "ended", at("2025-06-05"));
  const table: [name: string, subscription: Subscription, expected: string | null][] = [
    ["it renews", subscriptionWith(), null],
    ["a trial", trialWith(), null],
    ["a trial without a card", trialWith({ cardMissing: true }), formatInstant(trialWith().trialEnd!)],
    ["a trial without a card that goes on", trialWith({ cardMissing: true, trialCovered: true }), null],
    ["a planned end", subscriptionWith(planned("2025-07-01")), "2025-07-01"],
    ["the grace", pastDueWith(), "2025-06-08"],
    ["the grace before a planned end", pastDueWith(planned("2025-07-01")), "2025-06-08"],
    [
      "a planned end before the grace's",
      pastDueWith({ ...planned("2025-07-01"), graceEndsAt: at("2025-07-08") }),
      "2025-07-01",
    ],
    ["the grace has passed", pastDueWith({ grantsSuspended: true }), "2025-06-08"],
    ["it has ended", canceled, "2025-06-10"],
    ["it has ended in the grace", endedEarly(pastDueWith()), "2025-06-05"],
    ["it has ended before the end that was planned", endedEarly(subscriptionWith(planned("2025-07-01"))), "2025-06-05"],
  ];
  test.each(table)("%s", (_, subscription, expected) => {
    expect(accessEndsAt(subscription)).toBe(expected && at(expected));
    expect(withDerived(subscription).accessEndsAt).toBe(expected && at(expected));
  });
});
