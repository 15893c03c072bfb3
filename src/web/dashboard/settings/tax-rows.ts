import { isCountry } from "../../../domain/tax/country.ts";
import { EU_RATES } from "../../../domain/tax/eu-rates.ts";
import { taxRegionKey } from "../../../domain/tax/region.ts";
import type { TaxRate } from "../../../domain/tax/tax.ts";
import { AppError, type Fault } from "../../../errors.ts";
import type { UpdateOrganizationParams } from "../../../resources/organization.ts";
import { refusedField, type Sent } from "../sent-form.ts";
import { shownText } from "../fields.ts";
import { parsedSettings } from "./form.ts";

/** A form holds 16 KiB, so it has the rates of one page. */
export const RATES_PER_PAGE = 40;
/** Rows for further rates. */
const EMPTY_ROWS = 3;
/** The most rows that a form adds to a page: one for each Member State, and the empty ones. */
const MOST_NEW = EU_RATES.length + EMPTY_ROWS;

const PARTS = ["country", "region", "name", "percent"] as const;
const BOXES = ["inclusive", "reverseCharge", "remove"] as const;
/**
 * A row as a page shows it. `index`: the number in the names of its fields: the index of the stored rate, or a number
 * after all of them. `remove`: the row is left out when the form is saved.
 */
export type Row = { index: number } & Record<(typeof PARTS)[number], string> & Record<(typeof BOXES)[number], boolean>;

/** The name of a row's field. The percentage stands at the pointer of the basis points. */
export const nameIn = ({ index }: Pick<Row, "index">, part: string): string =>
  `taxRates.${index}.${part === "percent" ? "basisPoints" : part}`;

const BLANK = { country: "", region: "", name: "", percent: "", inclusive: false, reverseCharge: false, remove: false };

/** Basis points as a person types a percentage: 2550 is `25.5`. */
export const percentOf = (basisPoints: number): string => String(basisPoints / 100);

const rowOf = ({ basisPoints, region, ...rate }: TaxRate, index: number): Row => ({
  ...rate,
  index,
  region: region ?? "",
  percent: percentOf(basisPoints),
  remove: false,
});

/** The number of the page's first rate. */
export const firstOf = ({ fields }: Pick<Sent, "fields">, rates: readonly TaxRate[]): number => {
  const wanted = Number(fields.get("from") ?? 0);
  const isPage = Number.isInteger(wanted) && wanted > 0 && wanted < rates.length;
  return isPage ? wanted - (wanted % RATES_PER_PAGE) : 0;
};

/** The rows that the page shows at first: its rates, and empty ones. */
function storedRows(rates: readonly TaxRate[], from: number): Row[] {
  const shown = rates.slice(from, from + RATES_PER_PAGE).map((rate, n) => rowOf(rate, from + n));
  return [...shown, ...emptyRows(rates.length)];
}

const emptyRows = (first: number): Row[] =>
  Array.from({ length: EMPTY_ROWS }, (_, n) => ({ ...BLANK, index: first + n }));

function typedRow(sent: Sent, index: number): Row {
  const text = (part: string) => shownText(sent, nameIn({ index }, part), "", 128);
  const isSet = (part: string) => sent.fields.has(nameIn({ index }, part));
  return {
    index,
    country: text("country"),
    region: text("region"),
    name: text("name"),
    percent: text("percent"),
    inclusive: isSet("inclusive"),
    reverseCharge: isSet("reverseCharge"),
    remove: isSet("remove"),
  };
}

/** The places of the rows in a form: those of the page, and the new ones after all rates. */
function indexesIn(sent: Sent, rates: readonly TaxRate[]): number[] {
  const from = firstOf(sent, rates);
  const until = Math.min(from + RATES_PER_PAGE, rates.length);
  const indexes = Array.from({ length: until - from }, (_, n) => from + n);
  const added = Array.from({ length: MOST_NEW }, (_, n) => rates.length + n);
  return [...indexes, ...added].filter((index) => sent.fields.has(nameIn({ index }, "country")));
}

/** The rows of the page, as typed or as stored. */
export function rowsOf(sent: Sent, rates: readonly TaxRate[]): Row[] {
  if (!sent.isSent) return storedRows(rates, firstOf(sent, rates));
  return indexesIn(sent, rates).map((index) => typedRow(sent, index));
}

/** A row without a country, a name and a percentage is left out. */
export const isEmpty = ({ country, name, percent, region }: Row): boolean =>
  [country, name, percent, region].every((text) => text.trim() === "");

/**
 * The rows with the rates of these Member States typed in: into the row of the country, else into a new row. `stored`:
 * the number of stored rates, after which the new rows are counted.
 */
export function filledWith(rows: readonly Row[], countries: readonly string[], stored: number): Row[] {
  const wanted = EU_RATES.filter(({ country }) => countries.includes(country));
  const isWhole = (row: Row, country: string) => row.country === country && row.region.trim() === "";
  const typedIn = rows.map((row) => {
    const rate = wanted.find(({ country }) => isWhole(row, country));
    return rate ? { ...row, percent: percentOf(rate.basisPoints), remove: false } : row;
  });
  const missing = wanted.filter(({ country }) => !typedIn.some((row) => isWhole(row, country)));
  const known = typedIn.filter(({ index }) => index < stored);
  const others = typedIn.filter((row) => row.index >= stored && !isEmpty(row));
  const added = missing.map(({ country, basisPoints }): Omit<Row, "index"> => {
    return { ...BLANK, country, name: "VAT", percent: percentOf(basisPoints), reverseCharge: true };
  });
  const further = [...others, ...added].map((row, n) => ({ ...row, index: stored + n }));
  return [...known, ...further, ...emptyRows(stored + further.length)];
}

const PERCENT = /^(\d{1,3})(?:[.,](\d{1,2}))?$/;

/** NaN: the text is no percentage. The schema refuses NaN together with the faults of other fields. */
function basisPointsIn({ percent }: Row): number {
  const [, whole, decimals = ""] = PERCENT.exec(percent.trim().replace(/\s*%$/, "")) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + decimals.padEnd(2, "0"));
}

/** The words for a percentage, which the API takes in basis points. */
function percentWords({ pointer, code }: Fault): string | null {
  if (!pointer.endsWith("/basisPoints")) return null;
  return code === "too_large" ? "Enter at most 100." : "Enter a percentage such as 19 or 25.5.";
}

const bodyOf = (row: Row) => ({
  country: row.country,
  region: row.region.trim() === "" ? null : row.region,
  basisPoints: basisPointsIn(row),
  inclusive: row.inclusive,
  name: row.name,
  reverseCharge: row.reverseCharge,
});

const keyOf = ({ country, region }: Pick<Row, "country" | "region">) =>
  isCountry(country) ? taxRegionKey({ country, region: region.trim() || null }) : `${country} ${region}`;

/** @throws AppError `validation_failed` at the second row of a region */
function refuseTwice(rows: readonly Row[]): void {
  const keys = rows.map(keyOf);
  const second = rows.find((_, n) => keys.indexOf(keys[n]!) < n);
  if (second)
    throw refusedField(nameIn(second, "country"), "place_twice", "Another row has the same country and region.");
}

/** The faults at the rows of the form. The rates of other pages are in front of them in the body. */
function atRows(error: unknown, indexes: readonly number[]): unknown {
  if (!(error instanceof AppError) || !error.parts.errors) return error;
  const errors = error.parts.errors.map((fault) => ({
    ...fault,
    pointer: fault.pointer.replace(/^\/taxRates\/(\d+)/, (_, n: string) => `/taxRates/${indexes[Number(n)]}`),
  }));
  return new AppError(error.code, { ...error.parts, errors });
}

/**
 * The rates of all pages, with the typed rows in place of the rates of this page. A row is left out if its box "Remove"
 * is checked.
 * @throws AppError `validation_failed`
 */
export function readRates(sent: Sent, rates: readonly TaxRate[]): UpdateOrganizationParams {
  const from = firstOf(sent, rates);
  const rows = indexesIn(sent, rates)
    .map((index) => typedRow(sent, index))
    .filter((row) => !row.remove && !isEmpty(row));
  const before = rates.slice(0, from);
  const after = rates.slice(from + RATES_PER_PAGE);
  const known = [...before, ...after].map((rate, n) => rowOf(rate, -1 - n));
  refuseTwice([...known, ...rows]);
  const body = rows.map(bodyOf);
  const own = rows.filter(({ index }) => index < rates.length).length;
  const all = [...before, ...body.slice(0, own), ...after, ...body.slice(own)];
  const indexes = [
    ...before.map((_, n) => n),
    ...rows.slice(0, own).map(({ index }) => index),
    ...after.map((_, n) => from + RATES_PER_PAGE + n),
    ...rows.slice(own).map(({ index }) => index),
  ];
  try {
    return parsedSettings({ taxRates: all }, percentWords);
  } catch (error) {
    throw atRows(error, indexes);
  }
}
