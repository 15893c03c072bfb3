import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { checkTaxId, typedTaxId } from "./tax-id.ts";
import { taxIdExample } from "./tax-id-example.ts";
import { EU_NUMBERS, OTHER_NUMBERS } from "./tax-id-checks.ts";
import { taxIdType } from "./country.ts";

const check = (type: string, value: string) => {
  const { verification, taxId, country } = checkTaxId({ type, value });
  return verification === "format" ? `${taxId.value} of ${country}` : verification;
};

/** Numbers that fit, without a prefix. */
const FITTING: Record<string, string[]> = {
  AT: ["U13585627"],
  AU: ["51824753556"],
  BE: ["0428759497"],
  BG: ["175074752", "831642181", "7523169263"],
  CH: ["CHE107787577MWST", "CHE100155212"],
  CY: ["10259033P"],
  CZ: ["25123891", "640903926", "7103192745"],
  DE: ["811569869", "136695976"],
  DK: ["13585628"],
  EE: ["100931558"],
  ES: ["A28015865", "54362315K", "X2482300W"],
  FI: ["20774740"],
  FR: ["40303265045", "K7399859412"],
  GB: ["980780684", "GD001", "HA599"],
  GR: ["094259216"],
  HR: ["33392005961"],
  HU: ["12892312"],
  IE: ["6433435F", "6433435OA", "8D79739I"],
  IN: ["27AAPFU0939F1ZV"],
  IS: ["00621"],
  IT: ["00743110157"],
  KR: ["1168200276"],
  LT: ["119511515", "100001919017"],
  LU: ["15027442"],
  LV: ["40003521600"],
  MT: ["11679112"],
  NL: ["004495445B01", "123456789B13"],
  NO: ["995525828MVA", "995525828"],
  NZ: ["49091850"],
  PL: ["8567346215"],
  PT: ["501964843"],
  RO: ["18547290"],
  SE: ["556703748501"],
  SI: ["50223054"],
  SK: ["2022749619"],
  ZA: ["4580122378"],
};
const COUNTRIES = Object.keys({ ...EU_NUMBERS, ...OTHER_NUMBERS }).toSorted();
const PREFIX: Record<string, string> = { GR: "EL" };
const prefixOf = (country: string) =>
  country in EU_NUMBERS ? (PREFIX[country] ?? country) : country === "GB" ? "GB" : "";

describe("examples of tax ids", () => {
  const WITHOUT_CHECK_DIGIT = new Set(["IS", "ZA"]);
  const shapeOf = (id: string) =>
    id
      .replaceAll(/[\s./-]/g, "")
      .replaceAll(/\d/g, "9")
      .replaceAll(/[A-Z]/g, "A");

  test.each(COUNTRIES)("the example of %s has the form of a number that fits, and does not fit", (country) => {
    const example = taxIdExample(country)!;
    const shapes = FITTING[country]!.map((number) => shapeOf(prefixOf(country) + number));
    expect(shapes).toContain(shapeOf(example));
    if (!WITHOUT_CHECK_DIGIT.has(country)) expect(typedTaxId(country, example)).toBeNull();
  });

  it("a country whose ids are not checked has none", () => expect(taxIdExample("US")).toBeNull());
});

describe("format and check digits by type", () => {
  it("there is a number for every country that is checked", () =>
    expect(Object.keys(FITTING).toSorted()).toEqual(COUNTRIES));

  test.each(COUNTRIES)("%s", (country) => {
    for (const number of FITTING[country]!) {
      const value = prefixOf(country) + number;
      expect(check(taxIdType(country), value)).toBe(`${value} of ${country}`);
      expect(check(taxIdType(country), ` ${value.toLowerCase().split("").join(" ")} `)).toBe(`${value} of ${country}`);
    }
    expect(check(taxIdType(country), `${prefixOf(country)}123`)).toBe("failed");
  });

  // The numbers of Iceland and South Africa have no check digit.
  test.each(COUNTRIES.filter((country) => country !== "IS" && country !== "ZA"))(
    "%s: with another last digit it fails",
    (country) => {
      const number = FITTING[country]![0]!;
      // The last two digits of a Dutch number count the businesses of one person.
      const at = country === "NL" ? 8 : number.search(/\d\D*$/);
      const others = "0123456789".replace(number[at]!, "").split("");
      const wrong = others.map((digit) => prefixOf(country) + number.slice(0, at) + digit + number.slice(at + 1));
      expect(wrong.filter((value) => check(taxIdType(country), value) !== "failed")).toEqual([]);
    },
  );

  test.each([
    ["eu_vat", "DE 811.569-869", "DE811569869 of DE"],
    ["eu_vat", "de811569869", "DE811569869 of DE"],
    ["eu_vat", "DE‑811–569–869", "DE811569869 of DE"],
    ["eu_vat", "EL094259216", "EL094259216 of GR"],
    ["eu_vat", "GR094259216", "EL094259216 of GR"],
    ["eu_vat", "XI980780684", "XI980780684 of GB"],
    ["eu_vat", "GB980780684", "failed"],
    ["eu_vat", "811569869", "failed"],
    ["eu_vat", "CHE107787577", "failed"],
    ["eu_vat", "EU372000063", "failed"],
    ["eu_vat", "DE123456789", "failed"],
    ["eu_vat", "x", "failed"],
    ["eu_vat", "- -", "failed"],
    ["gb_vat", "980780684", "GB980780684 of GB"],
    ["gb_vat", "GB980780685", "failed"],
    ["gb_vat", "XI980780684", "failed"],
    ["ch_tax_id", "CHE-107.787.577 MWST", "CHE107787577MWST of CH"],
    ["us_tax_id", "12-3456789", "unsupported"],
    ["gb_tax_id", "980780684", "unsupported"],
    ["de_tax_id", "811569869", "unsupported"],
    ["toString", "1", "unsupported"],
    ["x", "y", "unsupported"],
  ])("%s %s: %s", (type, value, expected) => expect(check(type, value)).toBe(expected));

  it("a type without a check keeps the value as it was given", () => {
    expect(checkTaxId({ type: "us_tax_id", value: "12-3456789" }).taxId).toEqual({
      type: "us_tax_id",
      value: "12-3456789",
    });
  });

  it("a stored number is read back unchanged, and no typed text makes the check throw", () => {
    const type = fc.constantFrom("eu_vat", ...COUNTRIES.map(taxIdType));
    const prefix = fc.constantFrom("", ...COUNTRIES, "EL", "XI");
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 13 });
    fc.assert(
      fc.property(type, prefix, fc.oneof(digits, fc.string({ unit: "binary", maxLength: 15 })), (kind, start, rest) => {
        const first = checkTaxId({ type: kind, value: start + rest });
        if (first.verification === "format") expect(checkTaxId(first.taxId)).toEqual(first);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a tax ID that a buyer types on a page", () => {
  test.each([
    ["DE", "DE811569869", "eu_vat DE811569869"],
    ["DE", "811 569 869", "eu_vat DE811569869"],
    ["AT", "U13585627", "eu_vat ATU13585627"],
    ["GR", "094259216", "eu_vat EL094259216"],
    ["DE", "FR40303265045", "eu_vat FR40303265045"],
    ["DE", "GB980780684", "gb_vat GB980780684"],
    ["DE", "DE123456789", null],
    ["DE", "anything", null],
    ["GB", "980780684", "gb_vat GB980780684"],
    ["GB", "XI980780684", "eu_vat XI980780684"],
    ["GB", "GB1", null],
    ["CH", "CHE-107.787.577", "ch_tax_id CHE107787577"],
    ["US", "12-3456789", "us_tax_id 12-3456789"],
    ["US", "DE811569869", "eu_vat DE811569869"],
    ["", "DE811569869", "eu_vat DE811569869"],
  ])("in %j: %s", (country, value, expected) => {
    const read = typedTaxId(country, value);
    expect(read && `${read.type} ${read.value}`).toBe(expected);
  });
});
