import cluster from "node:cluster";
import type { Readable, Writable } from "node:stream";
import { inspect } from "node:util";
import {
  CommandError,
  parseCommand,
  UsageError,
  type Command,
  type Output,
  type Stop,
  type Wiring,
} from "./cli/command.ts";
import { helpOf, listOf, overview } from "./cli/help.ts";
import { unreachable } from "./actions/connection-failure.ts";
import { ConfigError, readConfig, readWebhookSecret, type Environment } from "./config.ts";
import type { OpenContext } from "./context.ts";
import { Refusal } from "./domain/refusal.ts";
import { AppError, isUnavailable, reasonOf } from "./errors.ts";
import { presentRefusal } from "./resources/refusal.ts";
import { hasDatabase, PostgresUnusable } from "./embedded-postgres/embedded.ts";
import { sqlState } from "./store/driver/failures.ts";
import { MigrationError } from "./store/migrate.ts";
import { ServerError } from "./store/driver/server.ts";
import { didYouMean, nearest } from "./suggestion.ts";
import { hasTracer, useTracer } from "./tracing/tracing.ts";
import { unknownSettings } from "./unknown-settings.ts";
import { VERSION } from "./version.ts";

/** The process of a command: environment, streams and signals. A test gives its own. */
export type ProcessParts = {
  /** The variables, those of `.env` included. @throws ConfigError */
  environment(): Environment;
  /** All of stdin, up to some 64 KiB. A person at a terminal is shown the prompt. */
  input(prompt: string): Promise<string>;
  /** stdin and stdout as streams of bytes. */
  source(): Readable;
  output(): Writable;
  listenForStop(): Stop;
  print(text: string): void;
  printError(text: string): void;
};

// A process loads only the modules of its own command. All modules together take 0.3 s of a processor.
const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => (await import("./cli/start.ts")).start,
  serve: async () => (await import("./cli/serve.ts")).serve,
  worker: async () => (await import("./cli/worker.ts")).worker,
  migrate: async () => (await import("./cli/migrate.ts")).migrate,
  seed: async () => (await import("./cli/seed.ts")).seed,
  "org create": async () => (await import("./cli/org.ts")).orgCreate,
  "org list": async () => (await import("./cli/org.ts")).orgList,
  "keys create": async () => (await import("./cli/keys.ts")).keysCreate,
  "keys list": async () => (await import("./cli/keys.ts")).keysList,
  "keys rotate": async () => (await import("./cli/keys.ts")).keysRotate,
  "keys revoke": async () => (await import("./cli/keys.ts")).keysRevoke,
  "team set-up": async () => (await import("./cli/team.ts")).teamSetUp,
  "team password": async () => (await import("./cli/team.ts")).teamPassword,
  "team invite": async () => (await import("./cli/team.ts")).teamInvite,
  "catalogue push": async () => (await import("./cli/catalogue.ts")).cataloguePush,
  "catalogue pull": async () => (await import("./cli/catalogue.ts")).cataloguePull,
  "catalogue schema": async () => (await import("./cli/catalogue.ts")).catalogueSchema,
  types: async () => (await import("./cli/types.ts")).types,
  "clock advance": async () => (await import("./cli/clock.ts")).clockAdvance,
  "clock stop": async () => (await import("./cli/clock.ts")).clockStop,
  listen: async () => (await import("./cli/listen.ts")).listen,
  trigger: async () => (await import("./cli/trigger.ts")).trigger,
  exam: async () => (await import("./cli/exam.ts")).exam,
  "payments connect": async () => (await import("./cli/payments.ts")).paymentsConnect,
  "payments status": async () => (await import("./cli/payments.ts")).paymentsStatus,
  "payments disconnect": async () => (await import("./cli/payments.ts")).paymentsDisconnect,
  "catch-up": async () => (await import("./cli/catch-up.ts")).catchUp,
  doctor: async () => (await import("./cli/doctor.ts")).doctor,
  "tax-ids": async () => (await import("./cli/tax-ids.ts")).taxIds,
  "secret rotate": async () => (await import("./cli/secret.ts")).secretRotate,
  verify: async () => (await import("./cli/verify.ts")).verify,
  backup: async () => (await import("./cli/backup.ts")).backup,
  restore: async () => (await import("./cli/restore.ts")).restore,
  export: async () => (await import("./cli/export.ts")).exportCommand,
  distribute: async () => (await import("./cli/distribute.ts")).distribute,
  "import csv template": async () => (await import("./cli/import/csv.ts")).importCsvTemplate,
  "import csv": async () => (await import("./cli/import/csv.ts")).importCsvCommand,
  "import stripe assess": async () => (await import("./cli/import/assess.ts")).importStripeAssess,
  "import stripe import": async () => (await import("./cli/import/load.ts")).importStripeImport,
  "import stripe cut-over": async () => (await import("./cli/import/cut-over.ts")).importStripeCutOver,
  "import stripe finish": async () => (await import("./cli/import/cut-over.ts")).importStripeFinish,
  "import stripe undo": async () => (await import("./cli/import/cut-over.ts")).importStripeUndo,
  adopt: async () => (await import("./cli/adopt.ts")).adopt,
};

/** The commands whose names begin with these words; without words, all commands. */
export function loadCommands(words: readonly string[] = []): Promise<Command[]> {
  const named = Object.entries(COMMANDS).filter(([name]) => words.every((word, n) => name.split(" ")[n] === word));
  return Promise.all(named.map(([, load]) => load()));
}

const HELP = ["--help", "-h"];

/**
 * The help that the arguments ask for, or null: of all commands, of the commands of a word such as `keys`, or of the
 * command after `help`. A command with `--help` behind it answers by itself.
 * @throws UsageError for the help of an unknown command
 */
async function helpFor(args: string[]): Promise<string | null> {
  const isFirst = [...HELP, "help"].includes(args[0] ?? "help");
  const words = isFirst ? args.slice(1) : args.filter((word) => !HELP.includes(word));
  if (!isFirst && words.length === args.length) return null;
  if (words.length === 0) return overview(await loadCommands(), typed);
  const members = await loadCommands(words);
  if (members.length > 0 && !COMMANDS[words.join(" ")]) return listOf(members, typed);
  return isFirst ? helpOf((await findCommand(words))[0], typed) : null;
}

/** A command line as a person types it in Billow's folder. */
const typed = (words: string) => `node bin/billow.mjs ${words}`;

/** Prints an error or a warning as one line on stderr. */
const printLine = ({ printError }: ProcessParts, line: string) =>
  printError(`billow: ${line.replace(/\s*\n\s*/g, " ")}\n`);

/** Warns once of variables that look like settings. The primary of a cluster warns for its children. */
function warnOfUnknownSettings(parts: ProcessParts): void {
  const warning = cluster.isPrimary ? unknownSettings(parts.environment()) : null;
  if (warning !== null) printLine(parts, warning);
}

/**
 * Begins to send traces, if a receiver is set. The library is loaded only then. A server and the worker in it share the
 * tracer.
 */
async function trace({ config: { traces }, log }: OpenContext): Promise<void> {
  if (traces === null) return;
  const { openTracer } = await import("./tracing/otlp.ts");
  if (!hasTracer()) useTracer(openTracer(traces, log));
}

function wire(
  { environment, input, source, output, listenForStop, print, printError }: ProcessParts,
  json: boolean,
): Wiring {
  return {
    readConfig: (overrides = {}) => readConfig({ ...environment(), ...overrides }),
    openContext: async (config, duty) => (await import("./context.ts")).createContext(config, {}, duty),
    hasEmbeddedDatabase: ({ dataDir }) => hasDatabase(dataDir),
    async loadServer() {
      const [{ startServer }, { createWebApp }] = await Promise.all([
        import("./http/server.ts"),
        import("./web/app.ts"),
      ]);
      return async (ctx) => {
        await trace(ctx);
        return startServer(ctx.requests, { web: createWebApp(ctx.requests) });
      };
    },
    async startWorker(ctx) {
      await trace(ctx);
      return (await import("./worker/worker.ts")).startWorker(ctx, ctx.deliveries);
    },
    readInput: input,
    listenForStop,
    webhookSecret: () => readWebhookSecret(environment()),
    source,
    output,
    print: (result: Output) => print(`${json ? JSON.stringify(result.json) : result.text.trimEnd()}\n`),
    note: (line) => printError(`${line}\n`),
  };
}

/** The command named by the first words, three at most, and the remaining arguments. */
async function findCommand(args: string[]): Promise<[command: Command, rest: string[]]> {
  for (const words of [3, 2, 1]) {
    const load = COMMANDS[args.slice(0, words).join(" ")];
    if (load) return [await load(), args.slice(words)];
  }
  const [first = ""] = args;
  const group = Object.entries(COMMANDS).filter(([name]) => name.startsWith(`${first} `));
  const called = args.slice(0, group.length > 0 ? 2 : 1).join(" ");
  const near = [args.slice(0, 2).join(" "), first].map((words) => nearest(words, Object.keys(COMMANDS)));
  const question = didYouMean(near.find((names) => names.length > 0) ?? []);
  const loaded = await Promise.all(group.map(([, load]) => load()));
  const usages = loaded.map((command) => typed(command.usage));
  const advice = usages.length > 0 ? `Usage: ${usages.join(" | ")}` : `See ${typed("--help")}.`;
  throw new UsageError(`There is no command ${JSON.stringify(called)}.${question} ${advice}`);
}

/** One line about a fault that an operator can mend; null for a fault of Billow. */
function explain({ environment }: ProcessParts, error: unknown): string | null {
  const isOutage = isUnavailable(error) && error.cause !== undefined;
  if (isOutage) return unreachable(readConfig(environment()).database, error.cause);
  const known = [AppError, CommandError, ConfigError, MigrationError, PostgresUnusable, ServerError].some(
    (kind) => error instanceof kind,
  );
  if (known) return (error as Error).message;
  if (error instanceof Refusal) return presentRefusal(error).message;
  return sqlState(error) === null ? null : `The database refuses: ${reasonOf(error)}.`;
}

/**
 * The exit code. 0: done; 1, or the command's own code: failed; 2: wrong call; 3: something waits for an operator.
 */
export async function runCommandLine(args: string[], parts: ProcessParts): Promise<number> {
  const { print, printError } = parts;
  if (args[0] === "--version") {
    print(`${VERSION}\n`);
    return 0;
  }
  let usage = "";
  let failure = 1;
  try {
    const help = await helpFor(args);
    if (help !== null) {
      print(help);
      return args.length === 0 ? 2 : 0;
    }
    const [command, rest] = await findCommand(args);
    usage = ` Usage: ${typed(command.usage)} [--json]`;
    failure = command.failure ?? failure;
    const { values, words } = parseCommand(command, rest);
    if (values["help"] === true) print(helpOf(command, typed));
    else {
      warnOfUnknownSettings(parts);
      return (await command.run(wire(parts, values["json"] === true), values, words)) ?? 0;
    }
    return 0;
  } catch (error) {
    const wrongCall = error instanceof UsageError;
    const line = wrongCall ? error.message + usage : explain(parts, error);
    if (line === null) printError(`${inspect(error)}\n`);
    else printLine(parts, line);
    if (wrongCall) return 2;
    return (error instanceof CommandError ? error.exit : undefined) ?? failure;
  }
}
