import type { Writable } from "node:stream";
import { otherAccount } from "../../actions/import/assess.ts";
import { explained } from "../../archive/backup-error.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { ReadError, type AccountReader } from "../../payments/account-reader.ts";
import type { Connectable } from "../../payments/connectable-provider.ts";
import { asCommand } from "../backup.ts";
import { CommandError, oneOf, optional, UsageError, type Values, type Wiring } from "../command.ts";
import { findOrganization, openExisting, requireMigrated } from "../database.ts";

/** The commands `import stripe` read the own billing of this provider. */
export const PROVIDER = "stripe";
/** Asks for the key of the steps that only read. */
export const READ_PROMPT = "Paste a key of Stripe that reads, then press Enter and Ctrl-D.";
/** A line about progress follows so many Customers: ten pages of Stripe. */
export const PROGRESS = 1000;

const WRONG_MODES: Record<Organization["mode"], string> = {
  live: "This is a test key, and a live Organization takes only live keys.",
  sandbox: "This is a live key, and a sandbox takes only test keys.",
};

export const connectableOf = (ctx: Context): Connectable => ctx.payments.connectables.get(PROVIDER)!;

/**
 * The key on stdin. The key is never an argument, because other users of the machine can see arguments. `prompt`: for a
 * person at a terminal. @throws CommandError for a text that is no key, or a key of the other mode
 */
export async function readKey(
  { readInput }: Wiring,
  { modeOf, keyBeginnings }: Connectable,
  { mode }: Organization,
  prompt: string,
): Promise<string> {
  const key = (await readInput(prompt)).trim();
  if (key === "") throw new CommandError("There was no key on stdin. Add < key.txt to the command.");
  const [wanted, given] = [mode === "live" ? "live" : "test", modeOf(key)] as const;
  if (given === null)
    throw new CommandError(
      `The text on stdin is no key of Stripe. A restricted key begins with ${keyBeginnings[wanted]}.`,
    );
  if (given !== wanted) throw new CommandError(WRONG_MODES[mode]);
  return key;
}

/** The account of a key. @throws CommandError for a key of another account or without a permission, ReadError */
export async function openSource(
  wiring: Wiring,
  ctx: Context,
  organization: Organization,
  reader: AccountReader,
  options: Parameters<AccountReader["open"]>[0] = {},
) {
  const source = await reader.open(options);
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
    wiring.note(
      "Warning: this key may do everything at Stripe. Make a restricted key with the permissions of the guide.",
    );
  return source;
}

/** Waits until the text is written: the reader of the output may be slower than Stripe. @throws BackupError */
export async function send(output: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => (error ? reject(explained("stdout", error)) : resolve()));
  });
}

const FORMATS = ["text", "csv", "json"] as const;
export type FormatName = (typeof FORMATS)[number];

/** The value of `--format`; `--json` is `--format json`. @throws UsageError */
export function formatName(values: Values): FormatName {
  const name = optional(values, "format");
  const isJson = values["json"] === true;
  if (isJson && name !== undefined && name !== "json") throw new UsageError("--json is --format json.");
  return isJson ? "json" : oneOf("format", name ?? "text", FORMATS);
}

/**
 * Opens the database for an import to one Organization. `unfinished`: the sentence behind an error of the provider,
 * which says how far the command has come. @throws CommandError, UsageError
 */
export async function withImport(
  wiring: Wiring,
  values: Values,
  unfinished: string,
  work: (ctx: Context, organization: Organization) => Promise<number | void>,
): Promise<number | void> {
  const ctx = await openExisting(wiring);
  try {
    await requireMigrated(ctx);
    const organization = await findOrganization(ctx, values);
    return await asCommand(() => work(ctx, organization));
  } catch (error) {
    if (error instanceof ReadError) throw new CommandError(`${error.message}. ${unfinished}`, { cause: error });
    throw error;
  } finally {
    await ctx.close();
  }
}
