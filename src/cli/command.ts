import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import type * as z from "zod";
import type { Config } from "../config.ts";
import type { OpenContext } from "../context.ts";
import { parse as parseFields } from "../resources/faults.ts";
import { isHttpUrl } from "../resources/fields.ts";
import type { Duty } from "../store/driver/limits.ts";
import { didYouMean, nearest } from "../suggestion.ts";

/** A mistake in the command line; `message` explains the mistake. Exit code 2. */
export class UsageError extends Error {}
/** An error that stops a command, as one line for the operator. `exit`: the exit code, unless the command's usual one. */
export class CommandError extends Error {
  readonly exit: number | undefined;

  constructor(message: string, options?: ErrorOptions & { exit?: number }) {
    super(message, options);
    this.exit = options?.exit;
  }
}
/** The exit code of a command that succeeded and found items that wait for an operator. */
export const HELD = 3;
/** The exit codes of every command. A command may give one a narrower meaning, and may have 3. */
export const EXITS = { 0: "done", 1: "failed; a line on stderr states the reason", 2: "a wrong call" } as const;

/** The groups of the list of commands, in its order. */
export const GROUPS = [
  "Run",
  "Organizations, keys and people",
  "Sell and test",
  "Payments",
  "Check and repair",
  "Data and imports",
] as const;

/** The output of a finished command: text for people, and the one JSON object that `--json` prints. */
export type Output = { text: string; json: object };

/**
 * After the first signal (`once`), work that has begun is finished. After the second signal (`again`), only the
 * database is closed in order. A third signal ends the process at once.
 */
export type Stop = { once: Promise<void>; again: Promise<void> };

/** The parts that `main` wires together, so that no command knows how a server or a database is made. */
export type Wiring = {
  /** The environment, `.env` included, with `overrides` in place of some variables. @throws ConfigError */
  readConfig(overrides?: Record<string, string>): Config;
  /**
   * Opens the database for a process that does this.
   * @throws PostgresUnusable, ConfigError for fewer connections than the process needs
   */
  openContext(config: Config, duty: Duty): Promise<OpenContext>;
  /** Whether the data directory has an embedded database. */
  hasEmbeddedDatabase(config: Config): boolean;
  /**
   * Loads the server's modules and answers the function that starts the server. With the modules loaded, the server
   * listens at once on its reserved port.
   */
  loadServer(): Promise<(ctx: OpenContext) => Promise<{ close(): Promise<void> }>>;
  startWorker(ctx: OpenContext): Promise<{ stop(): Promise<void> }>;
  /** Listens for the signals that end a process, from now on. */
  listenForStop(): Stop;
  /** The environment's `BILLOW_WEBHOOK_SECRET`, or null. */
  webhookSecret(): string | null;
  /**
   * The text on stdin, up to its end. Secrets come this way, because a process list shows arguments. `prompt`: for a
   * person at a terminal.
   */
  readInput(prompt: string): Promise<string>;
  /** stdin and stdout as streams of bytes. */
  source(): Readable;
  output(): Writable;
  print(output: Output): void;
  /** Prints a line about progress for people. The line is not a part of the output. */
  note(line: string): void;
};

/** An option for the parser and for `--help`. `value`: the word for the value in the usage. */
export type Option = ({ type: "string"; value: string } | { type: "boolean"; short?: string }) & { says: string };
export type Options = Record<string, Option>;
/** The given options by name. An option without a value is `true`. */
export type Values = Record<string, string | boolean | undefined>;

export type Command = {
  /** The command line after `billow`. */
  usage: string;
  summary: string;
  group: (typeof GROUPS)[number];
  /** Sentences for the command's own `--help`, beside the summary. */
  details?: string;
  options: Options;
  /** A right call, as the command line after `billow`. */
  example: string;
  /** Exit codes with a meaning of their own, beside those of `EXITS`. */
  exits?: Partial<Record<0 | 1 | 2 | typeof HELD, string>>;
  /** The number of words after the command's name, options excluded; 0 by default. */
  words?: number;
  /** The most words, if fewer may be given; by default as many as `words`. */
  mostWords?: number;
  /** The exit code if the command fails; 1 by default. */
  failure?: number;
  /** Returns the exit code; void stands for 0. */
  run(wiring: Wiring, values: Values, words: string[]): Promise<number | void>;
};

/** The two options that every command has. */
export const COMMON: Options = {
  json: { type: "boolean", says: "prints one JSON object and no other text on stdout" },
  help: { type: "boolean", short: "h", says: "prints this help, as -h and `help` do" },
};
const BY_ID_OR_NAME = { type: "string", value: "ID|NAME" } as const;
/** The option of a command that needs one Organization. */
export const ORGANIZATION: Options = {
  organization: { ...BY_ID_OR_NAME, says: "the Organization; may be left out if there is only one" },
};
/** The option of a command that goes through all Organizations. */
export const EACH_ORGANIZATION: Options = {
  organization: { ...BY_ID_OR_NAME, says: "this Organization alone (default: all)" },
};
/** The option of a command for sandboxes. */
export const SANDBOX: Options = {
  organization: { ...BY_ID_OR_NAME, says: "the sandbox; may be left out if there is only one Organization" },
};

/** @throws UsageError for unknown options, missing values, and too many or too few words. */
export function parseCommand(command: Command, args: string[]): { values: Values; words: string[] } {
  const { values, positionals } = parse(args, { ...command.options, ...COMMON });
  const wanted = command.words ?? 0;
  const most = command.mostWords ?? wanted;
  if (values["help"] !== true && positionals.length > most)
    throw new UsageError(`Unexpected ${JSON.stringify(positionals[most])}.`);
  if (values["help"] !== true && positionals.length < wanted) throw new UsageError(missingWord(command));
  return { values, words: positionals };
}

/** Names the missing word as the usage does: `exam URL`. No command has two words. */
const missingWord = ({ usage }: Command) => `${/\b[A-Z][A-Z_]*\b/.exec(usage)?.[0] ?? "A word"} is missing.`;

function parse(args: string[], options: Options): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    // The rest of Node's message explains how to pass a value that looks like an option.
    const [says = ""] = (error as Error).message.split(/\. |\n/);
    const [, unknown] = /^Unknown option '--(.+?)'/.exec(says) ?? [];
    const near = unknown === undefined ? [] : nearest(unknown, Object.keys(options));
    throw new UsageError(`${says.replace(/\.$/, "")}.${didYouMean(near.map((name) => `--${name}`))}`);
  }
}

/** @throws UsageError if the option is missing. */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== "string") throw new UsageError(`--${name} is missing.`);
  return value;
}

/** The value of an optional option; undefined if the option is missing. */
export function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** @throws UsageError for anything but one of `choices`. */
export function oneOf<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`--${name} must be ${choices.join(" or ")}.`);
  return choice;
}

/**
 * Checks that `text` is an http or https URL. `name`: the name of the option or argument, for the message. @throws
 * UsageError
 */
export function httpUrl(name: string, text: string): string {
  if (isHttpUrl(text)) return text;
  throw new UsageError(`${name} must be a URL such as http://localhost:3000/hook.`);
}

/** Checks options against the resource's schema. The message names the option. @throws UsageError */
export function parseOptions<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { value, faults } = parseFields(schema, input, "body");
  if (faults === null) return value;
  const { pointer, message } = faults[0]!;
  const option = pointer.split("/")[1]?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? "";
  throw new UsageError(option === "" ? message : `--${option}: ${message}`);
}
