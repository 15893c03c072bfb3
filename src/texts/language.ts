import { parseAccept } from "hono/utils/accept";
import { canonicalLocale, isLocale, LANGUAGES, type Language, type Locale } from "../domain/locale.ts";

/**
 * The locale of a reader whose language is not known. British English writes `US$10.00`: a `$` alone could mean a
 * dozen currencies.
 */
export const FALLBACK: Locale = "en-GB";

/** The catalogue for a locale; null: there is none in this language. */
export function languageOf(locale: Locale): Language | null {
  const [language] = locale.split("-");
  return LANGUAGES.find((each) => each === language) ?? null;
}

/** The regions whose English is spelled as in the United States (CLDR: the locales that inherit from `en` itself). */
const AMERICAN = new Set(["US", "AS", "GU", "MH", "MP", "PH", "PR", "UM", "VI"]);

/** Whether English in this locale has American spelling. `en` alone stands for `en-US`. */
export const isAmerican = (locale: Locale): boolean => AMERICAN.has(new Intl.Locale(locale).maximize().region!);

/** The first of these locales that has a catalogue. A null is skipped. Null: there is no such locale. */
export function knownOf(locales: readonly (Locale | null)[]): Locale | null {
  return locales.find((locale) => locale !== null && languageOf(locale) !== null) ?? null;
}

/** As `knownOf`, or else the locale of a reader whose language is not known. */
export const firstSpoken = (locales: readonly (Locale | null)[]): Locale => knownOf(locales) ?? FALLBACK;

/** Longer headers are cut: browsers send a few tags. */
const MOST_CHARACTERS = 200;

/** The locales that a browser's `Accept-Language` names, the preferred one first (RFC 9110, section 12.5.4). */
export function acceptedLocales(header: string | undefined): Locale[] {
  const accepted = parseAccept((header ?? "").slice(0, MOST_CHARACTERS)).filter(({ q }) => q > 0);
  return accepted.map(({ type }) => canonicalLocale(type)).filter(isLocale);
}
