import { describe, expect, it, test } from "vitest";
import { instant } from "../calendar.ts";
import { descriptionOf, titleOf } from "./line-title.ts";
import type { LineBasis } from "./line-basis.ts";

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
    expect(title).toEqual({ productName: "Pro", part, toCancellation, units: null });
    expect(descriptionOf(title!, "usd")).toBe(description);
  });

  const SEATS = { en: { one: "seat", other: "seats" }, de: { one: "Platz", other: "Plätze" } };
  const five = { quantity: 5, unitName: SEATS, price: 6000 };
  test.each<[basis: LineBasis, currency: string, description: string]>([
    [{ ...WHOLE, ...five }, "usd", "Team, 5 seats × US$12.00"],
    [{ ...CREDIT, ...five }, "usd", "Team, 5 seats × US$12.00, unused rest of the period"],
    [{ ...DEBIT, ...five }, "usd", "Team, 5 seats × US$12.00, rest of the period"],
    [passed({ ...DEBIT, ...five }), "usd", "Team, 5 seats × US$12.00, rest of the period up to the cancellation"],
    [{ ...WHOLE, quantity: 1, unitName: SEATS, price: 1200 }, "usd", "Team, 1 seat × US$12.00"],
    [{ ...WHOLE, quantity: 2, unitName: { de: SEATS.de } }, "usd", "Team, 2 Plätze × US$5.00"],
    [{ ...WHOLE, quantity: 100_000, price: 100_000 }, "jpy", "Team, 100,000 × JP¥1"],
    [{ ...CREDIT, quantity: 5, unitName: SEATS }, "usd", "Team, unused rest of the period"],
  ])("tells the units (rule Q5): %j in %s", (basis, currency, description) => {
    const says = descriptionOf(titleOf({ productName: "Team", basis })!, currency);
    expect(says.replaceAll("\u00a0", " ")).toBe(description);
  });

  it("is not known for lines from before these facts were kept", () => {
    expect(titleOf({ productName: null, basis: WHOLE })).toBeNull();
    expect(titleOf({ productName: "Pro", basis: null })).toBeNull();
    expect(titleOf({ productName: "Pro", basis: passed(null) })).toBeNull();
  });
});
