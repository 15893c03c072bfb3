import { taxIdType } from "./country.ts";
import { EU_NUMBERS, OTHER_NUMBERS } from "./tax-id-checks.ts";

/**
 * The extent to which a tax id was verified. `format`: format and check digits are right for its type. `unsupported`:
 * Billow has no check for its type. `failed`: the id does not fit its type; only ids from before Billow checked ids can
 * have this status.
 */
export const TAX_ID_VERIFICATIONS = ["format", "unsupported", "failed"] as const;
export type TaxIdVerification = (typeof TAX_ID_VERIFICATIONS)[number];

export type TaxId = { type: string; value: string };

/** A tax id after its check. An id that fits is in its stored form, and has its country. */
export type CheckedTaxId =
  | { verification: "format"; taxId: TaxId; country: string }
  | { verification: Exclude<TaxIdVerification, "format">; taxId: TaxId; country: null };

/**
 * Prefixes of VAT numbers that are not the country's code: EL for Greece, and XI for Northern Ireland, which is in
 * the EU for goods.
 */
const PREFIXES: Readonly<Record<string, string>> = { GR: "EL" };
const COUNTRIES: Readonly<Record<string, string>> = { EL: "GR", XI: "GB" };

/** The text without spaces, dots, commas, dashes and slashes, in upper case. */
function compact(value: string): string {
  return value
    .normalize("NFKC")
    .replaceAll(/[\s./,\p{Pd}]/gu, "")
    .toUpperCase();
}

/** Splits `DE136695976` into the number and the country that its prefix means. */
function readEuropean(value: string): { value: string; country: string } | null {
  const prefix = value.slice(0, 2);
  const country = COUNTRIES[prefix] ?? prefix;
  const check = prefix === "XI" ? OTHER_NUMBERS["GB"] : EU_NUMBERS[country];
  const number = check?.(value.slice(2)) ?? null;
  return number === null
    ? null
    : { value: `${prefix === "XI" ? prefix : (PREFIXES[country] ?? country)}${number}`, country };
}

/** The country of a type other than `eu_vat`; null: there is no check for the type. */
function countryOfType(type: string): string | null {
  return Object.keys(OTHER_NUMBERS).find((country) => taxIdType(country) === type) ?? null;
}

/**
 * Checks format and check digits of a tax id by its type. The country of an `eu_vat` id follows from its prefix, the
 * country of any other id from its type (rules X3f, X3g).
 */
export function checkTaxId({ type, value }: TaxId): CheckedTaxId {
  const failed = { verification: "failed", taxId: { type, value }, country: null } as const;
  if (type === "eu_vat") {
    const read = readEuropean(compact(value));
    return read ? { verification: "format", taxId: { type, value: read.value }, country: read.country } : failed;
  }
  const country = countryOfType(type);
  if (country === null) return { ...failed, verification: "unsupported" };
  const number = OTHER_NUMBERS[country]!(compact(value));
  if (number === null) return failed;
  return { verification: "format", taxId: { type, value: country === "GB" ? `GB${number}` : number }, country };
}

/**
 * Reads a text from a buyer in `country`: as a tax id of that country, with or without its prefix, else as an id of the
 * country that the text's prefix means. Null: the text fits no id, although Billow can check ids of `country`.
 */
export function typedTaxId(country: string, value: string): TaxId | null {
  const type = taxIdType(country);
  const prefixed = `${PREFIXES[country] ?? country}${value}`;
  const own = [{ type, value }, ...(type === "eu_vat" ? [{ type, value: prefixed }] : [])];
  const others = [{ type: "eu_vat", value }, ...(/^\s*GB/i.test(value) ? [{ type: "gb_vat", value }] : [])];
  const fitting = [...own, ...others].map(checkTaxId).find(({ verification }) => verification === "format");
  if (fitting) return fitting.taxId;
  return checkTaxId({ type, value }).verification === "unsupported" ? { type, value } : null;
}
