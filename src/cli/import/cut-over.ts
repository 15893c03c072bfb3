import { runCutOver, type CutOverRun } from "../../actions/import/run-cut-over.ts";
import { isCopy } from "../../actions/installation.ts";
import { pause, realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { CutOverGoal } from "../../domain/import/cut-over.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { WriteRefused, WriteUnanswered } from "../../payments/account-writer.ts";
import { noteCommand } from "../command-audit.ts";
import { CommandError, HELD, optional, UsageError, type Command, type Values, type Wiring } from "../command.ts";
import { csvCutOver, cutOverTally, jsonCutOver, textCutOver, type CutOverFormat } from "./cut-over-report.ts";
import { connectableOf, formatName, openSource, readKey, send, withImport, type FormatName } from "./source.ts";

const PROMPT = "Paste a key of Stripe that reads and writes subscriptions, then press Enter and Ctrl-D.";
const REPEAT = "Repeat the command: it goes on where it stopped.";
/** The most subscriptions that one command names. */
const MOST_WORDS = 1000;
/** A line about progress follows so many subscriptions. */
const PROGRESS = 100;

const FORMATS: Record<FormatName, () => CutOverFormat> = { text: textCutOver, csv: csvCutOver, json: jsonCutOver };

const OPERATIONS: Record<CutOverGoal, string> = {
  cut_over: "cutOverImports",
  finish: "finishImports",
  undo: "undoImport",
};

/** The subscriptions that one run takes, and the most that it moves; null: all. */
type Asked = { goal: CutOverGoal; refs: readonly string[]; limit: number | null; isAccepting: boolean };

function limitOf(values: Values): number | null {
  const text = optional(values, "limit");
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit must be a whole number from 1.");
  return Number(text);
}

/** @throws CommandError for a key that does not fit, ReadError, WriteRefused, WriteUnanswered */
async function openRun(wiring: Wiring, ctx: Context, organization: Organization, asked: Asked): Promise<CutOverRun> {
  if (await isCopy(ctx))
    throw new CommandError(
      "This database is a copy of an installation, so no subscription is stopped. See node bin/billow.mjs adopt.",
    );
  const connectable = connectableOf(ctx);
  const key = await readKey(wiring, connectable, organization, PROMPT);
  const reader = connectable.reader!(key);
  const { account } = await openSource(wiring, ctx, organization, reader);
  const writer = connectable.writer!(key);
  const { missing } = await writer.open();
  if (missing.length > 0)
    throw new CommandError(`The key lacks permissions: ${missing.join("; ")}. Add them in the provider's dashboard.`);
  const sleep = (milliseconds: number) => pause(milliseconds, new AbortController().signal);
  return { ...asked, ctx, organization, account, reader, writer, connectable, sleep };
}

/** Runs the steps and writes the report, row by row. Returns the exit code. */
async function run(wiring: Wiring, ctx: Context, organization: Organization, asked: Asked, format: CutOverFormat) {
  const cutOver = await openRun(wiring, ctx, organization, asked);
  // The writing of a text tells of its error, so the stream need not.
  const output = wiring.output().once("error", () => undefined);
  const tally = cutOverTally();
  // The entry comes first, so that a run that dies has one.
  await noteCommand(ctx, organization.id, OPERATIONS[asked.goal]);
  await send(output, format.beginning);
  const says = await runCutOver(cutOver, async (outcome) => {
    tally.add(outcome);
    await send(output, format.row(outcome));
    if (tally.count % PROGRESS === 0) wiring.note(`${tally.count} subscriptions done.`);
  });
  await send(output, format.end({ account: cutOver.account, endedAt: instant(realNow()), goal: asked.goal }, tally));
  if (says !== null) throw new CommandError(`${says}. ${REPEAT}`);
  return tally.outcomes.length === 0 ? 0 : HELD;
}

async function perform(wiring: Wiring, values: Values, asked: Asked): Promise<number | void> {
  const format = FORMATS[formatName(values)]();
  try {
    return await withImport(wiring, values, REPEAT, (ctx, organization) =>
      run(wiring, ctx, organization, asked, format),
    );
  } catch (error) {
    if (error instanceof WriteRefused || error instanceof WriteUnanswered)
      throw new CommandError(`${error.message}. ${REPEAT}`, { cause: error });
    throw error;
  }
}

const FORMAT_DETAILS = `--format text   the sums, and each subscription that did not go (default)
--format csv    one line for each subscription
--format json   one object: the subscriptions, then the sums; --json is the same
--organization  the Organization`;
const OPTIONS = { format: { type: "string" }, organization: { type: "string" } } as const;
const EXITS = `1: the key does not fit, Stripe
can't be reached, or the disk is full; a repetition goes on. 2: a wrong call.`;

export const importStripeCutOver: Command = {
  usage:
    "import stripe cut-over [SUBSCRIPTION…] [--limit N] [--accept] [--format text|csv|json] [--organization ID|NAME]",
  summary: "stops imported subscriptions at Stripe, and lets Billow charge them; reads a key from stdin",
  details: `Takes the named subscriptions (sub_…), or all imported ones. Reads each again, pauses it at Stripe, reads
that it is paused and that no invoice was made, moves the Customer's balance, and only then lets Billow charge. A
repetition goes on where a crash left off.

--limit N       moves N subscriptions at most
--accept        moves subscriptions whose next total differs between Stripe and Billow, too
${FORMAT_DETAILS}

Example: node bin/billow.mjs import stripe cut-over --limit 10 < key.txt

Exit codes: 0: each subscription was moved, or has ended. 3: some stay, with their reasons in the report. ${EXITS}`,
  options: { ...OPTIONS, limit: { type: "string" }, accept: { type: "boolean" } },
  mostWords: MOST_WORDS,
  run: (wiring, values, refs) =>
    perform(wiring, values, {
      goal: "cut_over",
      refs,
      limit: limitOf(values),
      isAccepting: values["accept"] === true,
    }),
};

export const importStripeFinish: Command = {
  usage: "import stripe finish [SUBSCRIPTION…] [--format text|csv|json] [--organization ID|NAME]",
  summary: "cancels at Stripe the moved subscriptions whose first renewal in Billow is paid; reads a key from stdin",
  details: `Takes the named subscriptions (sub_…), or all that were moved. Cancels at Stripe without an invoice and
without a credit. A cancellation at Stripe can't be undone.

${FORMAT_DETAILS}

Example: node bin/billow.mjs import stripe finish < key.txt

Exit codes: 0: each subscription is finished. 3: some wait for their first paid renewal here. ${EXITS}`,
  options: OPTIONS,
  mostWords: MOST_WORDS,
  run: (wiring, values, refs) => perform(wiring, values, { goal: "finish", refs, limit: null, isAccepting: false }),
};

export const importStripeUndo: Command = {
  usage: "import stripe undo SUBSCRIPTION [--format text|csv|json] [--organization ID|NAME]",
  summary: "gives a moved subscription back to Stripe, before its first invoice in Billow; reads a key from stdin",
  details: `Holds the Subscription here again, moves the balance back, and then resumes the subscription at Stripe.

${FORMAT_DETAILS}

Example: node bin/billow.mjs import stripe undo sub_1abc < key.txt

Exit codes: 0: Stripe charges the subscription. 3: it can't go back; the report has the reason. ${EXITS}`,
  options: OPTIONS,
  words: 1,
  run: (wiring, values, refs) => perform(wiring, values, { goal: "undo", refs, limit: null, isAccepting: false }),
};
