import { prepareCatalogue, readUsedPrices } from "../../actions/import/catalogue.ts";
import type { ExternalIdRule } from "../../actions/import/customer-fields.ts";
import { loadAccount } from "../../actions/import/load-account.ts";
import { beginReport } from "../../actions/import/report-run.ts";
import type { Context } from "../../context.ts";
import { realNow } from "../../clock.ts";
import { instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { AccountReader } from "../../payments/account-reader.ts";
import { presentRefusal } from "../../resources/refusal.ts";
import { connectionsOf } from "../../store/provider-connections.ts";
import { noteCommand } from "../command-audit.ts";
import {
  CommandError,
  HELD,
  optional,
  ORGANIZATION,
  required,
  UsageError,
  type Command,
  type Values,
  type Wiring,
} from "../command.ts";
import { requireReady } from "../database.ts";
import {
  countRow,
  csvFormat,
  isWaiting,
  jsonFormat,
  loadSummary,
  loadSumsOf,
  newLoadSums,
  type LoadFormat,
} from "./load-report.ts";
import { readMapping, refuseFaults, refuseProducts, type MappingFile } from "./mapping-file.ts";
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

const FORMATS: Record<FormatName, () => LoadFormat | null> = { text: () => null, csv: csvFormat, json: jsonFormat };

type Wanted = { format: LoadFormat | null; file: MappingFile; externalId: ExternalIdRule };

const UNFINISHED = "Run the command again: it goes on where it has ended.";

/** The account at which the Organization takes its payments. @throws CommandError for none, or another one */
async function requireAccount(wiring: Wiring, ctx: Context, organization: Organization, reader: AccountReader) {
  const { account } = await openSource(wiring, ctx, organization, reader, { previews: true });
  const connected = await connectionsOf(ctx.db.read, organization.id, PROVIDER);
  if (connected.some((each) => each.providerAccount === account)) return account;
  throw new CommandError(
    `The Organization takes no payments at ${account} yet. Connect the account first: ` +
      "node bin/billow.mjs payments connect stripe.",
  );
}

/** Checks the mapping against the prices in use, and makes the missing Products. @throws CommandError */
async function catalogueOf(
  wiring: Wiring,
  ctx: Context,
  organization: Organization,
  reader: AccountReader,
  file: MappingFile,
) {
  const chargeable = (currency: string) => connectableOf(ctx).amounts(currency);
  const circumstances = { now: instant(realNow()), chargeable };
  const used = await readUsedPrices(reader, circumstances, progressOf(wiring, "for their prices"));
  try {
    const catalogue = await prepareCatalogue(ctx, organization.id, file.mapping, used);
    if (!("faults" in catalogue)) return { ...catalogue, circumstances };
    if (catalogue.faults.length > 0) refuseFaults(file, catalogue.faults);
    return refuseProducts(file, catalogue.refused);
  } catch (error) {
    if (error instanceof Refusal)
      throw new CommandError(`${file.file}: ${presentRefusal(error).message}`, { cause: error });
    throw error;
  }
}

const progressOf = (wiring: Wiring, purpose: string) => (read: number) =>
  void (read % PROGRESS === 0 && wiring.note(`${read} Customers read ${purpose}.`));

/** Imports, and writes the report row by row. Returns the exit code. */
async function load(wiring: Wiring, ctx: Context, organization: Organization, { format, file, externalId }: Wanted) {
  const connectable = connectableOf(ctx);
  const key = await readKey(wiring, connectable, organization, READ_PROMPT);
  const reader = connectable.reader!(key);
  const account = await requireAccount(wiring, ctx, organization, reader);
  if (account !== file.mapping.account)
    throw new CommandError(
      `${file.file} maps the prices of ${file.mapping.account}, and the key belongs to ${account}.`,
    );
  const { products, made, circumstances } = await catalogueOf(wiring, ctx, organization, reader, file);
  const organizationId = organization.id;
  await noteCommand(ctx, organizationId, "importStripe");
  const run = await beginReport(ctx, { organizationId, source: PROVIDER, account }, "import");
  const of = { account, mode: connectable.modeOf(key)!, readAt: run.startedAt, productsMade: made };
  // The writing of a text tells of its error, so the stream need not.
  const output = wiring.output().once("error", () => undefined);
  if (format) await send(output, format.beginning);
  const sums = newLoadSums();
  const from = { organizationId, connectable, account, externalId, reader, circumstances, products, run };
  await loadAccount(ctx, from, {
    async row(row) {
      countRow(sums, row);
      if (format) await send(output, format.row(row));
    },
    customer: progressOf(wiring, "and imported"),
  });
  await run.finish(loadSumsOf(of, sums), true);
  if (format) await send(output, format.end(of, sums));
  const summary = loadSummary(of, sums);
  if (format) wiring.note(summary);
  else wiring.print({ text: summary, json: {} });
  return isWaiting(sums) ? HELD : 0;
}

/** `metadata.KEY`; without the option, the id at the provider. @throws UsageError */
function externalIdOf(values: Values): ExternalIdRule {
  const given = optional(values, "external-id");
  if (given === undefined) return { metadataKey: null };
  const [, metadataKey] = /^metadata\.(.+)$/.exec(given) ?? [];
  if (metadataKey === undefined)
    throw new UsageError("--external-id must be metadata. and a key, such as metadata.user_id.");
  return { metadataKey };
}

export const importStripeImport: Command = {
  usage:
    "import stripe import --mapping FILE [--external-id metadata.KEY] [--format text|csv|json] " +
    "[--organization ID|NAME]",
  summary:
    "makes Products, Customers and held Subscriptions from a Stripe account, which bills on; reads a key from stdin",
  group: "Data and imports",
  details: `Makes the Products of the mapping, and for each subscription that can move its Customer with cards and
discount, and the Subscription. This Subscription is held: it gives access, and Stripe goes on to bill until the
cut-over. No e-mail is sent, and no object at Stripe changes. The total of each next invoice is compared with Stripe's
preview. The command can run again at any time: it brings held Subscriptions in line, and goes on after a crash.`,
  options: {
    mapping: {
      type: "string",
      value: "FILE",
      says: "the file that import stripe assess --mapping has written, with your edits",
    },
    "external-id": {
      type: "string",
      value: "metadata.KEY",
      says:
        "the key of Stripe's metadata that has your own id of a buyer, for the externalId of " +
        "new Customers (default, also for Customers without the key: Stripe's id, cus_…)",
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
  example: "import stripe import --mapping mapping.json < key.txt",
  exits: {
    0: "each subscription is held or moved, with the same totals",
    1: "the key or the mapping does not fit, or Stripe can't be reached; the work until then is kept",
    3: "some subscriptions stay, or have another total",
  },
  async run(wiring, values) {
    const format = FORMATS[formatName(values)]();
    const name = required(values, "mapping");
    if (name === "") throw new UsageError("--mapping is empty.");
    const externalId = externalIdOf(values);
    return withImport(wiring, values, UNFINISHED, async (ctx, organization) => {
      await requireReady(ctx);
      return load(wiring, ctx, organization, { format, file: await readMapping(name), externalId });
    });
  },
};
