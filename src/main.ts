import { inspect } from "node:util";
import { catchUp } from "./cli/catch-up.ts";
import { clockAdvance, clockStop } from "./cli/clock.ts";
import { CommandError, parseCommand, UsageError, type Command, type Output, type Wiring } from "./cli/command.ts";
import { exam } from "./cli/exam.ts";
import { keysCreate, keysList, keysRevoke, keysRotate } from "./cli/keys.ts";
import { listen } from "./cli/listen.ts";
import { migrate } from "./cli/migrate.ts";
import { orgCreate, orgList } from "./cli/org.ts";
import { seed } from "./cli/seed.ts";
import { serve } from "./cli/serve.ts";
import { start } from "./cli/start.ts";
import { trigger } from "./cli/trigger.ts";
import { taxIds } from "./cli/tax-ids.ts";
import { verify } from "./cli/verify.ts";
import { worker } from "./cli/worker.ts";
import { ConfigError, readConfig, readEnvironment, readWebhookSecret } from "./config.ts";
import { createContext } from "./context.ts";
import { AppError, isUnavailable } from "./errors.ts";
import { startServer } from "./http/server.ts";
import { PostgresUnusable } from "./postgres/embedded.ts";
import { sqlState } from "./store/failures.ts";
import { MigrationError } from "./store/migrate.ts";
import { createWebApp } from "./web/app.ts";
import { startWorker } from "./worker/worker.ts";

const COMMANDS: Record<string, Command> = {
  start,
  serve,
  worker,
  migrate,
  seed,
  "org create": orgCreate,
  "org list": orgList,
  "keys create": keysCreate,
  "keys list": keysList,
  "keys rotate": keysRotate,
  "keys revoke": keysRevoke,
  "clock advance": clockAdvance,
  "clock stop": clockStop,
  listen,
  trigger,
  exam,
  "catch-up": catchUp,
  "tax-ids": taxIds,
  verify,
};

const HELP = `billow <command> [--json] [--help]

${Object.values(COMMANDS)
  .map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  .join("\n")}

Settings come from the environment and .env; .env.example names them all. --json prints one JSON object instead of text;
of listen, one a line.
`;

function wire(json: boolean): Wiring {
  return {
    readConfig: (overrides = {}) => readConfig({ ...readEnvironment(), ...overrides }),
    openContext: createContext,
    startServer: ({ requests }) => startServer(requests, { web: createWebApp(requests) }),
    startWorker: (ctx) => startWorker(ctx, ctx.deliveries),
    webhookSecret: () => readWebhookSecret(readEnvironment()),
    print: (output: Output) =>
      void process.stdout.write(`${json ? JSON.stringify(output.json) : output.text.trimEnd()}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** The command named by the first one or two words, and the remaining arguments. */
function findCommand(args: string[]): [command: Command, rest: string[]] {
  for (const words of [2, 1]) {
    const command = COMMANDS[args.slice(0, words).join(" ")];
    if (command) return [command, args.slice(words)];
  }
  const near = Object.values(COMMANDS).filter(({ usage }) => usage.startsWith(`${args[0]} `));
  const called = args.slice(0, near.length > 0 ? 2 : 1).join(" ");
  const fault = args[0] === undefined ? "No command." : `There is no command ${JSON.stringify(called)}.`;
  const usage = near.map((command) => `billow ${command.usage}`).join(" | ");
  throw new UsageError(`${fault} ${usage === "" ? "See billow --help." : `Usage: ${usage}`}`);
}

/** One line about a fault that an operator can mend; null for a fault of Billow. */
function explain(error: unknown): string | null {
  const isOutage = isUnavailable(error) && error.cause !== undefined;
  if (isOutage) return `The database can't be reached: ${reasonOf(error.cause)}.`;
  const known = [AppError, CommandError, ConfigError, MigrationError, PostgresUnusable].some(
    (kind) => error instanceof kind,
  );
  if (known) return (error as Error).message;
  return sqlState(error) === null ? null : `The database refuses: ${reasonOf(error)}.`;
}

/** The reason without its full stop. A refused connection to several addresses has its reasons one level deeper. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message.replace(/\.$/, "") : String(first);
}

/**
 * The exit code. 0: done; 1, or the command's own code: failed; 2: wrong call; 3: something waits for an operator.
 */
async function main(args: string[]): Promise<number> {
  if (["--help", "-h", "help"].includes(args[0] ?? "")) {
    process.stdout.write(HELP);
    return 0;
  }
  let usage = "";
  let failure = 1;
  try {
    const [command, rest] = findCommand(args);
    usage = ` Usage: billow ${command.usage} [--json]`;
    failure = command.failure ?? failure;
    const { values, words } = parseCommand(command, rest);
    if (values["help"] === true) process.stdout.write(`billow ${command.usage} [--json]\n    ${command.summary}\n`);
    else return (await command.run(wire(values["json"] === true), values, words)) ?? 0;
    return 0;
  } catch (error) {
    const wrongCall = error instanceof UsageError;
    const line = wrongCall ? error.message + usage : explain(error);
    process.stderr.write(line === null ? `${inspect(error)}\n` : `billow: ${line.replace(/\s*\n\s*/g, " ")}\n`);
    return wrongCall ? 2 : failure;
  }
}

process.exit(await main(process.argv.slice(2)));
