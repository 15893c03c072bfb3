import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "./app.ts";
import { ROOT } from "./source.ts";

/** A directory of its own to run Billow in, with a data directory and maybe an `.env`, and what was started there. */
export type Place = {
  directory: string;
  /** Runs a command to its end. */
  run(args: string[], environment?: Record<string, string>): Promise<Finished>;
  /** Starts a command that runs on, and returns once it says that it is ready. */
  start(args: string[], environment?: Record<string, string>): Promise<Started>;
  /** Ends what still runs and removes everything. */
  clear(): Promise<void>;
};
export type Finished = { code: number | null; stdout: string; stderr: string };
export type Started = {
  /** What it printed as its first line. */
  output: Json;
  pid: number;
  signal(signal: NodeJS.Signals): void;
  finished: Promise<Finished>;
};

// Nothing of the caller's own settings; quiet, so that stderr holds what went wrong.
const ENVIRONMENT = { PATH: process.env["PATH"]!, HOME: tmpdir(), PORT: "0", LOG_LEVEL: "warn" };

function launch(directory: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(ROOT, "bin/billow.mjs"), ...args], {
    cwd: directory,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (written.stderr += text));
  const finished = once(child, "close").then(([code]) => ({ code: code as number | null, ...written }));
  return { child, finished, written };
}

async function firstLine({ child, finished, written }: ReturnType<typeof launch>): Promise<string> {
  while (!written.stdout.includes("\n")) {
    await Promise.race([once(child.stdout, "data"), finished]);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${written.stderr}`);
  }
  return written.stdout.slice(0, written.stdout.indexOf("\n"));
}

export async function createPlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "billow-cli-"));
  const children = new Set<ChildProcess>();

  const place: Place = {
    directory,
    run: (args, environment = {}) => launch(directory, args, environment).finished,
    async start(args, environment = {}) {
      const launched = launch(directory, [...args, "--json"], environment);
      const { child, finished } = launched;
      children.add(child);
      void finished.then(() => children.delete(child));
      const output = JSON.parse(await firstLine(launched)) as Json;
      return { output, pid: child.pid!, finished, signal: (signal) => void child.kill(signal) };
    },
    async clear() {
      const running = [...children].map((child) => once(child, "close"));
      for (const child of children) child.kill("SIGTERM");
      await Promise.all(running);
      // The last one that leaves in order stops PostgreSQL, which a killed one left running.
      await place.run(["migrate"]);
      await rm(directory, { recursive: true });
    },
  };
  return place;
}
