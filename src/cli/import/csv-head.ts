import { csvLine } from "../../csv.ts";
import { CSV_COLUMNS, METADATA, REQUIRED_COLUMNS } from "../../domain/import/csv-columns.ts";
import { didYouMean, nearest } from "../../suggestion.ts";

const NAMES = Object.keys(CSV_COLUMNS);
const BEGINNINGS = Object.values(METADATA);

/** The template of a file: all columns, and a row as an example. */
export const template = (): string =>
  csvLine([...NAMES, "metadata.plan"]) + csvLine([...Object.values(CSV_COLUMNS), "legacy"]);

/** The head of a file, or the faults of its names, each a sentence. */
export type Head = { names: string[]; faults: null } | { names: null; faults: string[] };

function faultOf(name: string, index: number, names: readonly string[]): string | null {
  if (name === "") return `Column ${index + 1} has no name.`;
  if (names.indexOf(name) !== index) return `Two columns have the name ${name}.`;
  if (BEGINNINGS.some((beginning) => name.startsWith(beginning) && name !== beginning)) return null;
  if (NAMES.includes(name)) return null;
  return `There is no column ${JSON.stringify(name)}.${didYouMean(nearest(name, NAMES))}`;
}

/** Reads the first record of a file. Names count without case and without spaces around them. */
export function readHead(cells: readonly string[]): Head {
  // Spreadsheets write columns without a name to the right of a table.
  const last = cells.findLastIndex((cell) => cell.trim() !== "");
  const names = cells.slice(0, last + 1).map((cell) => {
    const name = cell.trim();
    // The rest of such a name is a key of metadata, in which case counts.
    return BEGINNINGS.some((beginning) => name.startsWith(beginning)) ? name : name.toLowerCase();
  });
  const faults = names.flatMap((name, index) => faultOf(name, index, names) ?? []);
  const missing = REQUIRED_COLUMNS.filter((name) => !names.includes(name)).map(
    (name) => `The column ${name} is missing.`,
  );
  return faults.length + missing.length > 0
    ? { names: null, faults: [...missing, ...faults] }
    : { names, faults: null };
}
