import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anyInstant, anyPeriod, anyZone, at } from "../../../test/support/subscription.ts";
import { boundary, formatInstant, instant, type Instant, type Interval, type Period } from "../calendar.ts";
import { nextPeriod, periodAt, samePeriod, startPeriods, trialPeriod } from "./period.ts";

type Fields = ReturnType<typeof startPeriods>;

/** The starts of `count` periods and the end of the last. */
function boundariesFrom(first: Fields, count: number): Instant[] {
  const found = [first.currentPeriodStart];
  let fields = first;
  for (let n = 0; n < count; n++) {
    found.push(fields.currentPeriodEnd);
    fields = { ...fields, ...nextPeriod(fields) };
  }
  return found;
}

const minutes = (moments: readonly Instant[]) => moments.map((moment) => formatInstant(moment).slice(0, 16)).join(" ");

describe("periods (rule T2)", () => {
  const table: [name: string, zone: string, count: number, interval: Interval, boundaries: string][] = [
    [
      "the 31st",
      "UTC",
      1,
      "month",
      "2024-01-31T00:00 2024-02-29T00:00 2024-03-31T00:00 2024-04-30T00:00 2024-05-31T00:00",
    ],
    [
      "29 February",
      "UTC",
      1,
      "year",
      "2024-02-29T00:00 2025-02-28T00:00 2026-02-28T00:00 2027-02-28T00:00 2028-02-29T00:00",
    ],
    [
      "every other month from the 30th",
      "UTC",
      2,
      "month",
      "2024-12-30T00:00 2025-02-28T00:00 2025-04-30T00:00 2025-06-30T00:00",
    ],
    ["every 4 years from 29 February", "UTC", 4, "year", "2096-02-29T00:00 2100-02-28T00:00 2104-02-29T00:00"],
    // 23:30 on the 31st in Warsaw: 22:30 in UTC, and an hour earlier in summer.
    [
      "Warsaw, end of month",
      "Europe/Warsaw",
      1,
      "month",
      "2025-01-31T22:30 2025-02-28T22:30 2025-03-31T21:30 2025-04-30T21:30",
    ],
    ["New York, days into summer", "America/New_York", 1, "day", "2026-03-07T07:30 2026-03-08T07:30 2026-03-09T06:30"],
    // 30 December 2011 does not exist here: a day that a zone skipped is not a period.
    [
      "Apia, over the missing day",
      "Pacific/Apia",
      1,
      "day",
      "2011-12-29T20:00 2011-12-30T20:00 2011-12-31T20:00 2012-01-01T20:00",
    ],
  ];

  test.each(table)("%s", (_, zone, intervalCount, interval, expected) => {
    const [first = "", ...others] = expected.split(" ");
    expect(
      minutes(boundariesFrom(startPeriods(at(`${first}:00Z`), zone, { interval, intervalCount }), others.length)),
    ).toBe(expected);
  });

  it("tile time without gap or overlap, on boundaries counted from the anchor", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, anyPeriod, fc.nat(30), (start, zone, period, count) => {
        let fields = startPeriods(start, zone, period);
        expect(fields).toMatchObject({ anchorAt: start, anchorIndex: 1, currentPeriodStart: start, ...period });
        for (let n = 0; n < count; n++) {
          const next = { ...fields, ...nextPeriod(fields) };
          expect(next).toMatchObject({
            anchorAt: start,
            anchorIndex: fields.anchorIndex + 1,
            currentPeriodStart: fields.currentPeriodEnd,
          });
          expect(next.currentPeriodEnd).toBe(boundary(start, zone, period, n + 2));
          expect(next.currentPeriodEnd).toBeGreaterThan(next.currentPeriodStart);
          fields = next;
        }
      }),
    );
  });

  it("that are restarted forget the old anchor and its zone", () => {
    const first = startPeriods(at("2024-01-31"), "Europe/Warsaw", { interval: "month", intervalCount: 1 });
    const restarted = { ...first, ...startPeriods(at("2024-02-10"), "UTC", { interval: "month", intervalCount: 3 }) };
    expect(minutes(boundariesFrom(restarted, 3))).toBe(
      "2024-02-10T00:00 2024-05-10T00:00 2024-08-10T00:00 2024-11-10T00:00",
    );
  });

  test.each<[Period, Period, boolean]>([
    [{ interval: "month", intervalCount: 1 }, { interval: "month", intervalCount: 1 }, true],
    [{ interval: "month", intervalCount: 1 }, { interval: "month", intervalCount: 12 }, false],
    [{ interval: "month", intervalCount: 12 }, { interval: "year", intervalCount: 1 }, false],
  ])("%j and %j are the same: %s", (one, other, same) => {
    expect(samePeriod(one, other)).toBe(same);
  });
});

describe("trials (rule T2)", () => {
  const month = { interval: "month", intervalCount: 1 } as const;

  test.each([
    ["2025-06-01T12:00", "UTC", 14, "2025-06-15T12:00"],
    ["2024-02-28T00:00", "UTC", 1, "2024-02-29T00:00"],
    // Calendar days, not 24 hours: noon stays noon when the clocks change.
    ["2026-03-07T17:00", "America/New_York", 2, "2026-03-09T16:00"],
    ["2026-10-24T10:00", "Europe/Warsaw", 7, "2026-10-31T11:00"],
    // 02:30 does not exist on 29 March 2026.
    ["2026-03-28T01:30", "Europe/Warsaw", 1, "2026-03-29T01:30"],
    ["2011-12-29T20:00", "Pacific/Apia", 1, "2011-12-30T20:00"],
  ])("from %s in %s for %s days end at %s, the anchor of the paid periods", (start, zone, days, end) => {
    const trial = trialPeriod(at(`${start}:00Z`), zone, days, month);
    const [from, until] = [at(`${start}:00Z`), at(`${end}:00Z`)];
    expect(trial).toMatchObject({
      currentPeriodStart: from,
      currentPeriodEnd: until,
      trialStart: from,
      trialEnd: until,
    });
    expect(trial).toMatchObject({ anchorAt: until, anchorTimeZone: zone, anchorIndex: 0 });
  });

  it("meet the first paid period", () => {
    fc.assert(
      fc.property(anyInstant, anyZone, anyPeriod, fc.integer({ min: 1, max: 730 }), (start, zone, period, days) => {
        const trial = trialPeriod(start, zone, days, period);
        expect(trial.currentPeriodEnd).toBeGreaterThan(start);
        expect({ ...trial, ...nextPeriod(trial) }).toMatchObject(startPeriods(trial.trialEnd, zone, period));
      }),
    );
  });
});

describe("a period of a Subscription that began elsewhere", () => {
  it("is the one that renewals from its anchor would have come to", () => {
    fc.assert(
      fc.property(
        anyInstant,
        anyZone,
        anyPeriod,
        fc.nat(60),
        fc.nat(1_000_000),
        (anchor, zone, period, count, later) => {
          let current = startPeriods(anchor, zone, period);
          for (let n = 0; n < count; n++) current = { ...current, ...nextPeriod(current) };
          const within = Math.min(later, current.currentPeriodEnd - current.currentPeriodStart - 1);
          expect(periodAt(anchor, zone, period, instant(current.currentPeriodStart + within))).toEqual(current);
        },
      ),
    );
  });

  it("has an anchor that has been", () => {
    expect(() => periodAt(at("2025-06-02"), "UTC", { interval: "month", intervalCount: 1 }, at("2025-06-01"))).toThrow(
      RangeError,
    );
  });
});
