import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { addressForm, partsFor, readPostalCode, regionName, regionText, type AddressForm } from "./address-form.ts";
import { COUNTRIES } from "./country.ts";
import { findRegion } from "./region.ts";

type Kinds = [AddressForm["postalCodeKind"] | null, AddressForm["cityKind"] | null, AddressForm["stateKind"] | null];

describe("the form of an address", () => {
  test.each<[country: string, parts: string, required: string, kinds: Kinds, regions: number]>([
    ["US", "line1 line2 city state postalCode", "line1 city state postalCode", ["zipCode", "city", "state"], 62],
    ["CA", "line1 line2 city state postalCode", "line1 city state postalCode", ["postalCode", "city", "province"], 13],
    ["AU", "line1 line2 city state postalCode", "line1 city state postalCode", ["postcode", "suburb", "state"], 9],
    ["DE", "line1 line2 postalCode city", "line1 city postalCode", ["postalCode", "city", null], 0],
    ["CH", "line1 line2 postalCode city", "line1 city postalCode", ["postalCode", "city", null], 0],
    ["GB", "line1 line2 city postalCode", "line1 city postalCode", ["postcode", "postTown", null], 0],
    ["IE", "line1 line2 city state postalCode", "line1 city", ["eircode", "city", "county"], 26],
    ["JP", "line1 line2 state postalCode", "line1 state postalCode", ["postalCode", null, "prefecture"], 47],
    ["BR", "line1 line2 city state postalCode", "line1 state city postalCode", ["postalCode", "city", "state"], 27],
    ["HK", "line1 line2 city state", "line1 state", [null, "district", "area"], 3],
    ["IN", "line1 line2 city postalCode state", "line1 city state postalCode", ["pinCode", "city", "state"], 36],
    ["IT", "line1 line2 postalCode city state", "line1 city state postalCode", ["postalCode", "city", "province"], 107],
    ["SG", "line1 line2 postalCode", "line1 postalCode", ["postalCode", null, null], 0],
    ["QA", "line1 line2 city", "line1 city", [null, "city", null], 0],
  ])("of %s", (country, parts, required, [postalCode, city, state], regions) => {
    const form = addressForm(country);
    expect(form.latin.join(" ")).toBe(parts);
    expect(form.required.join(" ")).toBe(required);
    if (postalCode) expect(form.postalCodeKind).toBe(postalCode);
    if (city) expect(form.cityKind).toBe(city);
    if (state) expect(form.stateKind).toBe(state);
    expect(form.regions).toHaveLength(regions);
    expect(form.postalCode === null).toBe(postalCode === null);
    expect(form.example === null).toBe(postalCode === null);
  });

  it("begins with the postal code and the prefecture for a reader of Japanese, and ends with them for others", () => {
    expect(partsFor(addressForm("JP"), "ja")).toEqual(["postalCode", "state", "line1", "line2"]);
    expect(partsFor(addressForm("JP"), "de")).toEqual(["line1", "line2", "state", "postalCode"]);
  });

  it("is known for every country, asks for a street, and requires only parts that it has", () => {
    for (const country of COUNTRIES) {
      const { local, latin, required, postalCode, example, regions } = addressForm(country);
      expect([country, local.includes("line1"), latin.includes("line1")]).toEqual([country, true, true]);
      expect([country, local.toSorted()]).toEqual([country, latin.toSorted()]);
      expect([country, required.filter((part) => !local.includes(part))]).toEqual([country, []]);
      if (example !== null) expect([country, postalCode!.test(example)]).toEqual([country, true]);
      if (regions.length > 0) expect([country, local.includes("state")]).toEqual([country, true]);
    }
  });

  it("is no form of a text that is not the code of a country", () => {
    for (const text of ["XX", "us", "", "../US", "list"]) expect(() => addressForm(text)).toThrow(RangeError);
  });
});

describe("a postal code", () => {
  test.each([
    ["US", "95014", "95014"],
    ["US", " 22162-1010 ", "22162-1010"],
    ["US", "9501", null],
    ["US", "95014 x", null],
    ["CA", "h3z 2y7", "H3Z 2Y7"],
    ["CA", "H3Z2Y7", "H3Z2Y7"],
    ["CA", "95014", null],
    ["DE", "10115", "10115"],
    ["DE", "D-10115", "10115"],
    ["DE", "1011", null],
    ["GB", "sw1a 1aa", "SW1A 1AA"],
    ["GB", "10115", null],
    ["JP", "〒１５０－０００２", "150-0002"],
    ["IE", "d02 x285", "D02 X285"],
    ["BR", "40301-110", "40301-110"],
    ["CH", "CH-8001", "8001"],
    ["LV", "LV-1073", "LV-1073"],
    ["QA", "any thing", "ANY THING"],
  ])("of %s: %s is %s", (country, typed, read) => {
    expect(readPostalCode(addressForm(country), typed)).toBe(read);
  });

  it("is read in one way: a read code is read as itself, and no text makes the reader fail", () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES), fc.string({ unit: "binary", maxLength: 40 }), (country, typed) => {
        const form = addressForm(country);
        const read = readPostalCode(form, typed);
        if (read !== null && form.postalCode) expect(readPostalCode(form, read)).toBe(read);
      }),
    );
  });
});

describe("a region", () => {
  test.each([
    ["US", "ca", "en", "CA", "California"],
    ["US", "California", "de", "CA", "California"],
    ["CA", "Québec", "fr", "QC", "Québec"],
    ["CA", "qc", "en", "QC", "Quebec"],
    ["JP", "Tokyo", "ja", "東京都", "東京都"],
    ["JP", "東京都", "en", "Tokyo", "Tokyo"],
    ["HK", "九龍", "en", "Kowloon", "Kowloon"],
    ["ES", "araba", "es", "Álava", "Álava"],
    ["IE", "Co. Dublin", "en", "Co. Dublin", "Co. Dublin"],
    ["IT", "RM", "en", "RM", "Roma"],
  ])("of %s: %s, for a reader of %s, is written %s and named %s", (country, typed, language, text, name) => {
    const form = addressForm(country);
    const region = findRegion(form, typed)!;
    expect(regionText(form, region, language)).toBe(text);
    expect(regionName(form, region, language)).toBe(name);
  });

  it("is found again by each text with which an address may name it", () => {
    for (const country of ["US", "CA", "AU", "BR", "ES", "IE", "IN", "JP", "HK", "KR", "CN", "MX", "AE", "TW"]) {
      const form = addressForm(country);
      for (const region of form.regions)
        for (const language of ["en", "de", "fr", "es", "ja"])
          expect([country, findRegion(form, regionText(form, region, language))]).toEqual([country, region]);
    }
  });

  it("is not found where the text means no region, or the country has no list", () => {
    expect(findRegion(addressForm("US"), "Bavaria")).toBeNull();
    expect(findRegion(addressForm("DE"), "Bayern")).toBeNull();
  });
});
