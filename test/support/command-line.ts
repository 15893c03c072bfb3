import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { runCommandLine } from "../../src/command-line.ts";
import { readEnvironment } from "../../src/config.ts";
import type { Json } from "./app.ts";
import { makeInstalled } from "./installed.ts";
import { ROOT } from "./source.ts";
import { until } from "./until.ts";

/** A directory to run Billow in, with its own data directory, maybe an `.env`, and the processes started there. */
export type Workspace = {
  directory: string;
  /** Runs a command to its end, in this process. `input`: the text on stdin. */
  run(args: string[], environment?: Record<string, string>, input?: string): Promise<Finished>;
  /** Starts a command that keeps running, and returns once the command says that it is ready. */
  start(args: string[], environment?: Record<string, string>): Promise<Started>;
  /** Starts a command in a process of its own, and returns at once. `into`: the file that takes stdout. */
  begin(args: string[], environment?: Record<string, string>, input?: string, into?: string): Begun;
  /** Ends the running processes and removes the directory. */
  clear(): Promise<void>;
};
export type Finished = { code: number | null; stdout: string; stderr: string };
export type Begun = {
  /** Waits until stderr matches the pattern. */
  noted(pattern: RegExp): Promise<RegExpExecArray>;
  signal(signal: NodeJS.Signals): void;
  finished: Promise<Finished>;
};
export type Started = {
  /** The object that `--json` printed; null without `--json`. */
  output: Json;
  /** Waits until stdout matches the pattern. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits until stderr matches the pattern. */
  noted(pattern: RegExp): Promise<RegExpExecArray>;
  pid: number;
  signal(signal: NodeJS.Signals): void;
  finished: Promise<Finished>;
};

// Without the caller's own settings. The log is quiet, so that stderr holds only failures.
const ENVIRONMENT = { PATH: process.env["PATH"]!, HOME: tmpdir(), PORT: "0", LOG_LEVEL: "warn" };

/** Billow as a clone runs it. */
const CLONE = [process.execPath, join(ROOT, "bin/billow.mjs")];

function launch(
  { directory, program: [path, ...first] }: { directory: string; program: readonly string[] },
  args: string[],
  environment: Record<string, string>,
  input = "",
  into?: string,
) {
  const out = into === undefined ? "pipe" : openSync(into, "w");
  const child = spawn(path!, [...first, ...args], {
    cwd: directory,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ["pipe", out, "pipe"],
  });
  if (typeof out === "number") closeSync(out);
  child.stdin!.on("error", () => undefined).end(input);
  const written = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (written.stdout += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  const finished = once(child, "close").then(([code]) => ({ code: code as number | null, ...written }));
  return { child, finished, written };
}

const NEVER = new Promise<never>(() => undefined);

/** A process of its own takes 0.3 to 0.6 s of a processor, mostly for its modules, which this process has loaded. */
async function runHere(directory: string, args: string[], environment: Record<string, string>, input: string) {
  const written = { stdout: "", stderr: "" };
  const variables = { ...ENVIRONMENT, BILLOW_DATA_DIR: join(directory, ".billow"), ...environment };
  const code = await runCommandLine(args, {
    environment: () => readEnvironment(directory, variables),
    input: async () => input,
    source: () => Readable.from([input]),
    output: () =>
      new Writable({
        write(bytes: Buffer, _, done) {
          written.stdout += bytes.toString();
          done();
        },
      }),
    listenForStop: () => ({ once: NEVER, again: NEVER }),
    print: (text) => void (written.stdout += text),
    printError: (text) => void (written.stderr += text),
  });
  return { code, ...written };
}

type Launched = ReturnType<typeof launch>;

type Stream = "stdout" | "stderr";

async function printed(
  { child, finished, written }: Launched,
  pattern: RegExp,
  on: Stream = "stdout",
): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(written[on]);
    if (found) return found;
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${written.stderr}`);
    await Promise.race([once(child[on]!, "data"), finished]);
  }
}

/**
 * A killed process leaves PostgreSQL running. PostgreSQL removes its file with the process number when it has ended.
 */
async function stopPostgres(file: string): Promise<void> {
  if (!existsSync(file)) return;
  // SIGQUIT is an immediate shutdown, since the data directory is removed afterwards.
  process.kill(Number.parseInt(await readFile(file, "utf8")), "SIGQUIT");
  await until(() => !existsSync(file));
}

/** A workspace where Billow was started before, and which has no Organization yet. */
export async function createInstalledWorkspace(): Promise<Workspace> {
  const workspace = await createWorkspace();
  await makeInstalled(join(workspace.directory, ".billow"));
  return workspace;
}

/**
 * A workspace where the first start is yet to come.
 * @param program is started by `start` and `begin`, such as that of an installed package
 */
export async function createWorkspace(program: readonly string[] = CLONE): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), "billow-cli-"));
  // Under root, PostgreSQL runs as another user, which must be able to enter the directory.
  await chmod(directory, 0o755);
  const children = new Set<ChildProcess>();
  const track = (launched: Launched) => {
    children.add(launched.child);
    void launched.finished.then(() => children.delete(launched.child));
    return launched;
  };

  const workspace: Workspace = {
    directory,
    run: (args, environment = {}, input = "") => runHere(directory, args, environment, input),
    async start(args, environment = {}) {
      const launched = track(launch({ directory, program }, args, environment));
      const { child, finished } = launched;
      const [line] = await printed(launched, /^.*\n/);
      return {
        output: args.includes("--json") ? JSON.parse(line) : null,
        printed: (pattern) => printed(launched, pattern),
        noted: (pattern) => printed(launched, pattern, "stderr"),
        pid: child.pid!,
        finished,
        signal: (signal) => void child.kill(signal),
      };
    },
    begin(args, environment = {}, input = "", into) {
      const launched = track(launch({ directory, program }, args, environment, input, into));
      const { child, finished } = launched;
      return {
        noted: (pattern) => printed(launched, pattern, "stderr"),
        signal: (signal) => void child.kill(signal),
        finished,
      };
    },
    async clear() {
      const running = [...children].map((child) => once(child, "close"));
      for (const child of children) child.kill("SIGTERM");
      await Promise.all(running);
      await stopPostgres(join(directory, ".billow/postgres/data/postmaster.pid"));
      await rm(directory, { recursive: true });
    },
  };
  return workspace;
}
