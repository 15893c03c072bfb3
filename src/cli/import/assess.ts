import { assess } from "../../actions/import/assess.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { HELD, type Command, type Wiring } from "../command.ts";
import { csvFormat, jsonFormat, summaryOf, type Format, type ReportOf } from "./report.ts";
import { connectableOf, formatName, openSource, readKey, send, withImport, type FormatName } from "./source.ts";

const PROMPT = "Paste a key of Stripe that reads, then press Enter and Ctrl-D.";
/** A line about progress follows so many Customers: ten pages of Stripe. */
const PROGRESS = 1000;

const FORMATS: Record<FormatName, () => Format | null> = {
  text: () => null,
  csv: csvFormat,
  json: jsonFormat,
};

/** Writes the report, row by row. Returns the exit code. */
async function report(wiring: Wiring, ctx: Context, organization: Organization, format: Format | null) {
  const connectable = connectableOf(ctx);
  const key = await readKey(wiring, connectable, organization, PROMPT);
  const reader = connectable.reader!(key);
  const source = await openSource(wiring, ctx, organization, reader);
  const of: ReportOf = { account: source.account, mode: connectable.modeOf(key)!, readAt: instant(realNow()) };
  // The writing of a text tells of its error, so the stream need not.
  const output = wiring.output().once("error", () => undefined);
  if (format) await send(output, format.beginning);
  const chargeable = (currency: string) => connectable.amounts(currency);
  const sums = await assess(
    reader,
    { now: of.readAt, chargeable },
    {
      row: async (assessed) => void (format && (await send(output, format.row(assessed)))),
      customer: (read) => void (read % PROGRESS === 0 && wiring.note(`${read} Customers read.`)),
    },
  );
  if (format) await send(output, format.end(of, sums));
  const summary = summaryOf(of, sums);
  if (format) wiring.note(summary);
  else wiring.print({ text: summary, json: {} });
  return sums.subscriptions.stays > 0 ? HELD : 0;
}

export const importStripeAssess: Command = {
  usage: "import stripe assess [--format text|csv|json] [--organization ID|NAME]",
  summary:
    "reports which subscriptions of a Stripe account can move to Billow; changes no data; reads a key from stdin",
  details: `Reads all Customers and subscriptions of the account, with a key that only reads. Changes no data here or
at Stripe, so the command can run at any time, and again.

--format text   the sums (default)
--format csv    one line for each subscription on stdout, the sums on stderr
--format json   one object on stdout: the subscriptions, then the sums; --json is the same
--organization  the Organization to which the subscriptions would move

Example: node bin/billow.mjs import stripe assess --format csv < key.txt > assessment.csv

Exit codes: 0: each subscription can move. 3: some stay, with their reasons in the report. 1: the key does not fit,
Stripe can't be reached, or the disk is full; a file that was begun is not complete. 2: a wrong call.`,
  options: { format: { type: "string" }, organization: { type: "string" } },
  async run(wiring, values) {
    const format = FORMATS[formatName(values)]();
    return withImport(wiring, values, "No change was made.", (ctx, organization) =>
      report(wiring, ctx, organization, format),
    );
  },
};
