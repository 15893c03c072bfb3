import { addressForm, type AddressForm, type Region } from "./address-form.ts";

const MARKS = /[\u0300-\u036f]/g;
const BETWEEN = /[\s\p{P}]+/gu;

/**
 * A text without case, wide letters, the marks of Latin, Greek and Cyrillic letters, and punctuation: `QUÉBEC` and
 * `quebec` are equal in any form of Unicode. Marks of other scripts stay, since they tell words of Thai or Hindi apart.
 */
function folded(text: string): string {
  const plain = text.toUpperCase().toLowerCase().normalize("NFKD").replaceAll(MARKS, "").normalize("NFC");
  return plain.replaceAll(BETWEEN, " ").trim() || plain.trim();
}

const known = new WeakMap<AddressForm, ReadonlyMap<string, Region>>();

/** The codes come last, so that a code wins over an equal name. */
function index({ regions }: AddressForm): ReadonlyMap<string, Region> {
  const named = regions.flatMap((region) => Object.values(region.names).map((name) => [folded(name), region] as const));
  return new Map([...named, ...regions.map((region) => [folded(region.code), region] as const)]);
}

/** The listed region with this code or with this name in any language of the list. */
export function findRegion(form: AddressForm, text: string): Region | null {
  return known.getOrInsertComputed(form, index).get(folded(text)) ?? null;
}

/** The sign of the country in ISO 3166-2: `CA-` in `CA-QC`. */
const SIGN = /^\s*([A-Za-z]{2})\s*\p{Pd}\s*(?=\S)/u;

function withoutSign(country: string, text: string): string {
  const plain = text.normalize("NFKC");
  const [whole = "", sign = ""] = SIGN.exec(plain) ?? [];
  return sign.toUpperCase() === country ? plain.slice(whole.length) : text;
}

/** The listed region that a text names by code, by ISO 3166-2 or by name; null: the list has no such region. */
export function regionOf(country: string, text: string): Region | null {
  const form = addressForm(country);
  return findRegion(form, text) ?? findRegion(form, withoutSign(country, text));
}

/**
 * The key by which regions of a country are compared (rule X3b): the code of a listed region, else the text without
 * case and marks.
 */
export function regionKey(country: string, text: string): string {
  return regionOf(country, text)?.code ?? folded(withoutSign(country, text));
}

/** Whether a country has a list of its regions, and the text names none of them. */
export function isUnknownRegion(country: string, text: string): boolean {
  return addressForm(country).regions.length > 0 && regionOf(country, text) === null;
}

/** The codes and Latin names of the listed regions of a country, for a suggestion. */
export function regionWords(country: string): string[] {
  const { regions } = addressForm(country);
  const words = regions.flatMap(({ code, names }) => [names["default"] ?? code, names["latin"] ?? code, code]);
  return [...new Set(words)];
}

type TaxRegion = { country: string; region: string | null };

/** The key of a rate's place: two rates with one key are for the same place. */
export const taxRegionKey = ({ country, region }: TaxRegion): string =>
  region === null ? country : `${country} ${regionKey(country, region)}`;

/** The rates for the place of an earlier rate, each with the number of that earlier rate. */
export function repeatedRegions(rates: readonly TaxRegion[]): { at: number; first: number }[] {
  const seen = new Map<string, number>();
  return rates.flatMap((rate, at) => {
    const first = seen.getOrInsert(taxRegionKey(rate), at);
    return first < at ? [{ at, first }] : [];
  });
}
