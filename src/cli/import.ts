import type { Writable } from "node:stream";
import { assess, otherAccount } from "../actions/import/assess.ts";
import { explained } from "../archive/backup-error.ts";
import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import { ReadError, type AccountReader } from "../payments/account-reader.ts";
import type { Connectable } from "../payments/connectable-provider.ts";
import { asCommand } from "./backup.ts";
import { CommandError, HELD, oneOf, optional, UsageError, type Command, type Values, type Wiring } from "./command.ts";
import { findOrganization, openExisting, requireMigrated } from "./database.ts";
import { csvFormat, jsonFormat, summaryOf, type Format, type ReportOf } from "./import-report.ts";

const PROVIDER = "stripe";
const PROMPT = "Paste a key of Stripe that reads, then press Enter and Ctrl-D.";
/** A line about progress follows so many Customers: ten pages of Stripe. */
const PROGRESS = 1000;

const FORMATS: Record<"text" | "csv" | "json", () => Format | null> = {
  text: () => null,
  csv: csvFormat,
  json: jsonFormat,
};

const WRONG_MODES: Record<Organization["mode"], string> = {
  live: "This is a test key, and a live Organization takes only live keys.",
  sandbox: "This is a live key, and a sandbox takes only test keys.",
};

/** The key is never an argument, because other users of the machine can see arguments. @throws CommandError */
async function readKey({ readInput }: Wiring, { modeOf, keyBeginnings }: Connectable, { mode }: Organization) {
  const key = (await readInput(PROMPT)).trim();
  if (key === "") throw new CommandError("There was no key on stdin. Add < key.txt to the command.");
  const [wanted, given] = [mode === "live" ? "live" : "test", modeOf(key)] as const;
  if (given === null)
    throw new CommandError(
      `The text on stdin is no key of Stripe. A key that only reads begins with ${keyBeginnings[wanted]}.`,
    );
  if (given !== wanted) throw new CommandError(WRONG_MODES[mode]);
  return key;
}

/** @throws CommandError for a key that does not fit, ReadError */
async function openSource(wiring: Wiring, ctx: Context, organization: Organization, reader: AccountReader) {
  const source = await reader.open();
  const other = await otherAccount(ctx, organization, PROVIDER, source.account);
  if (other !== null)
    throw new CommandError(
      `The key belongs to ${source.account}, and this Organization takes its payments at ${other}. ` +
        "An import moves no cards, so both must be the same account.",
    );
  if (source.missing.length > 0)
    throw new CommandError(
      `The key lacks permissions: ${source.missing.join("; ")}. Add them in the provider's dashboard.`,
    );
  if (source.isFull)
    wiring.note("Warning: this key may do everything at Stripe. Make a restricted key that only reads.");
  return source;
}

/** Waits until the text is written: the reader of the output may be slower than Stripe. @throws BackupError */
async function send(output: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => (error ? reject(explained("stdout", error)) : resolve()));
  });
}

/** Writes the report, row by row. Returns the exit code. */
async function report(wiring: Wiring, ctx: Context, organization: Organization, format: Format | null) {
  const connectable = ctx.payments.connectables.get(PROVIDER)!;
  const key = await readKey(wiring, connectable, organization);
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

function formatOf(values: Values): Format | null {
  const name = optional(values, "format");
  const isJson = values["json"] === true;
  if (isJson && name !== undefined && name !== "json") throw new UsageError("--json is --format json.");
  return FORMATS[isJson ? "json" : oneOf("format", name ?? "text", ["text", "csv", "json"])]();
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
    const format = formatOf(values);
    const ctx = await openExisting(wiring);
    try {
      await requireMigrated(ctx);
      const organization = await findOrganization(ctx, values);
      return await asCommand(() => report(wiring, ctx, organization, format));
    } catch (error) {
      if (error instanceof ReadError) throw new CommandError(`${error.message}. No change was made.`, { cause: error });
      throw error;
    } finally {
      await ctx.close();
    }
  },
};
