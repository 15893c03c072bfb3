import { createReadStream } from "node:fs";
import { CsvParser, CsvSyntaxError, type CsvRecord } from "../../domain/import/csv-parser.ts";
import { SYNTAX_MEANINGS } from "../../resources/csv-faults.ts";

/** A file that can't be read to its end. The message is a sentence with the line and the remedy. */
export class CsvFileError extends Error {}

const UTF_16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const;
const REMEDY = "Save the file as CSV in UTF-8: Excel has this as “CSV UTF-8”.";

/** The text of the bytes as far as they are UTF-8. The sign for lost bytes stands at the first other one. */
function readable(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text.slice(0, Math.max(0, text.indexOf("\uFFFD")));
}

/**
 * The records of a CSV file in UTF-8, with or without a byte order mark. Memory holds a piece of the file. @throws
 * CsvFileError, and errors of the file system
 */
export async function* readCsv(file: string): AsyncGenerator<CsvRecord> {
  const parser = new CsvParser();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isFirst = true;
  const decode = (bytes: Uint8Array | null): string => {
    try {
      return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      if (bytes !== null) parser.push(readable(bytes));
      throw new CsvFileError(`Line ${parser.line} is not in UTF-8. ${REMEDY}`);
    }
  };
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
      if (isFirst && UTF_16.some((mark) => mark.every((byte, n) => bytes[n] === byte)))
        throw new CsvFileError(`The file is in UTF-16. ${REMEDY}`);
      isFirst = false;
      yield* parser.push(decode(bytes));
    }
    yield* parser.push(decode(null));
    yield* parser.end();
  } catch (error) {
    if (error instanceof CsvSyntaxError) throw new CsvFileError(`Line ${error.line}: ${SYNTAX_MEANINGS[error.fault]}`);
    throw error;
  }
}
