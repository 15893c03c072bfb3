import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyInstant, anyPeriod, anyZone, at } from "../../../test/support/subscription.ts";
import { boundary, type Instant } from "../calendar.ts";
import { hasOtherBoundary, importedPeriod } from "./imported-period.ts";
import { nextPeriod } from "./period.ts";

const MONTH = { interval: "month", intervalCount: 1 } as const;
type Given = { anchorAt: Instant; periodStart: Instant; periodEnd: Instant; trialEnd: Instant | null };
const given = (anchor: string, start: string, end: string): Given => ({
  anchorAt: at(anchor),
  periodStart: at(start),
  periodEnd: at(end),
  trialEnd: null,
});

/** The ends of the given period and of the next ones. */
function endsOf(period: Given, zone: string, count: number): string[] {
  let current = importedPeriod(period, zone, MONTH);
  const ends = [current.currentPeriodEnd];
  while (ends.length < count) {
    current = { ...current, ...nextPeriod(current) };
    ends.push(current.currentPeriodEnd);
  }
  return ends.map((end) => new Date(end).toISOString().slice(0, 16));
}

describe("the periods of an imported Subscription (rule V3)", () => {
  test.each([
    ["its own day", given("2025-11-20", "2026-02-20", "2026-03-20"), "UTC", ["2026-03-20T00:00", "2026-04-20T00:00"]],
    [
      "the last day of short months",
      given("2026-01-31", "2026-01-31", "2026-02-28"),
      "UTC",
      ["2026-02-28T00:00", "2026-03-31T00:00", "2026-04-30T00:00"],
    ],
    [
      "an hour of summer time: the given end counts once",
      given("2026-01-15T12:00:00Z", "2026-03-15T12:00:00Z", "2026-04-15T12:00:00Z"),
      "Europe/Warsaw",
      ["2026-04-15T12:00", "2026-05-15T11:00"],
    ],
    [
      "another day in the zone",
      given("2026-01-30T23:30:00Z", "2026-01-30T23:30:00Z", "2026-02-28T23:30:00Z"),
      "Europe/Warsaw",
      ["2026-02-28T23:30", "2026-03-30T22:30"],
    ],
    [
      "an anchor that lies ahead",
      given("2026-04-01", "2026-03-20", "2026-04-01"),
      "UTC",
      ["2026-04-01T00:00", "2026-05-01T00:00"],
    ],
    [
      "an anchor long ago",
      given("2011-01-31", "2026-02-28", "2026-03-31"),
      "UTC",
      ["2026-03-31T00:00", "2026-04-30T00:00"],
    ],
  ])("keep %s", (_, period, zone, ends) => expect(endsOf(period, zone, ends.length)).toEqual(ends));

  test("a trial is the period in progress, and its end is the anchor", () => {
    const trial = { ...given("2025-11-20", "2026-03-05", "2026-03-20"), trialEnd: at("2026-03-19") };
    expect(importedPeriod(trial, "UTC", MONTH)).toMatchObject({
      currentPeriodStart: at("2026-03-05"),
      currentPeriodEnd: at("2026-03-19"),
      anchorAt: at("2026-03-19"),
      anchorIndex: 0,
      trialStart: at("2026-03-05"),
      trialEnd: at("2026-03-19"),
    });
  });

  test("the report names another boundary of the zone", () => {
    const summer = given("2026-01-15T12:00:00Z", "2026-03-15T12:00:00Z", "2026-04-15T12:00:00Z");
    expect(hasOtherBoundary(summer, "Europe/Warsaw", MONTH)).toBe(true);
    expect(hasOtherBoundary(summer, "UTC", MONTH)).toBe(false);
  });

  test("in UTC each period of the other system is followed by its next one", () => {
    fc.assert(
      fc.property(anyInstant, anyPeriod, fc.integer({ min: 0, max: 200 }), (anchorAt, period, n) => {
        const [periodStart, periodEnd, next] = [n, n + 1, n + 2].map((k) => boundary(anchorAt, "UTC", period, k));
        const current = importedPeriod(
          { anchorAt, periodStart: periodStart!, periodEnd: periodEnd!, trialEnd: null },
          "UTC",
          period,
        );
        expect(nextPeriod(current).currentPeriodEnd).toBe(next);
      }),
    );
  });

  test("in any zone the next period is as long as a period, but for three days", () => {
    fc.assert(
      fc.property(anyInstant, anyPeriod, anyZone, fc.integer({ min: 0, max: 60 }), (anchorAt, period, zone, n) => {
        const [periodStart, periodEnd, next] = [n, n + 1, n + 2].map((k) => boundary(anchorAt, "UTC", period, k));
        const current = importedPeriod(
          { anchorAt, periodStart: periodStart!, periodEnd: periodEnd!, trialEnd: null },
          zone,
          period,
        );
        expect(Math.abs(nextPeriod(current).currentPeriodEnd - next!)).toBeLessThanOrEqual(3 * 86_400_000);
      }),
    );
  });
});
