import { assess } from "../../actions/import/assess.ts";
import { mappingFor } from "../../actions/import/catalogue.ts";
import { beginReport } from "../../actions/import/report-run.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { HELD, optional, ORGANIZATION, UsageError, type Command, type Wiring } from "../command.ts";
import { requireNew, writeMapping } from "./mapping-file.ts";
import { csvFormat, jsonFormat, sumsOf, summaryOf, type Format, type ReportOf } from "./report.ts";
import {
  connectableOf,
  formatName,
  openSource,
  PROGRESS,
  PROVIDER,
  READ_PROMPT,
  readKey,
  send,
  withImport,
  type FormatName,
} from "./source.ts";

const FORMATS: Record<FormatName, () => Format | null> = {
  text: () => null,
  csv: csvFormat,
  json: jsonFormat,
};

const UNCHANGED = "No Customer and no Subscription was changed.";

/** `mapping`: the file to write; null: none. */
type Wanted = { format: Format | null; mapping: string | null };

/** Writes the report, row by row. Returns the exit code. */
async function report(wiring: Wiring, ctx: Context, organization: Organization, { format, mapping }: Wanted) {
  if (mapping !== null) await requireNew(mapping);
  const connectable = connectableOf(ctx);
  const key = await readKey(wiring, connectable, organization, READ_PROMPT);
  const reader = connectable.reader!(key);
  const source = await openSource(wiring, ctx, organization, reader);
  const { account } = source;
  const run = await beginReport(ctx, { organizationId: organization.id, source: PROVIDER, account }, "assess");
  const of: ReportOf = { account, mode: connectable.modeOf(key)!, readAt: run.startedAt };
  // The writing of a text tells of its error, so the stream need not.
  const output = wiring.output().once("error", () => undefined);
  if (format) await send(output, format.beginning);
  const chargeable = (currency: string) => connectable.amounts(currency);
  const sums = await assess(
    reader,
    { now: of.readAt, chargeable },
    {
      async row(assessed) {
        await run.add(assessed);
        if (format) await send(output, format.row(assessed));
      },
      customer: (read) => void (read % PROGRESS === 0 && wiring.note(`${read} Customers read.`)),
    },
  );
  await run.finish(sumsOf(of, sums), true);
  if (format) await send(output, format.end(of, sums));
  if (mapping !== null) await writeMapping(mapping, await mappingFor(ctx, organization.id, account, sums));
  const summary = summaryOf(of, sums);
  if (format) wiring.note(summary);
  else wiring.print({ text: summary, json: {} });
  return sums.subscriptions.stays > 0 ? HELD : 0;
}

export const importStripeAssess: Command = {
  usage: "import stripe assess [--mapping FILE] [--format text|csv|json] [--organization ID|NAME]",
  summary:
    "reports which subscriptions of a Stripe account can move to Billow, for the dashboard too; reads a key from stdin",
  group: "Data and imports",
  details: `Reads all Customers and subscriptions of the account, with a key that only reads. Stores the report for the
dashboard, and changes no other data here or at Stripe. So the command can run at any time, and again.`,
  options: {
    mapping: {
      type: "string",
      value: "FILE",
      says: "writes a new file with the prices in use, each with a Product, to edit before the import",
    },
    format: {
      type: "string",
      value: "text|csv|json",
      says:
        "text: the sums (default); csv: one line for each subscription, with the sums on " +
        "stderr; json: one object with the subscriptions, then the sums, as --json",
    },
    ...ORGANIZATION,
  },
  example: "import stripe assess --format csv < key.txt > assessment.csv",
  exits: {
    0: "each subscription can move",
    1: "the key does not fit, Stripe can't be reached, or the disk is full; a file that was begun is not complete",
    3: "some subscriptions stay, with their reasons in the report",
  },
  async run(wiring, values) {
    const wanted = { format: FORMATS[formatName(values)](), mapping: optional(values, "mapping") ?? null };
    if (wanted.mapping === "") throw new UsageError("--mapping is empty.");
    return withImport(wiring, values, UNCHANGED, (ctx, organization) => report(wiring, ctx, organization, wanted));
  },
};
