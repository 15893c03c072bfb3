/** A record of a CSV file. `line`: the line on which the record begins, from 1. */
export type CsvRecord = { line: number; cells: string[] };

export type CsvSyntaxFault = "quote_not_closed" | "quote_in_cell" | "text_after_quote" | "cell_too_long";

/** A text that is no CSV. */
export class CsvSyntaxError extends Error {
  readonly line: number;
  readonly fault: CsvSyntaxFault;

  constructor(line: number, fault: CsvSyntaxFault) {
    super(fault);
    this.line = line;
    this.fault = fault;
  }
}

/** The most characters of a cell. A quote that is never closed would take the rest of the file into memory. */
export const LONGEST_CELL = 10_000;

/** Excel writes semicolons where the comma is the decimal sign, and tabs as "Text". No column's name has one of them. */
const SEPARATOR = /[,;\t]/;

const PLAIN = /[^,;\t"\r\n]+/y;
const WITHIN_QUOTES = /[^"\n]+/y;

/** The state of the present cell. */
type CellState = "start" | "plain" | "quoted" | "closed";

/**
 * Reads CSV (RFC 4180) from texts of any length. The first record decides between comma, semicolon and tab. A line ends
 * with CR, LF or CRLF. Records without any text are left out, as spreadsheets write them below a table. Memory holds
 * one record.
 */
export class CsvParser {
  #separator: string | null = null;
  #state: CellState = "start";
  #cell = "";
  #cells: string[] = [];
  #line = 1;
  #begin = 1;
  #isAfterReturn = false;
  #records: CsvRecord[] = [];

  /** The line of the next character, from 1. */
  get line(): number {
    return this.#line;
  }

  /** The records that end within the text, and earlier ones. @throws CsvSyntaxError */
  push(text: string): CsvRecord[] {
    for (let at = 0; at < text.length;) {
      const run = this.#runAt(text, at);
      if (run === "") this.#take(text[at]!);
      else this.#takeRun(run);
      at += run.length || 1;
    }
    return this.#taken();
  }

  /** The last record. @throws CsvSyntaxError if a quote is not closed */
  end(): CsvRecord[] {
    if (this.#state === "quoted") throw new CsvSyntaxError(this.#begin, "quote_not_closed");
    this.#endRecord();
    return this.#taken();
  }

  /** The plain characters at a place. They are taken at once: one by one takes several times as long. */
  #runAt(text: string, at: number): string {
    if (this.#state === "closed") return "";
    const run = this.#state === "quoted" ? WITHIN_QUOTES : PLAIN;
    run.lastIndex = at;
    return run.exec(text)?.[0] ?? "";
  }

  #takeRun(run: string): void {
    if (this.#state !== "quoted") this.#state = "plain";
    this.#isAfterReturn = false;
    this.#add(run);
  }

  #taken(): CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #take(character: string): void {
    if (this.#state === "quoted") return this.#takeQuoted(character);
    if (character === "\n" && this.#isAfterReturn) return void (this.#isAfterReturn = false);
    this.#isAfterReturn = character === "\r";
    if (character === "\n" || character === "\r") return this.#endLine();
    if (this.#isSeparator(character)) return this.#endCell();
    if (character !== '"') return this.#takePlain(character);
    if (this.#state === "closed") {
      // Two quotes within quotes stand for one.
      this.#state = "quoted";
      return this.#add(character);
    }
    if (this.#state === "start") return void (this.#state = "quoted");
    throw new CsvSyntaxError(this.#line, "quote_in_cell");
  }

  #takeQuoted(character: string): void {
    if (character === '"') return void (this.#state = "closed");
    if (character === "\n") this.#line += 1;
    this.#add(character);
  }

  #takePlain(character: string): void {
    if (this.#state === "closed") throw new CsvSyntaxError(this.#line, "text_after_quote");
    this.#state = "plain";
    this.#add(character);
  }

  #add(text: string): void {
    this.#cell += text;
    if (this.#cell.length > LONGEST_CELL) throw new CsvSyntaxError(this.#begin, "cell_too_long");
  }

  #isSeparator(character: string): boolean {
    if (this.#separator === null && SEPARATOR.test(character)) this.#separator = character;
    return character === this.#separator;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#state = "start";
  }

  #endLine(): void {
    this.#endRecord();
    this.#line += 1;
    this.#begin = this.#line;
  }

  #endRecord(): void {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    if (cells.some((cell) => cell.trim() !== "")) this.#records.push({ line: this.#begin, cells });
    // A table of one column has no separator.
    if (this.#separator === null && this.#records.length > 0) this.#separator = ",";
  }
}
