import type { Address } from "../domain/tax/address.ts";
import { languageOf } from "./language.ts";
import type { Words } from "./words.ts";

/** Countries that write the postal code behind the city and the state: `Portland, OR 97201`. */
const CODE_LAST: ReadonlySet<string> = new Set("AU CA IN JP US".split(" "));
/** Countries that write the postal code below the city. */
const CODE_BELOW: ReadonlySet<string> = new Set("GB GG HK IE IM JE NZ SG".split(" "));

const joined = (separator: string, ...parts: (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== "").join(separator);

/** The lines of the town, as its country writes them. */
function townLines({ country, postalCode, city, state }: Address): string[] {
  if (CODE_LAST.has(country)) return [joined(" ", joined(", ", city, state), postalCode)];
  if (CODE_BELOW.has(country)) return [city ?? "", state ?? "", postalCode ?? ""];
  return [joined(" ", postalCode, city), state ?? ""];
}

/**
 * An address line by line, as it stands on an envelope, with the name of its country. A Japanese reader sees a Japanese
 * address from the largest place to the smallest.
 */
export function addressLines({ locale, country }: Words, address: Address): string[] {
  const { line1, line2, postalCode, city, state } = address;
  const street = [line1, line2];
  const isJapanese = address.country === "JP" && languageOf(locale) === "ja";
  const lines = isJapanese
    ? [postalCode && `〒${postalCode}`, joined("", state, city), ...street]
    : [...street, ...townLines(address)];
  return [...lines, country(address.country)].filter((line) => line !== null && line !== "") as string[];
}
