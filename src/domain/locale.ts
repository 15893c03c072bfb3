/** The languages of the pages. English is complete first, and the others have the same messages. */
export const LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The language of a buyer, and the region for numbers and dates: a language tag (BCP 47) of a language, an optional
 * script and an optional region, in canonical case: `de`, `en-GB`, `zh-Hant-TW`.
 */
export type Locale = string;

/** The form of such a tag, in any case. Extensions and variants are left out: they change no text of a page. */
export const LOCALE_PATTERN = "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$";
const LOCALE = new RegExp(LOCALE_PATTERN);

export const isLocale = (tag: string): boolean => LOCALE.test(tag);

/** The canonical form of a tag: `EN-gb` is `en-GB`. A text that is no such tag stays as it is. */
export function canonicalLocale(tag: string): Locale {
  return isLocale(tag) ? Intl.getCanonicalLocales(tag)[0]! : tag;
}
