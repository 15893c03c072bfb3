import { taxIdType } from "./country.ts";
import { EU_NUMBERS, OTHER_NUMBERS } from "./tax-id-checks.ts";

/**
 * How far a tax id was verified. `format`: format and check digits are right for its type. `unsupported`: Billow has no check for its
 * type. `failed`: it does not fit its type; only ids from before they were checked do not.
 */
export const TAX_ID_VERIFICATIONS = ["format", "unsupported", "failed"] as const;
export type TaxIdVerification = (typeof TAX_ID_VERIFICATIONS)[number];

/** A tax id that was checked: one that fits, in the form it is stored in, with the country that it is of. */
export type TaxId = { type: string; value: string };

export type CheckedTaxId =
  | { verification: "format"; taxId: TaxId; country: string }
  | { verification: Exclude<TaxIdVerification, "format">; taxId: TaxId; country: null };

/** Prefixes of VAT numbers that are not the country's code: Greece's, and Northern Ireland's, which is in the EU for goods. */
const PREFIXES: Readonly<Record<string, string>> = { GR: "EL" };
const COUNTRIES: Readonly<Record<string, string>> = { EL: "GR", XI: "GB" };

/** Without spaces, dots, dashes and slashes, in upper case. */
function compact(value: string): string {
  return value
    .normalize("NFKC")
    .replaceAll(/[\s./,\p{Pd}]/gu, "")
    .toUpperCase();
}

/** `DE136695976`, as the number and the country that its prefix means. */
function readEuropean(value: string): { value: string; country: string } | null {
  const prefix = value.slice(0, 2);
  const country = COUNTRIES[prefix] ?? prefix;
  const check = prefix === "XI" ? OTHER_NUMBERS["GB"] : EU_NUMBERS[country];
  const number = check?.(value.slice(2)) ?? null;
  return number === null ? null : { value: `${prefix === "XI" ? prefix : (PREFIXES[country] ?? country)}${number}`, country };
}

/** The country whose number a type other than `eu_vat` is; null where there is no check for it. */
function countryOfType(type: string): string | null {
  return Object.keys(OTHER_NUMBERS).find((country) => taxIdType(country) === type) ?? null;
}

/** Checks format and check digits of a tax id by its type. `eu_vat` says its country by its prefix, other types by themselves (rule X3). */
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
 * The text that a buyer in `country` typed, as a tax id: of that country, with or without its prefix, else of the country whose prefix the
 * text has. Null where the text fits none, though there is a check for that country's ids.
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
