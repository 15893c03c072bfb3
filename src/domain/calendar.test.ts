import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Instant, Interval } from "./calendar.ts";
import {
  addCalendar,
  addDays24,
  boundary,
  formatDate,
  formatInstant,
  instant,
  isTimeZone,
  parseDuration,
  parseInstant,
} from "./calendar.ts";

const at = (text: string): Instant => {
  const parsed = parseInstant(text);
  if (parsed === null) throw new Error(`${text} is not an instant`);
  return parsed;
};

describe("instants", () => {
  test.each([
    ["2026-01-31T00:00:00Z", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31t00:00:00.5z", "2026-01-31T00:00:00.500Z"],
    ["2026-01-31T01:30:00+01:30", "2026-01-31T00:00:00.000Z"],
    ["2026-01-30T23:59:59.999-00:00", "2026-01-30T23:59:59.999Z"],
    ["2026-01-31T00:00:00.1239999999999Z", "2026-01-31T00:00:00.123Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s as %s", (text, expected) => {
    expect(formatInstant(at(text))).toBe(expected);
  });

  test.each([
    "",
    "now",
    "infinity",
    "2026-01-31",
    "2026-01-31T00:00:00",
    "2026-01-31 00:00:00Z",
    "2026-01-31T00:00Z",
    "2026-01-31T00:00:00.Z",
    "2026-01-31T00:00:00,5Z",
    "2026-01-31T00:00:00+0100",
    "2026-01-31T00:00:00+24:00",
    "2026-01-31T00:00:00Z[UTC]",
    "2026-01-31T00:00:00Z\n",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T00:60:00Z",
    "2016-12-31T23:59:60Z",
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "+010000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
  ])("refuses %j", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test.each([0.5, Number.NaN, Infinity, 253_402_300_800_000, -62_135_596_800_001])(
    "%s ms is no instant",
    (milliseconds) => {
      expect(() => instant(milliseconds)).toThrow(RangeError);
    },
  );

  it("reads back each written instant, and text sorts as time", () => {
    const moment = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }).map(instant);
    fc.assert(
      fc.property(moment, moment, (first, second) => {
        expect(parseInstant(formatInstant(first))).toBe(first);
        expect(formatInstant(first) < formatInstant(second)).toBe(first < second);
      }),
    );
  });
});

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
    // 01:30 comes twice on 1 November 2026; the first is in summer time.
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

describe("durations", () => {
  test.each(["P1M", "P14D", "P2W", "PT1H", "P1Y2M3W4DT5H6M7.125S", "PT90M", "P0DT1S", "PT0.001S"])(
    "%s is one",
    (text) => {
      expect(parseDuration(text)).toBe(text);
    },
  );

  const malformed = ["", "P", "PT", "P1DT", "1D", "P1", "p1d", "P1.5D", "PT0.0001S", "P1M2Y", "P1D\n"];
  const notAboveZeroOrTooLong = ["-P1D", "+P1D", "P-1D", "P0D", "PT0S", "P99999999999Y"];
  test.each([...malformed, ...notAboveZeroOrTooLong])("%j is not one", (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  test.each([
    ["2024-01-31T00:00:00Z", "UTC", "P1M", "2024-02-29T00:00:00.000Z"],
    ["2026-03-07T17:00:00Z", "America/New_York", "P1D", "2026-03-08T16:00:00.000Z"],
    ["2026-03-07T17:00:00Z", "America/New_York", "PT24H", "2026-03-08T17:00:00.000Z"],
    ["2026-01-31T00:00:00Z", "UTC", "P1MT1H", "2026-02-28T01:00:00.000Z"],
    ["2026-01-31T00:00:00Z", "UTC", "PT0.001S", "2026-01-31T00:00:00.001Z"],
  ])("%s in %s plus %s is %s", (from, zone, duration, expected) => {
    expect(formatInstant(addCalendar(at(from), zone, duration))).toBe(expected);
  });

  test.each(["P8000Y", "P400000Y", "soon"])("adding %s is refused", (duration) => {
    expect(() => addCalendar(at("2026-01-31T00:00:00Z"), "UTC", duration)).toThrow(RangeError);
  });

  it("counts days of 24 hours for dunning, also when the clocks change", () => {
    expect(formatInstant(addDays24(at("2026-03-07T17:00:00Z"), 3))).toBe("2026-03-10T17:00:00.000Z");
    expect(() => addDays24(at("9999-12-31T00:00:00Z"), 1)).toThrow(RangeError);
  });
});

describe("time zones", () => {
  test.each(["UTC", "Europe/Kyiv", "America/Argentina/Buenos_Aires", "Asia/Calcutta", "Etc/GMT+5"])(
    "%s is one",
    (zone) => {
      expect(isTimeZone(zone)).toBe(true);
    },
  );

  test.each(["", "utc", "europe/warsaw", "+01:00", "Mars/Olympus", "2026-01-31T00:00:00[UTC]", "UTC\n", "Z"])(
    "%j is not one",
    (zone) => {
      expect(isTimeZone(zone)).toBe(false);
    },
  );
});

describe("formatDate", () => {
  test.each([
    ["2026-03-01T12:00:00Z", "UTC", "en", "1 March 2026"],
    ["2026-02-28T23:30:00Z", "Europe/Warsaw", "en", "1 March 2026"],
    ["2026-03-01T03:00:00Z", "America/New_York", "en", "28 February 2026"],
    ["2026-03-01T12:00:00Z", "UTC", "de", "1. März 2026"],
  ])("%s in %s, %s: %s", (moment, zone, locale, expected) => {
    expect(formatDate(at(moment), zone, locale)).toBe(expected);
  });
});
