import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { instant } from "../calendar.ts";
import { MAX_AMOUNT } from "../money.ts";
import { restOf } from "./proration.ts";

const moment = fc.record({
  rate: fc.integer({ min: 0, max: MAX_AMOUNT }),
  start: fc.integer({ min: at("2000-01-01"), max: at("2060-01-01") }),
  length: fc.integer({ min: 1, max: 366 * 12 * 86_400_000 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

function spanOf({ start, length, share }: { start: number; length: number; share: number }) {
  const gone = Math.floor(share * length);
  const span = { currentPeriodStart: instant(start), currentPeriodEnd: instant(start + length) };
  return { span, now: instant(start + gone), mirrored: instant(start + length - gone), left: length - gone };
}

describe("the rest of a period (rule P)", () => {
  const june = subscriptionWith();
  test.each([
    [10_000, "2025-06-01", 10_000],
    [10_000, "2025-06-11", 6667],
    [10_000, "2025-06-16", 5000],
    [10_000, "2025-07-01", 0],
    [999, "2025-06-11", 666],
    [1, "2025-06-16", 1],
    [1, "2025-06-16T00:00:00.001Z", 0],
    [MAX_AMOUNT, "2025-06-01T00:00:00.001Z", 999_999_999_613],
    // A clock that was set back, or late work: never more than the whole, never less than 0.
    [10_000, "2025-05-01", 10_000],
    [10_000, "2025-08-01", 0],
  ])("of %s a month on %s is %s", (rate, now, rest) => {
    expect(restOf(rate, june, at(now))).toBe(rest);
  });

  it("lies between zero and the rate, exact until it is rounded once", () => {
    fc.assert(
      fc.property(moment, (each) => {
        const { span, now, left } = spanOf(each);
        const rest = restOf(each.rate, span, now);
        expect(rest >= 0 && rest <= each.rate).toBe(true);
        const error = 2n * (BigInt(rest) * BigInt(each.length) - BigInt(each.rate) * BigInt(left));
        expect(error <= BigInt(each.length) && error > -BigInt(each.length)).toBe(true);
      }),
    );
  });

  it("adds up to the whole with the part that is gone, but for the one unit that two exact halves gain", () => {
    fc.assert(
      fc.property(moment, (each) => {
        const { span, now, mirrored, left } = spanOf(each);
        const halves = (2n * BigInt(each.rate) * BigInt(left)) % (2n * BigInt(each.length)) === BigInt(each.length);
        expect(restOf(each.rate, span, now) + restOf(each.rate, span, mirrored)).toBe(each.rate + (halves ? 1 : 0));
      }),
    );
  });

  it("never grows as time goes by", () => {
    fc.assert(
      fc.property(moment, fc.nat(86_400_000), (each, later) => {
        const { span, now } = spanOf(each);
        expect(restOf(each.rate, span, instant(now + later))).toBeLessThanOrEqual(restOf(each.rate, span, now));
      }),
    );
  });
});
