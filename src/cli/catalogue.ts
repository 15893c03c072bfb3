import { readFile } from "node:fs/promises";
import { isNode, LineCounter, parseDocument, stringify, type Document } from "yaml";
import * as z from "zod";
import { previewCatalogue, pushCatalogue } from "../actions/catalogue/push-catalogue.ts";
import { readCatalogue } from "../actions/catalogue/read-catalogue.ts";
import { AppError, reasonOf, type Fault } from "../errors.ts";
import { CatalogueParams, type CatalogueChange, type CatalogueResult } from "../resources/catalogue.ts";
import { parse } from "../resources/faults.ts";
import { CommandError, ORGANIZATION, type Command } from "./command.ts";
import { commandOrigin } from "./command-audit.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { table } from "./table.ts";

/** A catalogue in a file: YAML, or JSON, which is YAML too. */
type CatalogueFile = { path: string; document: Document; lines: LineCounter };

/** @throws CommandError for a file that can't be read, or is not YAML */
async function readCatalogueFile(path: string): Promise<CatalogueFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CommandError(`${path} can't be read: ${reasonOf(error)}.`);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) throw new CommandError(`${path}:${lines.linePos(fault.pos[0]).line}: ${fault.message}`);
  return { path, document, lines };
}

/** The keys of a JSON Pointer. The key of a list is its index. */
const keysOf = (pointer: string): (string | number)[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll("~1", "/").replaceAll("~0", "~")));

/** The line of a value, or of the nearest part that holds a missing value. */
function lineOf({ document, lines }: CatalogueFile, pointer: string): number {
  for (let keys = keysOf(pointer); keys.length > 0; keys = keys.slice(0, -1)) {
    const node = document.getIn(keys, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

const said = (file: CatalogueFile, faults: readonly Fault[]) =>
  faults.map(({ pointer, message }) => `${file.path}:${lineOf(file, pointer)}: ${pointer}: ${message}`).join(" ");

/** @throws CommandError for an alias without its anchor, or for too many aliases */
function valueOf({ path, document }: CatalogueFile): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new CommandError(`${path}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** @throws CommandError with the line of each fault */
function paramsOf(file: CatalogueFile): CatalogueParams {
  const parsed = parse(CatalogueParams, valueOf(file), "body");
  if (parsed.faults !== null) throw new CommandError(said(file, parsed.faults));
  return parsed.value;
}

const MOST_CHARACTERS = 60;

function shown(value: unknown): string {
  const text = value === null ? "none" : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** A line for each changed field. A new or an unchanged row has one line. */
function linesOf({ kind, key, action, fields, subscriptions }: CatalogueChange): string[][] {
  const first = [kind, key, action];
  const count = subscriptions === 0 ? "" : String(subscriptions);
  if (action === "create" || action === "unchanged") return [[...first, "", "", "", count]];
  return fields.map(({ name, from, to }) => [...first, name, shown(from), shown(to), count]);
}

const HEADINGS = ["KIND", "KEY", "ACTION", "FIELD", "OLD", "NEW", "SUBSCRIPTIONS"];

function describe({ changes, left }: CatalogueResult, isDry: boolean): string {
  const changed = changes.filter(({ action }) => action !== "unchanged");
  const kept = changed.filter(
    ({ fields, subscriptions }) => subscriptions > 0 && fields.some(({ name }) => name === "prices"),
  );
  const parts = [
    table(HEADINGS, changes.flatMap(linesOf), "The file names no row."),
    changed.length === 0 ? "No changes." : `${isDry ? "Would change" : "Changed"}: ${changed.length}.`,
    ...kept.map(
      ({ key, subscriptions }) =>
        `Subscriptions of ${key} that keep their price: ${subscriptions}. ` +
        "POST /manage/v1/products/{id}/price-changes brings them the new one.",
    ),
    ...(left.length === 0 ? [] : [`Not in the file, and left as they are: ${left.map(({ key }) => key).join(", ")}.`]),
  ];
  return parts.join("\n");
}

export const cataloguePush: Command = {
  usage: "catalogue push FILE [--dry-run] [--organization ID|NAME]",
  summary: "makes and changes the Benefits, Products and discounts of a file (YAML or JSON) by key, all or none",
  group: "Sell and test",
  details: `Each row is the whole row: a field that is left out gets its default. A row that is not in the
file stays. A Product is archived with "archived: true". Subscriptions keep their price.`,
  options: { "dry-run": { type: "boolean", says: "shows the changes, and makes none" }, ...ORGANIZATION },
  example: "catalogue push catalogue.yaml --dry-run",
  words: 1,
  async run(wiring, values, [path]) {
    const file = await readCatalogueFile(path!);
    const params = paramsOf(file);
    const isDry = values["dry-run"] === true;
    await withDatabase(wiring, async (ctx) => {
      const { id } = await findOrganization(ctx, values);
      const run = isDry
        ? previewCatalogue(ctx, id, params)
        : pushCatalogue(ctx, commandOrigin(id, "pushCatalogue", null), params);
      const result = await run.catch((error: unknown) => {
        const faults = error instanceof AppError ? (error.parts.errors ?? []) : [];
        throw faults.length > 0 ? new CommandError(said(file, faults), { cause: error }) : error;
      });
      wiring.print({ text: describe(result, isDry), json: result });
    });
  },
};

export const cataloguePull: Command = {
  usage: "catalogue pull [--organization ID|NAME]",
  summary: "prints the catalogue as YAML for `catalogue push`, with --json as JSON",
  group: "Sell and test",
  options: ORGANIZATION,
  example: "catalogue pull --organization Acme > catalogue.yaml",
  async run(wiring, values) {
    await withDatabase(wiring, async (ctx) => {
      const { id } = await findOrganization(ctx, values);
      const catalogue = await ctx.db.snapshot((db) => readCatalogue(db, id));
      const filled = Object.entries(catalogue).filter(([, rows]) => rows.length > 0);
      const text =
        filled.length === 0 ? "products: []" : stringify(Object.fromEntries(filled), { lineWidth: 0 }).trimEnd();
      wiring.print({ text, json: catalogue });
    });
  },
};

export const catalogueSchema: Command = {
  usage: "catalogue schema",
  summary: "prints the JSON Schema of the file, for editors",
  group: "Sell and test",
  options: {},
  example: "catalogue schema > catalogue.schema.json",
  async run(wiring) {
    const schema = z.toJSONSchema(CatalogueParams, { io: "input", unrepresentable: "any" });
    wiring.print({ text: JSON.stringify(schema, null, 2), json: schema });
  },
};
