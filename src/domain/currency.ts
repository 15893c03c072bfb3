import type { Amount } from "./money.ts";

/** The day on which the table below equalled ISO 4217's list of active currencies. */
export const CURRENCIES_AS_OF = "2026-01-01";

// Codes by exponent, the number of decimals between the minor and the major unit. The table is written out because
// `Intl` follows CLDR, which has the decimals of daily use: 0 for idr and lbp, where ISO has 2. The table leaves out
// metals, testing codes, units of account between banks, and funds codes. Two funds codes stay: clf and uyi, the
// index units in which contracts in Chile and Uruguay are priced.
const CODES_BY_EXPONENT: readonly (readonly [exponent: number, codes: string])[] = [
  [0, "bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf"],
  [
    2,
    `aed afn all amd aoa ars aud awg azn bam bbd bdt bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop crc cup
     cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ils inr irr jmd kes
     kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio nok
     npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb
     tjs tmt top try ttd twd tzs uah usd uyu uzs ved ves wst xcd xcg yer zar zmw zwg`,
  ],
  [3, "bhd iqd jod kwd lyd omr tnd"],
  [4, "clf uyw"],
];

/** Every active ISO 4217 code, lower case, with its exponent, sorted by code (rule M3). */
export const CURRENCIES: ReadonlyMap<string, number> = new Map(
  CODES_BY_EXPONENT.flatMap(([exponent, codes]) => codes.split(/\s+/).map((code) => [code, exponent] as const)).sort(
    ([a], [b]) => (a < b ? -1 : 1),
  ),
);

// In minor units: the smallest charge that card processors publish, about half a dollar.
const MINIMUM_CHARGES: ReadonlyMap<string, Amount> = new Map([
  ["aed", 200],
  ["aud", 50],
  ["brl", 50],
  ["cad", 50],
  ["chf", 50],
  ["czk", 1500],
  ["dkk", 250],
  ["eur", 50],
  ["gbp", 30],
  ["hkd", 400],
  ["huf", 17500],
  ["inr", 50],
  ["jpy", 50],
  ["mxn", 1000],
  ["myr", 200],
  ["nok", 300],
  ["nzd", 50],
  ["pln", 200],
  ["ron", 200],
  ["sek", 300],
  ["sgd", 50],
  ["thb", 1000],
  ["usd", 50],
]);

/** Whether `code` is an active ISO 4217 code in lower case. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/**
 * The number of decimals of the major unit: 2 for usd, 0 for jpy, 3 for kwd (rule M3).
 * @throws RangeError for a code that is not a currency.
 */
export function exponentOf(code: string): number {
  const exponent = CURRENCIES.get(code);
  if (exponent === undefined) throw new RangeError(`${code} is not an ISO 4217 currency`);
  return exponent;
}

/**
 * The smallest amount above 0 that is charged (rule M5). For a currency without a published minimum, the result is
 * half a major unit, or 50 units if the currency has no minor unit.
 * @throws RangeError for a code that is not a currency.
 */
export function minimumCharge(currency: string): Amount {
  const exponent = exponentOf(currency);
  return MINIMUM_CHARGES.get(currency) ?? (exponent === 0 ? 50 : 10 ** exponent / 2);
}

/** Each format is made once: the constructor takes some 30 µs. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, digits: number): Intl.NumberFormat {
  return formats.getOrInsertComputed(
    currency,
    () =>
      new Intl.NumberFormat("en-GB", {
        style: "currency",
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
}

/**
 * An amount for a person to read: `US$10.00`, `JP¥1,000`, `KWD 1.500`. British English is the same everywhere and names
 * the currency: a `$` alone could mean a dozen. Exact for every safe integer.
 * @throws RangeError for a code that is not a currency.
 */
export function formatMoney(amount: Amount, currency: string): string {
  const digits = exponentOf(currency);
  return formatOf(currency, digits).format(`${amount}E-${digits}` as `${number}`);
}
