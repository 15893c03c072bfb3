import { expect, test } from "vitest";
import { acceptedLocales } from "../../texts/language.ts";
import { presetCountry } from "./preset.ts";

test.each([
  // header                                    country
  ["de-AT", "AT"],
  ["de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7", "AT"],
  ["de,de-CH;q=0.9,en-US;q=0.8", "CH"],
  ["en-US;q=0.5, fr-CA", "CA"],
  ["zh-Hant-TW", "TW"],
  // A language alone, as Firefox in German sends it, is no country, and the second language says no more.
  ["de,en-US;q=0.7,en;q=0.3", null],
  ["ja", null],
  // Latin America and the world are no countries.
  ["es-419,es-MX;q=0.9", "MX"],
  ["en-001", null],
  // Assigned to no country.
  ["en-XX", null],
  ["*", null],
  ["", null],
  [undefined, null],
])("of the browser's languages %j, the country is %j", (header, country) => {
  expect(presetCountry(acceptedLocales(header))).toBe(country);
});
