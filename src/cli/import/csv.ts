import { importCsv, type CsvSource, type CsvSums } from "../../actions/import/csv.ts";
import type { CsvImport, RowOutcome } from "../../actions/import/csv-customer.ts";
import { CsvFileError, readCsv } from "../../actions/import/csv-file.ts";
import { beginReport } from "../../actions/import/report-run.ts";
import type { Context } from "../../context.ts";
import type { CsvRecord } from "../../domain/import/csv-parser.ts";
import { CARD_REMINDER_DAYS } from "../../domain/model/card-request.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { counted } from "../../domain/words.ts";
import { requireName, STREAM } from "../backup.ts";
import { noteCommand } from "../command-audit.ts";
import {
  CommandError,
  HELD,
  optional,
  ORGANIZATION,
  UsageError,
  type Command,
  type Values,
  type Wiring,
} from "../command.ts";
import { readHead, template } from "./csv-head.ts";
import { changedLine, faultLines, reportOf, summaryOf, sumsOf, type CsvReport } from "./csv-report.ts";
import { formatName, send, withImport, type FormatName } from "./source.ts";

/** A line about progress follows so many rows. */
const PROGRESS = 1000;
/** The most faults that a person reads. `--format csv` has all of them. */
const MOST_LINES = 50;
/** The name of the other system in the database, unless the caller names it. */
const SYSTEM = "csv";

type Given = { file: string; isDry: boolean; skipsErrors: boolean; system: string; requestDays: number | null };

function daysOf(values: Values): number | null {
  const text = optional(values, "ask-for-card") ?? "now";
  if (text === "now") return null;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= CARD_REMINDER_DAYS) return days;
  throw new UsageError(`--ask-for-card must be now, or a number of days from ${CARD_REMINDER_DAYS} to 999.`);
}

function givenBy(values: Values, file: string): Given {
  const system = optional(values, "system") ?? SYSTEM;
  if (!/^[\w .-]{1,64}$/.test(system))
    throw new UsageError("--system must be 1 to 64 letters, digits, spaces, points, dashes and underscores.");
  if (file === STREAM) throw new UsageError("An import reads its FILE twice, so the file can't be stdin.");
  return {
    file,
    isDry: values["dry-run"] === true,
    skipsErrors: values["skip-errors"] === true,
    system,
    requestDays: daysOf(values),
  };
}

async function* rowsBelowHead(file: string): AsyncGenerator<CsvRecord> {
  let isHead = true;
  for await (const record of readCsv(file)) {
    if (!isHead) yield record;
    isHead = false;
  }
}

/** @throws CommandError for a file without a usable head, CsvFileError */
async function openTable(
  file: string,
  { timeZone: zone, defaultCurrency: currency }: Organization,
): Promise<CsvSource> {
  const first = await readCsv(file).next();
  if (first.done)
    throw new CommandError("The file is empty. node bin/billow.mjs import csv template writes an example.");
  const { names, faults } = readHead(first.value.cells);
  if (faults !== null) throw new CommandError(`The first line must name the columns. ${faults.join(" ")}`);
  return { records: () => rowsBelowHead(file), names, defaults: { zone, currency } };
}

/** Takes the outcomes of a pass: writes them in the format, and notes faults and changed rows for people. */
function listen(wiring: Wiring, report: CsvReport | null, isWritten: (outcome: RowOutcome) => boolean) {
  const output = wiring.output();
  const faulty = new Set<number>();
  let [read, lines] = [0, 0];
  const note = (texts: readonly string[]) => {
    for (const text of texts) if ((lines += 1) <= MOST_LINES) wiring.note(text);
  };
  const row = async (outcome: RowOutcome): Promise<void> => {
    if ((read += 1) % PROGRESS === 0) wiring.note(`${read} rows.`);
    if (outcome.status === "faulty") faulty.add(outcome.line);
    if (!isWritten(outcome)) return;
    if (report) return send(output, report.row(outcome));
    if (outcome.status === "faulty") note(faultLines(outcome, outcome.faults));
    else if (outcome.changed.length > 0) note([changedLine(outcome, outcome.changed)]);
  };
  const rest = () => {
    if (lines > MOST_LINES)
      wiring.note(`${counted(lines - MOST_LINES, "line")} more: --format csv has a line for each row and fault.`);
  };
  return { row, rest, faulty };
}

/** The sums of an import, with the rows that the check before it has left out. */
const withLeft = (sums: CsvSums, { rows, customers, faulty }: CsvSums): CsvSums => ({
  ...sums,
  rows,
  customers,
  faulty: sums.faulty + faulty,
});

const NOT_STOPPED =
  "Billow charges these Subscriptions from the end of their present periods on. " +
  "End them in the other system before that, without a last invoice: else both charge.";

function conclusion({ isDry, skipsErrors }: Given, { faulty }: CsvSums): string {
  if (isDry) return "Dry run: no row was imported.";
  if (faulty === 0) return NOT_STOPPED;
  if (skipsErrors) return `${counted(faulty, "row")} left out. ${NOT_STOPPED}`;
  return "No row was imported, because of the faults. Correct them, or add --skip-errors to import the other rows.";
}

async function run(
  wiring: Wiring,
  ctx: Context,
  organization: Organization,
  given: Given,
  format: FormatName,
): Promise<number> {
  const source = await openTable(given.file, organization);
  const report = reportOf(format, given.isDry);
  const output = wiring.output().once("error", () => undefined);
  const of = (isDry: boolean): CsvImport => ({ ...given, organizationId: organization.id, isDry });
  if (report) await send(output, report.beginning);
  const check = listen(wiring, report, ({ status }) => given.isDry || status === "faulty");
  let sums = await importCsv(ctx, of(true), source, check);
  check.rest();
  if (!given.isDry && (sums.faulty === 0 || given.skipsErrors)) {
    // The entry comes first, so that an import that dies has one.
    await noteCommand(ctx, organization.id, "importCsv");
    const account = { organizationId: organization.id, source: "csv", account: given.system } as const;
    const header = await beginReport(ctx, account, "csv");
    const load = listen(wiring, report, () => true);
    const left = sums;
    sums = await importCsv(ctx, of(false), source, { ...load, except: check.faulty });
    sums = withLeft(sums, left);
    await header.finish(sumsOf(sums), false);
    load.rest();
  }
  if (report) await send(output, report.end(sums));
  const isOnlyChecked = given.isDry || (sums.faulty > 0 && !given.skipsErrors);
  const text = `${summaryOf(sums, isOnlyChecked)}\n\n${conclusion(given, sums)}`;
  if (report) wiring.note(text);
  else wiring.print({ text, json: {} });
  return sums.faulty + sums.changed > 0 ? HELD : 0;
}

/** The errors of the file as errors of the command. */
async function withFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const message = path === file ? `${file} can't be read (${code}).` : (error as Error).message;
    throw error instanceof CsvFileError || path === file ? new CommandError(message, { cause: error }) : error;
  }
}

export const importCsvCommand: Command = {
  usage:
    "import csv FILE [--dry-run] [--skip-errors] [--ask-for-card now|DAYS] [--system NAME] " +
    "[--format text|csv|json] [--organization ID|NAME]",
  summary: "imports Customers and Subscriptions without cards from a table, and asks the Customers for a card",
  group: "Data and imports",
  details: `Checks each row of the file, and then imports all rows, or no row if one has a fault. The Subscriptions run
here at once: Billow charges them from the end of their present periods on. End them in the other system before that.
A repeat changes no row that is imported, so run the command again after a crash.`,
  options: {
    "dry-run": { type: "boolean", says: "checks each row as the import does, and imports no row" },
    "skip-errors": { type: "boolean", says: "imports the Customers without faults" },
    "ask-for-card": {
      type: "string",
      value: "now|DAYS",
      says:
        "asks for a card by e-mail now (default), or DAYS before the first charge, 3 at " +
        "least; a reminder follows 3 days before that charge",
    },
    system: {
      type: "string",
      value: "NAME",
      says: "a name of the other system; ids of rows are compared within it (default: csv)",
    },
    format: {
      type: "string",
      value: "text|csv|json",
      says:
        "text: the sums, with the first 50 faults on stderr (default); csv: a line for each " +
        "row and fault, with the sums on stderr; json: one object with the rows, then the " +
        "sums, as --json",
    },
    ...ORGANIZATION,
  },
  example: "import csv customers.csv --dry-run",
  exits: {
    0: "all rows are imported, or can be",
    1: "the file can't be read; some of its rows may be imported",
    3: "some rows have faults, or differ from their import",
  },
  words: 1,
  async run(wiring, values, words) {
    const given = givenBy(values, requireName(words[0]));
    const format = formatName(values);
    return withImport(wiring, values, "", (ctx, organization) =>
      withFile(given.file, () => run(wiring, ctx, organization, given, format)),
    );
  },
};

export const importCsvTemplate: Command = {
  usage: "import csv template",
  summary: "writes the columns of a table for import csv, with an example",
  group: "Data and imports",
  options: {},
  example: "import csv template > customers.csv",
  async run(wiring) {
    await send(wiring.output(), template());
  },
};
