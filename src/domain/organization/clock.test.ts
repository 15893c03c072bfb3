import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR, instant } from "../calendar.ts";
import { fateOf, firstOf, planAdvance, planSlice, type DueRow, type Slice } from "./clock.ts";

const at = (day: number) => instant(Date.UTC(2025, 0, day));
const stored = (day: number | null) => (day === null ? null : at(day));

describe("the wish to advance a clock that stands at the 10th (rule T5)", () => {
  test.each([
    ["to the 20th, where no advance is under way", null, 20, "start"],
    ["to where it stands", null, 10, "start"],
    ["to the past", null, 9, "clock_backwards"],
    ["to the target of the advance that is under way", 20, 20, "join"],
    ["beyond that target", 20, 21, "clock_advancing"],
    ["to before that target", 20, 19, "clock_advancing"],
    ["to where it stands, while it is on its way", 20, 10, "clock_advancing"],
    ["to the past, while it is on its way", 20, 9, "clock_backwards"],
  ])("%s", (_, target, wanted, plan) => {
    expect(planAdvance(at(10), stored(target), at(wanted))).toBe(plan);
  });
});

describe("an advance to the 20th", () => {
  test.each([
    // test, time of the clock, stored target, whether work is due at that time, fate
    ["is under way", 15, 20, true, "under_way"],
    ["does the last that is due", 20, 20, true, "under_way"],
    ["has arrived", 20, null, false, "arrived"],
    ["has arrived, and another one goes on from there", 21, 30, true, "arrived"],
    ["was stopped", 15, null, false, "stopped"],
    ["was stopped at the target, before all was done", 20, null, true, "stopped"],
    ["was stopped, and another one goes on from there", 16, 30, true, "stopped"],
  ])("%s", (_, now, target, isDueLeft, fate) => {
    expect(fateOf(at(20), at(now), stored(target), isDueLeft)).toBe(fate);
  });
});

describe("a slice of an advance", () => {
  const hour = (n: number) => instant(at(1) + n * HOUR);
  /** `a0 b1`: a Subscription of Customer a that is due at hour 0, and one of Customer b at hour 1. */
  const rows = (text: string) =>
    text.split(" ").map((row): DueRow => ({ customerId: row[0]!, dueAt: hour(Number(row.slice(1))) })) as [
      DueRow,
      ...DueRow[],
    ];
  const textOf = ({ to, customers }: Slice) =>
    [...customers.map(({ id, at: own }) => `${id}${(own - at(1)) / HOUR}`), `to ${(to - at(1)) / HOUR}`].join(" ");

  test.each([
    ["one item", "a0", 99, "a0 to 0"],
    ["Customers at instants of their own", "a0 b1 c1 d2", 99, "a0 b1 c1 d2 to 2"],
    ["no item beyond the limit", "a0 b1 c2", 1, "a0 b1 to 1"],
    ["less than half a day", "a0 b12 c13", 99, "a0 b12 to 12"],
    ["a Customer's items of one instant", "a0 a0 b1", 99, "a0 b1 to 1"],
    ["no item of the instant at which a Customer is due again", "a0 b1 c2 a2 d3", 99, "a0 b1 to 1"],
    ["not the instant at which much is due on a Customer", "a0 b1 b1 b1 b1 c1 d2", 99, "a0 to 0"],
    ["the first instant, with one Customer alone, where much is due on them", "a0 b0 b0 b0 b0 c1", 99, "b0 to 0"],
    ["the first instant, though it is past", "a5 b6", 2, "a5 to 5"],
  ])("has %s", (_, due, until, expected) => {
    expect(textOf(planSlice(rows(due), hour(until), 3))).toBe(expected);
  });

  test("has the beginning of the due work, each Customer once and whole, and leaves no Customer behind", () => {
    const row = fc.record({
      customerId: fc.constantFrom(..."abcdefgh"),
      dueAt: fc.integer({ min: 0, max: 30 }).map(hour),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 30 }),
        (unordered, until) => {
          const due = unordered.sort((one, other) => one.dueAt - other.dueAt) as [DueRow, ...DueRow[]];
          const { to, customers } = planSlice(due, hour(until), 3);
          const taken = new Map(customers.map(({ id, at: own }) => [id, own]));
          expect(taken.size).toBe(customers.length);
          // A Customer with much due work is alone in a slice; the other Customers stay due at the same instant.
          const first = due.filter(({ customerId, dueAt }) => customerId === customers[0]!.id && dueAt === to);
          if (first.length > 3) return expect([customers.length, to]).toEqual([1, due[0].dueAt]);
          const passed = due.filter(({ dueAt }) => dueAt <= to);
          expect(new Set(passed.map(({ customerId }) => customerId))).toEqual(new Set(taken.keys()));
          for (const { customerId, dueAt } of passed) expect(taken.get(customerId)).toBe(dueAt);
          expect(to).toBeLessThanOrEqual(Math.max(due[0].dueAt, Math.min(hour(until), due[0].dueAt + 12 * HOUR)));
        },
      ),
    );
  });

  test("that is refused is begun with its first Customer", () => {
    expect(textOf(firstOf(planSlice(rows("a0 b0 c1"), hour(9), 3)))).toBe("a0 to 0");
  });
});
