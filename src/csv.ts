/** Null is an empty cell. */
export type CsvValue = string | number | null;

/**
 * The places where a field begins with a formula. In many languages a spreadsheet splits a line at semicolons, and sees
 * neither our commas nor the quotes in the middle of its fields. So a field also begins after a semicolon, a tab or the
 * end of a line within a cell. Some spreadsheets skip spaces and quotes, and take the wide forms of the signs.
 */
const BEGIN = /^(?=[\s"]*[=+\-@＝＋－＠]|[\t\r\n])/;
const WITHIN = /[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** Excel reads a file as UTF-8 only if the file begins with this mark. */
export const BYTE_ORDER_MARK = "\uFEFF";

/**
 * A cell of CSV (RFC 4180). A text that could be a formula, or a part of one, gets an apostrophe in front, so that it
 * stays a text. A negative number stays a number.
 */
export function csvCell(value: CsvValue): string {
  const text = value === null ? "" : String(value);
  const harmless = NUMBER.test(text) ? text : text.replaceAll(WITHIN, "$&'").replace(BEGIN, "'");
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(",")}\r\n`;
