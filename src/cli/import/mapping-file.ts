import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import type { Mapping, MappingFault } from "../../domain/import/mapping.ts";
import { periodInWords } from "../../domain/words.ts";
import { amountParam, currency, INTERVALS, key, text } from "../../resources/fields.ts";
import { parse } from "../../resources/faults.ts";
import { CommandError } from "../command.ts";

/** The most lines of an error about a file. */
const MOST_LINES = 50;

const Price = z.strictObject({
  price: text(255),
  name: text(256),
  currency,
  amount: amountParam(0),
  interval: z.enum(INTERVALS),
  intervalCount: z.int().min(1),
  subscriptions: z.int().min(0),
  productKey: key,
});
const File = z.strictObject({ account: text(255), prices: z.array(Price) });

/** One line for each price, so that an editor and a comparison show a price at a time. */
export function mappingText({ account, prices }: Mapping): string {
  const lines = prices.map((price) => `    ${JSON.stringify(price)}`);
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return `{\n  "account": ${JSON.stringify(account)},\n  "prices": ${list}\n}\n`;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/** @throws CommandError if there is a file with this name, or the file can't be written */
export async function writeMapping(file: string, mapping: Mapping): Promise<void> {
  try {
    await writeFile(file, mappingText(mapping), { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if (codeOf(error) === "EEXIST")
      throw new CommandError(`${file} exists already, and may have your changes: give another name.`, { cause: error });
    throw new CommandError(`${file}: the mapping can't be written (${codeOf(error)}).`, { cause: error });
  }
}

/** @throws CommandError if there is a file with this name: before a long reading */
export async function requireNew(file: string): Promise<void> {
  const isThere = await readFile(file).then(
    () => true,
    (error: unknown) => codeOf(error) !== "ENOENT",
  );
  if (isThere) throw new CommandError(`${file} exists already, and may have your changes: give another name.`);
}

/** The number of the line with a price, or of the character at an offset. */
const lineAt = (content: string, offset: number): number => content.slice(0, offset).split("\n").length;

function lineOf(content: string, price: string | undefined): number | null {
  const offset = price === undefined ? -1 : content.indexOf(JSON.stringify(price));
  return offset === -1 ? null : lineAt(content, offset);
}

function parsed(file: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const place = position === undefined ? "" : ` in line ${lineAt(content, Number(position))}`;
    throw new CommandError(`${file} is no JSON${place}: ${message.split(/ \(line| in JSON/)[0]}.`, { cause: error });
  }
}

/** The price of a fault within the list, as the file names it. */
function priceAt(value: unknown, pointer: string): string | undefined {
  const [, index] = /^\/prices\/(\d+)/.exec(pointer) ?? [];
  const named = (value as { prices?: { price?: unknown }[] } | null)?.prices?.[Number(index)]?.price;
  return typeof named === "string" ? named : undefined;
}

/** A mapping with the text of its file, for messages that name lines. */
export type MappingFile = { file: string; content: string; mapping: Mapping };

const place = (content: string, price: string | undefined): string => {
  const line = lineOf(content, price);
  return [...(line === null ? [] : [`line ${line}`]), ...(price === undefined ? [] : [price])].join(", ");
};

function refuse(file: string, lines: readonly string[], beginning: string): never {
  const more = lines.length > MOST_LINES ? [`${lines.length - MOST_LINES} more faults`] : [];
  throw new CommandError(`${file}: ${beginning}: ${[...lines.slice(0, MOST_LINES), ...more].join("; ")}.`);
}

/** @throws CommandError for a file that can't be read, or is no mapping, with each line that is wrong */
export async function readMapping(file: string): Promise<MappingFile> {
  const content = await readFile(file, "utf8").catch((error: unknown) => {
    throw new CommandError(`${file} can't be read (${codeOf(error)}).`, { cause: error });
  });
  const given = parsed(file, content);
  const { value, faults } = parse(File, given, "body");
  if (faults === null) return { file, content, mapping: value };
  const lines = faults.map(({ pointer, message }) => {
    const at = place(content, priceAt(given, pointer));
    const field = pointer.replace(/^\/prices\/\d+\/?/, "").replace(/^\//, "");
    return `${[at, field].filter((each) => each !== "").join(", ") || "the file"}: ${message.replace(/\.$/, "")}`;
  });
  return refuse(file, lines, "the mapping is wrong");
}

const quantities = ({ minimum, maximum }: { minimum: number; maximum: number }) =>
  minimum === maximum ? String(minimum) : `${minimum} to ${maximum}`;

/** A fault in words. The price stands before them. */
function wordsOf(fault: MappingFault): string {
  switch (fault.fault) {
    case "no_line":
      return `the price of ${fault.name} is in use and has no line`;
    case "twice":
      return "the price has two lines";
    case "other_price":
      return `${fault.field} is ${fault.found} at the provider`;
    case "other_period":
      return `the Product ${fault.productKey} is sold every ${periodInWords(fault)}`;
    case "no_price":
      return `the Product ${fault.productKey} has no price in ${fault.currency}`;
    case "archived":
      return `the Product ${fault.productKey} is archived`;
    case "sold_once":
      return `the Product ${fault.productKey} is sold once`;
    case "quantity":
      return (
        `the Product ${fault.productKey} is sold in quantities of ${quantities(fault.sold)}, ` +
        `and subscriptions have ${quantities(fault.used)}`
      );
  }
}

/** @throws CommandError with all faults of the lines */
export function refuseFaults({ file, content }: MappingFile, faults: readonly MappingFault[]): never {
  const lines = faults.map((fault) => `${place(content, fault.price)}: ${wordsOf(fault)}`);
  return refuse(file, lines, "no row was written, because lines do not fit");
}

/** @throws CommandError with all faults of Products that can't be made */
export function refuseProducts(
  { file, content }: MappingFile,
  refused: readonly { key: string; says: string }[],
): never {
  const lines = refused.map(({ key: name, says }) => {
    const line = lineOf(content, name);
    return `${line === null ? "" : `line ${line}, `}${name}: ${says.replace(/\.$/, "")}`;
  });
  return refuse(file, lines, "no row was written, because Products can't be made");
}
