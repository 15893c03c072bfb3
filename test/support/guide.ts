import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { reservePort } from "../../src/port.ts";
import type { Workspace } from "./command-line.ts";
import { ROOT } from "./source.ts";
import { until } from "./until.ts";

export const readDocument = (path: string) => readFile(join(ROOT, path), "utf8");

export type CodeBlock = { language: string; mark: string | null; code: string };

/** Every code block of a document, without the indentation of a list. `mark`: the comment in front of the block. */
export function blocksOf(text: string): CodeBlock[] {
  const fences = text.matchAll(/(?:<!-- (.*?) -->\n+)?^( *)```(\w*)\n([^]*?)^\2```/gm);
  return [...fences].map(([, mark = null, indent, language, code]) => ({
    language: language!,
    mark,
    code: code!.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** The files that a document shows as its examples, by their names. */
export function examplesOf(text: string): Map<string, string> {
  const blocks = text.matchAll(/<!-- example: (\S+) -->\n+```\w+\n([^]*?)```/g);
  return new Map([...blocks].map(([, name, code]) => [name!, code!]));
}

/** A directory with these files, in which the packages of this project are installed. */
export async function directoryOf(files: Iterable<[name: string, text: string]>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "billow-guide-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  for (const [name, text] of files) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

/** An application that a document starts, at an address of its own. `printed` are its lines on stdout until now. */
export type Application = { base: string; printed(): string };

type AppOptions = { stderr?: "inherit" | "ignore"; APP_URL?: string; PYTHONPATH?: string };

/**
 * Starts an application on a free port, and waits until the application answers. `prepare` gets the address and returns
 * the command. The application ends with the test.
 */
export async function startApplication(
  cwd: string,
  prepare: (base: string) => Promise<string> | string,
  { stderr = "inherit", ...variables }: AppOptions = {},
): Promise<Application> {
  const { port, release } = await reservePort("127.0.0.1", 0);
  const base = `http://127.0.0.1:${port}`;
  const command = await prepare(base);
  await release();
  const env = { PATH: process.env["PATH"], APP_URL: base, ...variables, PORT: String(port) };
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", stderr], detached: true });
  onTestFinished(async () => {
    // The shell and the application are a group of processes of their own.
    process.kill(-child.pid!);
    await once(child, "close");
  });
  let printed = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await until(() =>
    fetch(base).then(
      () => true,
      () => false,
    ),
  );
  return { base, printed: () => printed };
}

/**
 * Starts the listener and the application of a document by their printed commands. `url`: of the workspace's server.
 */
export function startPrinted(
  workspace: Workspace,
  blocks: string[],
  { cwd, url, apiKey }: { cwd: string; url: string; apiKey: string },
  options: AppOptions = {},
): Promise<Application> {
  const block = (part: string) => blocks.find((each) => each.includes(part))!;
  const prepare = async (base: string) => {
    const [, listen] = /^node bin\/billow\.mjs (listen .*)$/m.exec(block(" listen "))!;
    const listener = await workspace.start([...listen!.replace("http://127.0.0.1:3000", base).split(" "), "--json"]);
    onTestFinished(async () => {
      listener.signal("SIGTERM");
      await listener.finished;
    });
    return block("whsec_…")
      .replace("http://127.0.0.1:4000", url)
      .replace("blw_test_…", apiKey)
      .replace("whsec_…", listener.output.secret);
  };
  return startApplication(cwd, prepare, options);
}

/** The blocks of shell commands in a document. */
export const commandsOf = (text: string) => [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!);

const PLACEHOLDER = /\b(chk|sub|eml|whk|whd|bgr|act|inv|org)_…/g;
/** A shortened license key, and the key of an example. */
const LICENSE_KEY = /ACME-(…|[0-9A-Z-]+)/g;
/** A failed request ends the shell, and `bin/billow.mjs` is the program of Billow's folder. */
const SHELL = `set -e
curl() { command curl --fail-with-body -sS "$@"; echo; }
node() { [ "$1" != bin/billow.mjs ] || { shift; set -- "${join(ROOT, "bin/billow.mjs")}" "$@"; }; command node "$@"; }
`;

/**
 * Runs blocks of shell commands one after the other. The first block sets variables for all others. `chk_…` and the
 * like stand for the newest such id that the commands have printed, or that is in `known`. Returns the output of each
 * line.
 */
export async function playCommands(
  [variables = "", ...blocks]: string[],
  { known = "", ...options }: { cwd: string; env?: NodeJS.ProcessEnv; known?: string },
): Promise<string[]> {
  const outputs: string[] = [];
  const find = (pattern: RegExp) => {
    const found = (known + outputs.join("")).match(pattern)?.at(-1);
    if (!found) throw new Error(`no command has printed ${pattern.source}`);
    return found;
  };
  for (const block of blocks) {
    const lines = block.replaceAll("\\\n", "").trim().split("\n");
    for (const line of lines) {
      const command = line
        .replace(PLACEHOLDER, (_, kind: string) => find(new RegExp(`${kind}_[0-9a-z]{26}`, "g")))
        .replace(LICENSE_KEY, () => find(/ACME-[0-9A-Z-]{20,}/g));
      const { stdout } = await promisify(execFile)("sh", ["-c", `${SHELL}${variables}\n${command}`], options);
      outputs.push(stdout);
    }
  }
  return outputs;
}
