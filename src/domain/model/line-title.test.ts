import { describe, expect, it, test } from "vitest";
import { instant } from "../calendar.ts";
import { descriptionOf, titleOf } from "./line-title.ts";
import type { LineBasis } from "./invoice.ts";

const at = (day: string) => instant(Date.parse(day));
const [from, periodStart, periodEnd] = [at("2026-03-16"), at("2026-03-01"), at("2026-04-01")];
const WHOLE: LineBasis = { kind: "period", price: 1000, discount: null };
const CREDIT: LineBasis = { kind: "credit", rate: 1000, from, periodStart, periodEnd };
const DEBIT: LineBasis = { ...CREDIT, kind: "debit" };
const passed = (of: LineBasis | null): LineBasis => {
  return { kind: "passed", amount: 500, from, until: at("2026-03-20"), periodEnd, of };
};

describe("the title of a line", () => {
  test.each<[basis: LineBasis, part: string, toCancellation: boolean, description: string]>([
    [WHOLE, "whole", false, "Pro"],
    [CREDIT, "unused", false, "Pro, unused rest of the period"],
    [DEBIT, "rest", false, "Pro, rest of the period"],
    [passed(CREDIT), "unused", true, "Pro, unused rest of the period up to the cancellation"],
    [passed(DEBIT), "rest", true, "Pro, rest of the period up to the cancellation"],
  ])("tells its part of the period: %j", (basis, part, toCancellation, description) => {
    const title = titleOf({ productName: "Pro", basis });
    expect(title).toEqual({ productName: "Pro", part, toCancellation });
    expect(descriptionOf(title!)).toBe(description);
  });

  it("is not known for lines from before these facts were kept", () => {
    expect(titleOf({ productName: null, basis: WHOLE })).toBeNull();
    expect(titleOf({ productName: "Pro", basis: null })).toBeNull();
    expect(titleOf({ productName: "Pro", basis: passed(null) })).toBeNull();
  });
});
