import { describe, expect, test } from "vitest";
import { boundary, instant, type Instant } from "../calendar.ts";
import { importedPeriod } from "../model/imported-period.ts";
import { productWith } from "../../../test/support/customer-billing.ts";
import { readTerms, type CsvTerms, type ReadTerms } from "./csv-terms.ts";

const at = (text: string): Instant => instant(Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text));
const NOW = at("2026-02-10");
const product = productWith([], { prices: [{ currency: "usd", amount: 3000 }], quantityMaximum: 10 });
const GIVEN: CsvTerms = {
  productKey: "pro",
  quantity: null,
  amount: null,
  currency: "usd",
  startedAt: null,
  periodStart: null,
  periodEnd: at("2026-02-28"),
  trialEnd: null,
  cancelAt: null,
  discountCode: null,
  discountUntil: null,
  metadata: {},
};
const read = (given: Partial<CsvTerms>, zone = "UTC"): ReadTerms => {
  // A period that begins on the last day of February is read on that day.
  const now = given.periodEnd === at("2026-03-31") ? at("2026-02-28") : NOW;
  return readTerms({ ...GIVEN, ...given }, { product, discount: null, now, zone });
};
const termsOf = (given: Partial<CsvTerms>, zone = "UTC") => {
  const answer = read(given, zone);
  if ("faults" in answer) throw new Error(JSON.stringify(answer.faults));
  return answer.terms;
};

/** The ends of the present period and of the next two. */
function endsOf(given: Partial<CsvTerms>, zone = "UTC"): string[] {
  const terms = termsOf(given, zone);
  const { anchorAt, anchorIndex, currentPeriodEnd } = importedPeriod(terms, zone, {
    interval: "month",
    intervalCount: 1,
  });
  const later = [1, 2].map((n) => boundary(anchorAt, zone, { interval: "month", intervalCount: 1 }, anchorIndex + n));
  return [currentPeriodEnd, ...later].map((each) => new Date(each).toISOString().slice(0, 16));
}

describe("the periods of a row (rule V20)", () => {
  test.each<[name: string, given: Partial<CsvTerms>, zone: string, ends: string[]]>([
    ["end alone", {}, "UTC", ["2026-02-28T00:00", "2026-03-28T00:00", "2026-04-28T00:00"]],
    [
      "a begin on the 31st",
      { startedAt: at("2025-08-31") },
      "UTC",
      ["2026-02-28T00:00", "2026-03-31T00:00", "2026-04-30T00:00"],
    ],
    [
      "a period from the 31st",
      { periodStart: at("2026-01-31") },
      "UTC",
      ["2026-02-28T00:00", "2026-03-31T00:00", "2026-04-30T00:00"],
    ],
    [
      "an end on the 31st, after February",
      { periodEnd: at("2026-03-31"), startedAt: at("2025-08-31") },
      "UTC",
      ["2026-03-31T00:00", "2026-04-30T00:00", "2026-05-31T00:00"],
    ],
    [
      "the same end, and the begin in February",
      { periodEnd: at("2026-03-31"), periodStart: at("2026-02-28") },
      "UTC",
      ["2026-03-31T00:00", "2026-04-30T00:00", "2026-05-31T00:00"],
    ],
    [
      "a begin that leads elsewhere",
      { startedAt: at("2025-08-15") },
      "UTC",
      ["2026-02-28T00:00", "2026-03-28T00:00", "2026-04-28T00:00"],
    ],
    [
      "summer time",
      { periodEnd: at("2026-02-27T23:00:00Z") },
      "Europe/Berlin",
      ["2026-02-27T23:00", "2026-03-27T23:00", "2026-04-27T22:00"],
    ],
  ])("with %s", (_, given, zone, ends) => {
    expect(endsOf(given, zone)).toEqual(ends);
  });

  test("begin a period before their end, and with the Subscription in a trial", () => {
    expect(termsOf({})).toMatchObject({ periodStart: at("2026-01-28"), startedAt: at("2026-01-28") });
    const trial = { trialEnd: at("2026-03-01"), periodEnd: at("2026-03-01") };
    expect(termsOf(trial)).toMatchObject({ periodStart: NOW, anchorAt: at("2026-03-01") });
    const begun = { ...trial, startedAt: at("2026-02-01") };
    expect(termsOf(begun)).toMatchObject({ periodStart: at("2026-02-01"), startedAt: at("2026-02-01") });
  });
});

describe("the price of a row (rule V20)", () => {
  test.each<[name: string, given: Partial<CsvTerms>, quantity: number, unitAmount: number]>([
    ["the price of the catalogue", {}, 1, 3000],
    ["units at that price", { quantity: 3 }, 3, 3000],
    ["a total", { quantity: 3, amount: 6000 }, 3, 2000],
    ["0", { amount: 0 }, 1, 0],
    ["another currency", { amount: 2500, currency: "eur" }, 1, 2500],
  ])("is %s", (_, given, quantity, unitAmount) => {
    expect(termsOf(given)).toMatchObject({ quantity, unitAmount });
  });
});
