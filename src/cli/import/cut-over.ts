import { runCutOver, type CutOverRun } from "../../actions/import/run-cut-over.ts";
import { isCopy } from "../../actions/installation.ts";
import { pause, realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { CutOverGoal } from "../../domain/import/cut-over.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { WriteRefused, WriteUnanswered } from "../../payments/account-writer.ts";
import { noteCommand } from "../command-audit.ts";
import {
  CommandError,
  HELD,
  optional,
  ORGANIZATION,
  UsageError,
  type Command,
  type Options,
  type Values,
  type Wiring,
} from "../command.ts";
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

const OPTIONS: Options = {
  format: {
    type: "string",
    value: "text|csv|json",
    says:
      "text: the sums, and each subscription that did not go (default); csv: one line for " +
      "each subscription, with the sums on stderr; json: one object with the subscriptions, " +
      "then the sums, as --json",
  },
  ...ORGANIZATION,
};
const INTERRUPTED = "the key does not fit, Stripe can't be reached, or the disk is full; a repetition goes on";

export const importStripeCutOver: Command = {
  usage:
    "import stripe cut-over [SUBSCRIPTION…] [--limit N] [--accept] [--format text|csv|json] [--organization ID|NAME]",
  summary: "stops imported subscriptions at Stripe, and lets Billow charge them; reads a key from stdin",
  group: "Data and imports",
  details: `Takes the named subscriptions (sub_…), or all imported ones. Reads each again, pauses it at Stripe, reads
that it is paused and that no invoice was made, moves the Customer's balance, and only then lets Billow charge. A
repetition goes on where a crash left off.`,
  options: {
    limit: { type: "string", value: "N", says: "moves N subscriptions at most" },
    accept: { type: "boolean", says: "moves subscriptions whose next total differs between Stripe and Billow, too" },
    ...OPTIONS,
  },
  example: "import stripe cut-over --limit 10 < key.txt",
  exits: {
    0: "each subscription was moved, or has ended",
    1: INTERRUPTED,
    3: "some subscriptions stay, with their reasons in the report",
  },
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
  group: "Data and imports",
  details: `Takes the named subscriptions (sub_…), or all that were moved. Cancels at Stripe without an invoice and
without a credit. A cancellation at Stripe can't be undone.`,
  options: OPTIONS,
  example: "import stripe finish < key.txt",
  exits: {
    0: "each subscription is finished",
    1: INTERRUPTED,
    3: "some subscriptions wait for their first paid renewal here",
  },
  mostWords: MOST_WORDS,
  run: (wiring, values, refs) => perform(wiring, values, { goal: "finish", refs, limit: null, isAccepting: false }),
};

export const importStripeUndo: Command = {
  usage: "import stripe undo SUBSCRIPTION [--format text|csv|json] [--organization ID|NAME]",
  summary: "gives a moved subscription back to Stripe, before its first invoice in Billow; reads a key from stdin",
  group: "Data and imports",
  details: `Holds the Subscription here again, moves the balance back, and then resumes the subscription at Stripe.`,
  options: OPTIONS,
  example: "import stripe undo sub_1abc < key.txt",
  exits: {
    0: "Stripe charges the subscription",
    1: INTERRUPTED,
    3: "the subscription can't go back; the report has the reason",
  },
  words: 1,
  run: (wiring, values, refs) => perform(wiring, values, { goal: "undo", refs, limit: null, isAccepting: false }),
};
