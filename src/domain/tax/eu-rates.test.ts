import { expect, test } from "vitest";
import { EU_RATES, EU_RATES_AS_OF } from "./eu-rates.ts";
import { COUNTRIES, taxIdType } from "./country.ts";

test("the table has each Member State once, with a rate that held on the day of the table", () => {
  const members = [...COUNTRIES].filter((country) => taxIdType(country) === "eu_vat");
  expect(EU_RATES.map(({ country }) => country)).toEqual(members.sort());
  for (const { country, basisPoints, since } of EU_RATES) {
    // Directive 2006/112/EC, article 97: at least 15 %.
    expect(basisPoints, country).toBeGreaterThanOrEqual(1500);
    expect(basisPoints, country).toBeLessThanOrEqual(2700);
    expect(since <= EU_RATES_AS_OF && !Number.isNaN(Date.parse(since)), country).toBe(true);
  }
});
