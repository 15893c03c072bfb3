import { expect, test } from "vitest";
import { LANGUAGES } from "../../domain/locale.ts";
import { pageLocale } from "./locale.ts";

test.each([
  ["de", "de"],
  ["de-AT", "de"],
  ["en", "en"],
  ["en-US", "en"],
  ["en-GB", "en-GB"],
  ["es", "es"],
  ["es-MX", "es-419"],
  ["fr-CA", "fr-CA"],
  ["fr-CH", "fr"],
  ["ja", "ja"],
  ["pt-BR", "pt-BR"],
  ["pt-PT", "pt"],
  ["no", "nb"],
  ["zh", "zh"],
  ["zh-TW", "zh-TW"],
  ["zh-Hant", "zh-TW"],
  ["zh-Hant-MO", "zh-HK"],
  ["sr-Latn-RS", null],
  ["sw", null],
])("a reader of %s gets Stripe's page in %s", (tag, locale) => expect(pageLocale(tag)).toBe(locale));

test("each language of our own pages is one of Stripe's page", () => {
  for (const language of LANGUAGES) expect(pageLocale(language)).toBe(language);
});
