import { describe, expect, test } from "vitest";
import { instant } from "../calendar.ts";
import { fateOf, planAdvance } from "./clock.ts";

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
    // what has become of it, where the clock stands and goes to, whether something is due there
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
