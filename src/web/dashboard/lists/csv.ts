/** Null is an empty cell. */
export type CsvValue = string | number | null;

/** A spreadsheet takes a cell that begins like this for a formula. Some also accept the wide forms of these signs. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Excel reads a file as UTF-8 only if the file begins with this mark. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** A cell of CSV (RFC 4180). A text that could be a formula gets an apostrophe in front, so that it stays a text. */
export function csvCell(value: CsvValue): string {
  const text = value === null ? "" : String(value);
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(",")}\r\n`;

/**
 * A stream of these texts. The next text is made only when the reader has taken the last one, so a long file never
 * stands in memory.
 */
export function streamOf(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return();
    },
  });
}
