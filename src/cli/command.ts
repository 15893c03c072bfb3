import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Config } from "../config.ts";
import type { OpenContext } from "../context.ts";

/** A wrong call: `message` says what is wrong with it. Exit code 2. */
export class UsageError extends Error {}
/** What stops a command, as one line for the operator. Exit code 1, or the command's `failure`. */
export class CommandError extends Error {}
/** The exit code of a command that was carried out, and found what waits for an operator. */
export const HELD = 3;

/** What a command says when it is done: to people, and as the one JSON object that `--json` prints. */
export type Output = { text: string; json: object };

/** What `main` wires together, so that no command knows how a server or a database comes to be. */
export type Wiring = {
  /** The environment, `.env` included, with some variables set otherwise. @throws ConfigError */
  readConfig(overrides?: Record<string, string>): Config;
  openContext(config: Config): Promise<OpenContext>;
  startServer(ctx: OpenContext): Promise<{ close(): Promise<void> }>;
  startWorker(ctx: OpenContext): { stop(): Promise<void> };
  /** The environment's `BILLOW_WEBHOOK_SECRET`, or null. */
  webhookSecret(): string | null;
  print(output: Output): void;
  /** A line about what goes on, for people: not a part of the output. */
  note(line: string): void;
};

export type Options = NonNullable<ParseArgsConfig["options"]>;
/** The options that were given, by name; of one that takes no value, `true`. */
export type Values = Record<string, string | boolean | undefined>;

export type Command = {
  /** What follows `billow` on the command line. */
  usage: string;
  summary: string;
  options: Options;
  /** How many words follow the command's name; 0 unless given. */
  words?: number;
  /** The exit code when it can't be done; 1 unless given. */
  failure?: number;
  /** Answers the exit code; 0 when it says nothing. */
  run(wiring: Wiring, values: Values, words: string[]): Promise<number | void>;
};

/** Every command takes these two. */
const COMMON: Options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } };

/** @throws UsageError for unknown options, missing values and words too many or too few. */
export function parseCommand(command: Command, args: string[]): { values: Values; words: string[] } {
  const { values, positionals } = parse({ args, options: { ...command.options, ...COMMON }, allowPositionals: true });
  const wanted = command.words ?? 0;
  if (values["help"] !== true && positionals.length > wanted) throw new UsageError(`Unexpected ${JSON.stringify(positionals[wanted])}.`);
  if (values["help"] !== true && positionals.length < wanted) throw new UsageError("Something is missing.");
  return { values, words: positionals };
}

function parse(config: ParseArgsConfig): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs(config);
    return { values: values as Values, positionals };
  } catch (error) {
    // Node goes on to explain how to pass what looks like an option as a value.
    throw new UsageError(`${(error as Error).message.split(/\. |\n/)[0]!.replace(/\.$/, "")}.`);
  }
}

/** @throws UsageError when it was left out. */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== "string") throw new UsageError(`--${name} is missing.`);
  return value;
}

/** The value of an option that may be left out. */
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

/** `text`, which is where to post to. `name` is what the caller knows it by. @throws UsageError */
export function httpUrl(name: string, text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return text;
  throw new UsageError(`${name} must be a URL such as http://localhost:3000/hook.`);
}

type Schema<Result> = { safeParse(input: unknown): { success: true; data: Result } | { success: false; error: { issues: Problem[] } } };
type Problem = { path: PropertyKey[]; message: string };

/** Options as the resource's schema takes them, which also says what is wrong with them. @throws UsageError */
export function parseOptions<Result>(schema: Schema<Result>, input: unknown): Result {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [Problem];
  const option = String(path[0] ?? "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(option === "" ? message : `--${option}: ${message}`);
}
