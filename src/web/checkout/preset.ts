import type { Locale } from "../../domain/locale.ts";
import { isCountry } from "../../domain/tax/country.ts";

/**
 * The country that the page presets: the region that the browser names with its preferred language (rule C3p). `de-AT`
 * is Austria. A language alone names no country, and neither does a region of a language that the buyer prefers less:
 * a browser in German often adds `en-US`. Null: no country is named.
 */
export function presetCountry(accepted: readonly Locale[]): string | null {
  const parsed = accepted.map((locale) => new Intl.Locale(locale));
  const regions = parsed.filter(({ language }) => language === parsed[0]?.language).map(({ region }) => region ?? "");
  return regions.find(isCountry) ?? null;
}
