/** The languages of Stripe's page, and the regions with a text of their own. */
const OF_PAGE: ReadonlySet<string> = new Set(
  `bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv
   th tr vi zh zh-HK zh-TW`.split(/\s+/),
);

/** The same language under the name that Stripe uses. */
const SAME: ReadonlyMap<string, string> = new Map([
  ["no", "nb"],
  ["tl", "fil"],
]);

/** The tag of the nearest region that Stripe has a text for. */
function nearest(tag: string): string {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  if (language === "es" && region !== "ES") return "es-419";
  if (language === "zh" && script === "Hant") return region === "HK" || region === "MO" ? "zh-HK" : "zh-TW";
  return `${language}-${region}`;
}

/** Stripe's locale for a language tag (BCP 47); null: Stripe has no page in the language, so the browser decides. */
export function pageLocale(tag: string): string | null {
  const { language } = new Intl.Locale(tag);
  return [tag, nearest(tag), language, SAME.get(language) ?? ""].find((each) => OF_PAGE.has(each)) ?? null;
}
