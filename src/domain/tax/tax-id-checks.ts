import { createRequire } from "node:module";
import type { validate } from "stdnum/lib/cjs/de/vat.js";

/** Returns the number as it is stored, without its country's prefix. Null: the format or the check digit is wrong. */
type NumberCheck = (number: string) => string | null;

// Each check is loaded on its first use: all checks together would take 5 MB of every process from its start.
const load = createRequire(import.meta.url);

/** Accepts a number that any of the named checks accepts. The names are those of the library's files. */
function anyOf(...names: string[]): NumberCheck {
  return (number) => {
    for (const name of names) {
      const check = load(`stdnum/lib/cjs/${name}.js`) as { validate: typeof validate };
      const fitting = compactOf(check.validate, number);
      if (fitting !== null) return fitting;
    }
    return null;
  };
}

/** The library throws for some texts that are far from any number. */
function compactOf(check: typeof validate, number: string): string | null {
  try {
    const result = check(number);
    return result.isValid ? result.compact : null;
  } catch {
    return null;
  }
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** The library refuses company numbers that begin with 4 to 8, and accepts almost any ten digits. */
const bulgarian: NumberCheck = (number) => {
  if (!/^\d{9,10}$/.test(number)) return null;
  if (number.length === 10) {
    const other = (11 - (weighted(number, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    return other === Number(number[9]) ? number : anyOf("bg/egn", "bg/pnf")(number);
  }
  const first = weighted(number, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const check = first < 10 ? first : (weighted(number, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10;
  return check === Number(number[8]) ? number : null;
};

/**
 * In a nine-digit number that begins with 6, the first digit is not part of the check sum. The library adds this
 * digit.
 */
const czechOrSpecial: NumberCheck = (number) => {
  if (!/^6\d{8}$/.test(number)) return anyOf("cz/dic")(number);
  const sum = weighted(number.slice(1), [8, 7, 6, 5, 4, 3, 2]) % 11;
  const check = (18 - ((10 - sum) % 11)) % 10;
  return check === Number(number[8]) ? number : anyOf("cz/dic")(number);
};

/** Checks of VAT numbers of the European Union's members, by country. */
export const EU_NUMBERS: Readonly<Record<string, NumberCheck>> = {
  AT: anyOf("at/uid"),
  BE: anyOf("be/vat"),
  BG: bulgarian,
  CY: anyOf("cy/vat"),
  CZ: czechOrSpecial,
  DE: anyOf("de/vat"),
  DK: anyOf("dk/cvr"),
  EE: anyOf("ee/kmkr"),
  ES: anyOf("es/nif"),
  FI: anyOf("fi/alv"),
  FR: anyOf("fr/tva"),
  GR: anyOf("gr/vat"),
  HR: anyOf("hr/oib"),
  HU: anyOf("hu/anum"),
  IE: anyOf("ie/vat"),
  IT: anyOf("it/iva"),
  LT: anyOf("lt/pvm"),
  LU: anyOf("lu/tva"),
  LV: anyOf("lv/pvn"),
  MT: anyOf("mt/vat"),
  NL: anyOf("nl/btw"),
  PL: anyOf("pl/nip"),
  PT: anyOf("pt/nif"),
  RO: anyOf("ro/cif"),
  SE: anyOf("se/vat"),
  SI: anyOf("si/ddv"),
  SK: anyOf("sk/dph"),
};

/** Checks of the numbers for VAT or GST elsewhere, by country. */
export const OTHER_NUMBERS: Readonly<Record<string, NumberCheck>> = {
  AU: anyOf("au/abn"),
  CH: anyOf("ch/vat", "ch/uid"),
  GB: anyOf("gb/vat"),
  IN: anyOf("in/gstin"),
  IS: anyOf("is/vsk"),
  KR: anyOf("kr/brn"),
  NO: anyOf("no/mva", "no/orgnr"),
  NZ: anyOf("nz/ird"),
  ZA: anyOf("za/vat"),
};
