import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  anyInstant,
  anyPeriod,
  at,
  canceled,
  pastDueWith,
  planned,
  subscriptionWith,
  trialWith,
} from "../../../test/support/subscription.ts";
import { addDays24, DAY, instant } from "../calendar.ts";
import { longestPause, planPause, withoutPause, type PausePlan } from "./pause.ts";
import type { PortalPause } from "./portal-settings.ts";
import { startPeriods } from "./period.ts";
import { ONE_UNIT } from "./quantity.ts";
import { planRenewal } from "./renewal.ts";
import {
  accessEndsAt,
  nextDue,
  noticeAt,
  passNotice,
  withDerived,
  type DueKind,
  type Pause,
  type Subscription,
} from "./subscription.ts";

const NOW = at("2025-06-10");
const END = at("2025-07-01");
const LATEST = at("2028-07-01");
const FOREVER: Pause = { resumesAt: null, access: "revoke" };
const until = (day: string, access: Pause["access"] = "revoke"): Pause => ({ resumesAt: at(day), access });
const pausedWith = (pause: Pause, others: Partial<Subscription> = {}) =>
  subscriptionWith({ status: "paused", pause, grantsSuspended: pause.access === "revoke", ...others });
const pendingAt = (day: string) => ({
  productId: "prd_other",
  productName: "Other",
  groupKey: null,
  amount: 1,
  ...ONE_UNIT,
  interval: "year" as const,
  intervalCount: 1,
  effectiveAt: at(day),
});

describe("a request to pause (rules S8a, S8b, S8c)", () => {
  const scheduled = (pause: Pause): PausePlan => ({ change: { pause, pendingChange: null } });
  const outOfRange = { outOfRange: { after: END, latest: LATEST } };

  test.each<[name: string, subscription: Subscription, asked: Pause, plan: PausePlan, hasOpenInvoice?: boolean]>([
    ["active", subscriptionWith(), FOREVER, scheduled(FOREVER)],
    ["in a trial", trialWith(), until("2025-06-16"), scheduled(until("2025-06-16"))],
    ["scheduled, the same", subscriptionWith({ pause: FOREVER }), FOREVER, { unchanged: true }],
    [
      "scheduled, another access",
      subscriptionWith({ pause: FOREVER }),
      { ...FOREVER, access: "keep" },
      scheduled({ ...FOREVER, access: "keep" }),
    ],
    [
      "until a moment after the period",
      subscriptionWith(),
      { ...FOREVER, resumesAt: instant(END + 1) },
      scheduled({ ...FOREVER, resumesAt: instant(END + 1) }),
    ],
    ["until the end of the period", subscriptionWith(), until("2025-07-01"), outOfRange],
    ["until a day before that", subscriptionWith(), until("2025-06-20"), outOfRange],
    ["until three years after the period", subscriptionWith(), until("2028-07-01"), scheduled(until("2028-07-01"))],
    ["until a day later", subscriptionWith(), until("2028-07-02"), outOfRange],
    ["ended", canceled, FOREVER, { refusal: "subscription_canceled" }],
    [
      "with a planned end",
      subscriptionWith(planned("2025-07-01")),
      FOREVER,
      { refusal: "subscription_cancellation_scheduled" },
    ],
    ["past due", pastDueWith(), FOREVER, { refusal: "subscription_past_due" }, true],
    ["with an open invoice", subscriptionWith(), FOREVER, { refusal: "invoice_open" }, true],
    ["with a change in progress", subscriptionWith({ changeId: "chg_1" }), FOREVER, { refusal: "change_in_progress" }],
  ])("%s", (_, subscription, asked, plan, hasOpenInvoice = false) => {
    expect(planPause(subscription, asked, { hasOpenInvoice, now: NOW })).toEqual(plan);
  });

  it("is bounded by now once the pause has begun", () => {
    const plan = planPause(pausedWith(FOREVER), until("2025-08-01"), { hasOpenInvoice: false, now: at("2025-08-01") });
    expect(plan).toEqual({ outOfRange: { after: at("2025-08-01"), latest: LATEST } });
  });

  test.each<[name: string, pause: Pause, effectiveAt: string]>([
    ["to the planned resume", until("2025-09-15"), "2025-09-15"],
    ["to the end of the period without one", FOREVER, "2025-07-01"],
  ])("moves a pending change %s, and undoing the pause moves it back (rule S8f)", (_, pause, effectiveAt) => {
    const subscription = subscriptionWith({ pendingChange: pendingAt("2025-07-01") });
    const plan = planPause(subscription, pause, { hasOpenInvoice: false, now: NOW });
    expect(plan).toEqual({ change: { pause, pendingChange: pendingAt(effectiveAt) } });
    const paused = { ...subscription, ...("change" in plan ? plan.change : {}) };
    expect({ ...paused, ...withoutPause(paused) }).toEqual(subscription);
  });
});

describe("the longest pause that a Customer may make (rule S8l)", () => {
  const settings = { longestMonths: 3, perYear: 2, access: "keep" } as const;
  const begun = (...days: string[]) => subscriptionWith({ pausesBegun: days.map(at) });

  test.each<[name: string, subscription: Subscription, settings: PortalPause | null, months: number]>([
    ["active", subscriptionWith(), settings, 3],
    ["in a trial", trialWith(), settings, 3],
    ["not allowed by the seller", subscriptionWith(), null, 0],
    ["one pause in the year", begun("2025-01-01"), settings, 3],
    ["two pauses in the year", begun("2024-12-01", "2025-03-01"), settings, 0],
    ["two pauses, one of which began 365 days ago", begun("2024-06-10", "2025-03-01"), settings, 3],
    ["with a pause", subscriptionWith({ pause: FOREVER }), settings, 0],
    ["with a planned end", subscriptionWith(planned("2025-07-01")), settings, 0],
    ["past due", pastDueWith(), settings, 0],
    ["with a change in progress", subscriptionWith({ changeId: "chg_1" }), settings, 0],
    ["ended", canceled, settings, 0],
  ])("%s", (_, subscription, allowed, months) => {
    expect(longestPause(subscription, allowed, NOW)).toBe(months);
  });
});

describe("due items of a pause (rules S8d, S8g, S8i, T4)", () => {
  const resuming = subscriptionWith({ grantsSuspended: true });

  test.each<[name: string, subscription: Subscription, due: [kind: DueKind, day: string] | null]>([
    [
      "scheduled: no notice of a renewal, and a pause in its place",
      subscriptionWith({ pause: FOREVER }),
      ["pause", "2025-07-01"],
    ],
    ["scheduled in a trial", trialWith({ pause: FOREVER }), ["pause", "2025-06-15"]],
    ["begun without a planned resume", pausedWith(FOREVER), null],
    ["begun until a day: the notice comes first", pausedWith(until("2025-09-15")), ["notice", "2025-09-12"]],
    ["after the notice", pausedWith(until("2025-09-15"), { noticedUntil: at("2025-09-15") }), ["resume", "2025-09-15"]],
    [
      "a resume that was moved",
      pausedWith(until("2025-10-15"), { noticedUntil: at("2025-09-15") }),
      ["notice", "2025-10-12"],
    ],
    ["three days of pause: no notice", pausedWith(until("2025-07-04")), ["resume", "2025-07-04"]],
    ["four days of pause", pausedWith(until("2025-07-05")), ["notice", "2025-07-02"]],
    ["resumed, with an unsettled charge: no renewal", resuming, null],
  ])("%s", (_, subscription, due) => {
    expect(nextDue(subscription)).toEqual(due && { kind: due[0], at: at(due[1]) });
  });

  it("a late notice is dropped", () => {
    const paused = pausedWith(until("2025-09-15"));
    expect(passNotice(paused, at("2025-09-12"))).toEqual(paused);
    expect(noticeAt(passNotice(paused, at("2025-09-13")))).toBeNull();
  });

  test.each<[name: string, subscription: Subscription, day: string | null]>([
    ["a scheduled pause without access", subscriptionWith({ pause: FOREVER }), "2025-07-01"],
    ["a scheduled pause with access", subscriptionWith({ pause: { ...FOREVER, access: "keep" } }), null],
    [
      "a trial without a card that is to be paused with access",
      trialWith({ cardMissing: true, pause: { ...FOREVER, access: "keep" } }),
      null,
    ],
    ["a pause without access", pausedWith(until("2025-09-15")), "2025-07-01"],
  ])("the access of %s ends", (_, subscription, day) => {
    expect(accessEndsAt(subscription)).toBe(day && at(day));
  });
});

describe("the period after a pause (rules S8g, X1d)", () => {
  const renewed = (subscription: Subscription, resume: string) =>
    planRenewal(subscription, { productName: "Pro", unitName: null, timeZone: "UTC", tax: null }, at(resume));

  it("begins at the resume, which is its anchor", () => {
    const { subscription, event, line } = renewed(pausedWith(until("2025-09-15")), "2025-09-15");
    const span = { currentPeriodStart: at("2025-09-15"), currentPeriodEnd: at("2025-10-15") };
    expect(subscription).toMatchObject({
      status: "active",
      pause: null,
      periodNumber: 2,
      anchorAt: at("2025-09-15"),
      ...span,
    });
    expect([event, line.amount]).toEqual(["subscription.resumed", 1000]);
  });

  it("begins anew even at the instant at which the pause began", () => {
    const { subscription } = renewed(
      pausedWith(FOREVER, startPeriods(at("2025-05-31"), "UTC", { interval: "month", intervalCount: 1 })),
      "2025-06-30",
    );
    expect(subscription).toMatchObject({ anchorAt: at("2025-06-30"), currentPeriodEnd: at("2025-07-30") });
  });

  it("counts the months of a discount that are left from the resume", () => {
    const terms = { type: "percentage", basisPoints: 5000, amount: null, currency: null, productIds: null } as const;
    const started = { id: "dsc_1", code: "HALF", startedAt: at("2025-06-01"), endsAt: at("2025-09-01"), months: 3 };
    const discount = { ...terms, ...started, duration: "repeating" as const };
    const { subscription, line } = renewed(pausedWith(FOREVER, { discount }), "2025-09-15");
    expect(line.discountAmount).toBe(500);
    expect(subscription.discount?.endsAt).toBe(at("2025-11-15"));
  });

  it("has one due item at most at each state, and no gap in the order of the instants", () => {
    const facts = { productName: "Pro", unitName: null, timeZone: "UTC", tax: null };
    const days = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(anyInstant, anyPeriod, days, fc.constantFrom("revoke", "keep"), (start, period, length, access) => {
        const begun = startPeriods(start, "UTC", period);
        const resumesAt = addDays24(begun.currentPeriodEnd, length);
        const scheduled = withDerived(subscriptionWith({ ...begun, pause: { resumesAt, access } }));
        expect(nextDue(scheduled)).toEqual({ kind: "pause", at: begun.currentPeriodEnd });
        const paused = withDerived({ ...scheduled, status: "paused", grantsSuspended: access === "revoke" });
        const notice = nextDue(paused)!;
        expect(notice.kind).toBe(length > 3 ? "notice" : "resume");
        expect(notice.at).toBe(length > 3 ? resumesAt - 3 * DAY : resumesAt);
        const { subscription } = planRenewal(paused, facts, resumesAt);
        expect(subscription).toMatchObject({ pause: null, anchorAt: resumesAt, currentPeriodStart: resumesAt });
      }),
    );
  });
});
