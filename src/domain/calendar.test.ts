import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Instant } from "./calendar.ts";
import {
  addCalendar,
  addDays24,
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
    ["2026-03-01T12:00:00Z", "UTC", "1 March 2026"],
    ["2026-02-28T23:30:00Z", "Europe/Warsaw", "1 March 2026"],
    ["2026-03-01T03:00:00Z", "America/New_York", "28 February 2026"],
  ])("%s in %s: %s", (moment, zone, expected) => {
    expect(formatDate(at(moment), zone)).toBe(expected);
  });
});
