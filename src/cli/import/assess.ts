import { assess } from "../../actions/import/assess.ts";
import { mappingFor } from "../../actions/import/catalogue.ts";
import { beginReport } from "../../actions/import/report-run.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { HELD, optional, UsageError, type Command, type Wiring } from "../command.ts";
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
  details: `Reads all Customers and subscriptions of the account, with a key that only reads. Stores the report for the
dashboard, and changes no other data here or at Stripe. So the command can run at any time, and again.

--mapping FILE  writes a new file with the prices in use, each with a Product, to edit before the import
--format text   the sums (default)
--format csv    one line for each subscription on stdout, the sums on stderr
--format json   one object on stdout: the subscriptions, then the sums; --json is the same
--organization  the Organization to which the subscriptions would move

Example: node bin/billow.mjs import stripe assess --format csv < key.txt > assessment.csv

Exit codes: 0: each subscription can move. 3: some stay, with their reasons in the report. 1: the key does not fit,
Stripe can't be reached, or the disk is full; a file that was begun is not complete. 2: a wrong call.`,
  options: { mapping: { type: "string" }, format: { type: "string" }, organization: { type: "string" } },
  async run(wiring, values) {
    const wanted = { format: FORMATS[formatName(values)](), mapping: optional(values, "mapping") ?? null };
    if (wanted.mapping === "") throw new UsageError("--mapping is empty.");
    return withImport(wiring, values, UNCHANGED, (ctx, organization) => report(wiring, ctx, organization, wanted));
  },
};
