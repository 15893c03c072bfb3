import { describe, expect, it } from "vitest";
import { canonicalLocale, isLocale } from "./locale.ts";

describe("a locale", () => {
  it.each(["de", "en-GB", "EN-gb", "zh-Hant-TW", "es-419", "fil"])("is %s", (tag) => {
    expect(isLocale(tag)).toBe(true);
    expect(() => new Intl.NumberFormat(canonicalLocale(tag))).not.toThrow();
  });

  it.each(["", "d", "german", "de_DE", "de-", "de-DE-u-nu-arab", "de-DE-1996", "x-klingon", "*", "de DE", "ｄｅ"])(
    "is not %j",
    (tag) => expect(isLocale(tag)).toBe(false),
  );

  it.each([
    ["DE", "de"],
    ["EN-gb", "en-GB"],
    ["ZH-hANT-tw", "zh-Hant-TW"],
    ["iw", "he"],
    ["german", "german"],
  ])("%s is %s in canonical form", (tag, canonical) => expect(canonicalLocale(tag)).toBe(canonical));
});
