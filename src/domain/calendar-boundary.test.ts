import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../test/support/subscription.ts";
import { boundary, formatInstant, instant, type Instant, type Interval } from "./calendar.ts";

describe("boundary (rule T2)", () => {
  const table: [name: string, zone: string, count: number, interval: Interval, boundaries: string][] = [
    [
      "the 31st",
      "UTC",
      1,
      "month",
      "2024-01-31T09:00 2024-02-29T09:00 2024-03-31T09:00 2024-04-30T09:00 2024-05-31T09:00",
    ],
    [
      "29 February, yearly",
      "UTC",
      1,
      "year",
      "2024-02-29T00:00 2025-02-28T00:00 2026-02-28T00:00 2027-02-28T00:00 2028-02-29T00:00",
    ],
    ["every 3 months", "UTC", 3, "month", "2025-11-30T00:00 2026-02-28T00:00 2026-05-30T00:00"],
    ["every 2 weeks", "UTC", 2, "week", "2026-02-20T00:00 2026-03-06T00:00 2026-03-20T00:00"],
    // Noon stays noon: 17:00Z in winter, 16:00Z in summer.
    ["New York, into summer", "America/New_York", 1, "month", "2026-02-10T17:00 2026-03-10T16:00 2026-04-10T16:00"],
    // 02:30 does not exist on 8 March 2026 and becomes 03:30, for that day only.
    ["New York, in the gap", "America/New_York", 1, "day", "2026-03-07T07:30 2026-03-08T07:30 2026-03-09T06:30"],
    // 01:30 occurs twice on 1 November 2026; the first occurrence is in summer time.
    ["New York, in the overlap", "America/New_York", 1, "day", "2026-10-31T05:30 2026-11-01T05:30 2026-11-02T06:30"],
    ["Warsaw, in the gap", "Europe/Warsaw", 1, "month", "2026-02-28T01:30 2026-03-28T01:30 2026-04-28T00:30"],
    ["Warsaw, midnight of the 31st", "Europe/Warsaw", 1, "month", "2026-01-30T23:00 2026-02-27T23:00 2026-03-30T22:00"],
    // Summer time is half an hour here: 02:15 on 4 October 2026 becomes 02:45.
    ["Lord Howe, in the gap", "Australia/Lord_Howe", 1, "day", "2026-10-02T15:45 2026-10-03T15:45 2026-10-04T15:15"],
    ["Kathmandu, 5:45 ahead", "Asia/Kathmandu", 1, "month", "2026-01-30T18:15 2026-02-27T18:15 2026-03-30T18:15"],
    // 30 December 2011 does not exist here: as a period, the day is empty.
    [
      "Apia, the missing day",
      "Pacific/Apia",
      1,
      "day",
      "2011-12-29T20:00 2011-12-30T20:00 2011-12-30T20:00 2011-12-31T20:00",
    ],
    [
      "Apia, a month over the missing day",
      "Pacific/Apia",
      1,
      "month",
      "2011-11-30T20:00 2011-12-30T20:00 2012-01-29T20:00",
    ],
  ];

  test.each(table)("%s", (_, zone, intervalCount, interval, boundaries) => {
    const expected = boundaries.split(" ").map((text) => `${text}:00.000Z`);
    const anchor = at(expected[0] ?? "");
    expect(expected.map((_text, n) => formatInstant(boundary(anchor, zone, { interval, intervalCount }, n)))).toEqual(
      expected,
    );
  });

  it("refuses an instant beyond the year 9999, and an unknown zone", () => {
    const anchor = at("2026-01-31T00:00:00Z");
    expect(() => boundary(anchor, "UTC", { interval: "year", intervalCount: 1 }, 8_000)).toThrow(RangeError);
    expect(() => boundary(anchor, "UTC", { interval: "year", intervalCount: 1 }, 1e12)).toThrow(RangeError);
    expect(() => boundary(anchor, "Mars/Olympus", { interval: "year", intervalCount: 1 }, 1)).toThrow(RangeError);
  });

  const zones = [
    "UTC",
    "America/New_York",
    "Europe/Warsaw",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "America/St_Johns",
  ];
  const series = fc.record({
    // From 2012 on, after the last calendar day that a zone skipped.
    anchor: fc.integer({ min: at("2012-01-01T00:00:00Z"), max: at("2060-01-01T00:00:00Z") }).map(instant),
    zone: fc.constantFrom(...zones),
    period: fc.record({
      interval: fc.constantFrom<Interval>("day", "week", "month", "year"),
      intervalCount: fc.integer({ min: 1, max: 12 }),
    }),
    n: fc.nat(400),
  });

  it("starts at the anchor and strictly increases, so that periods tile time", () => {
    fc.assert(
      fc.property(series, ({ anchor, zone, period, n }) => {
        expect(boundary(anchor, zone, period, 0)).toBe(anchor);
        expect(boundary(anchor, zone, period, n + 1)).toBeGreaterThan(boundary(anchor, zone, period, n));
      }),
    );
  });

  it("keeps the anchor's day and local time, but for a shorter month and a gap", () => {
    fc.assert(
      fc.property(series, ({ anchor, zone, period: { intervalCount }, n }) => {
        const local = (moment: Instant) =>
          new Temporal.ZonedDateTime(BigInt(moment) * 1_000_000n, zone).toPlainDateTime();
        const months = n * intervalCount;
        const start = local(anchor);
        const month = (start.year * 12 + start.month - 1 + months) % 12;
        const year = Math.floor((start.year * 12 + start.month - 1 + months) / 12);
        const lastDay = new Temporal.PlainYearMonth(year, month + 1).daysInMonth;
        const wanted = start.with({ year, month: month + 1, day: Math.min(start.day, lastDay) });

        const found = local(boundary(anchor, zone, { interval: "month", intervalCount }, n));
        const moved = wanted.until(found).total("minutes");
        expect(found.equals(wanted) || moved === 60 || moved === 30).toBe(true);
        if (moved !== 0) expect(wanted.toZonedDateTime(zone).toPlainDateTime().equals(wanted)).toBe(false);
      }),
    );
  });
});
