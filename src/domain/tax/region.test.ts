import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { addressForm, regionText } from "./address-form.ts";
import { COUNTRIES } from "./country.ts";
import { isUnknownRegion, taxRegionKey, regionKey, repeatedRegions } from "./region.ts";

const LANGUAGES = ["en", "de", "fr", "es", "ja"];
const WITH_LISTS = [...COUNTRIES].filter((country) => addressForm(country).regions.length > 0);

describe("regions are equal (rule X3b)", () => {
  test.each([
    ["CA", "QC", "Quebec"],
    ["CA", "QC", "Québec"],
    ["CA", "QC", "QUE\u0301BEC"],
    ["CA", "QC", "CA-QC"],
    ["CA", "QC", " ca – qc "],
    ["CA", "PE", "Ile du Prince Edouard"],
    ["US", "NY", "new york"],
    ["US", "NY", "ＮＹ"],
    ["JP", "東京都", "Tokyo"],
    ["JP", "JP-13", "東京都"],
    ["ES", "ES-B", "barcelona"],
    ["IE", "Co Dublin", "Co. Dublin"],
    ["TR", "IĞDIR", "Iğdır"],
    ["RU", "Алтаискии краи", "Алтайский край"],
    ["DE", "Baden-Württemberg", "BADEN WU\u0308RTTEMBERG"],
    ["DE", "DE-BY", "by"],
    ["GB", "Greater  London", "greater london"],
  ])("in %s: %s and %s", (country, one, other) => {
    expect(regionKey(country, one)).toBe(regionKey(country, other));
  });

  test.each([
    ["CA", "QC", "ON"],
    ["CA", "QC", "US-QC"],
    ["AU", "NT", "NSW"],
    ["IN", "असम", "आसम"],
    ["DE", "Bayern", "Bavaria"],
  ])("but not in %s: %s and %s", (country, one, other) => {
    expect(regionKey(country, one)).not.toBe(regionKey(country, other));
  });

  it("by each text that a page in one of the languages stores, by code, by ISO 3166-2 and by every listed name", () => {
    for (const country of WITH_LISTS) {
      const form = addressForm(country);
      for (const region of form.regions) {
        const shown = LANGUAGES.map((language) => regionText(form, region, language));
        for (const text of [...shown, region.code, `${country}-${region.code}`, ...Object.values(region.names)])
          expect([country, text, regionKey(country, text)]).toEqual([country, text, region.code]);
      }
    }
  });

  it("whatever the case, the form of Unicode and the spaces around", () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES), fc.string({ unit: "grapheme", minLength: 1 }), (country, text) => {
        const key = regionKey(country, text);
        for (const each of [text.normalize("NFD"), text.normalize("NFC"), ` ${text} `])
          expect(regionKey(country, each)).toBe(key);
      }),
    );
  });
});

test("a text is an unknown region only in a country with a list", () => {
  expect(isUnknownRegion("CA", "Bavaria")).toBe(true);
  expect(isUnknownRegion("CA", "CA-QC")).toBe(false);
  expect(isUnknownRegion("DE", "Bavaria")).toBe(false);
});

test("a place has one key, however its region is written", () => {
  const rates = [
    { country: "CA", region: null },
    { country: "CA", region: "Quebec" },
    { country: "CA", region: "ON" },
    { country: "CA", region: "qc" },
    { country: "DE", region: null },
    { country: "DE", region: null },
  ];
  expect(repeatedRegions(rates)).toEqual([
    { at: 3, first: 1 },
    { at: 5, first: 4 },
  ]);
  expect(new Set(rates.map(taxRegionKey)).size).toBe(4);
});
