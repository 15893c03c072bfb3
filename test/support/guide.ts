import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { ROOT } from "./source.ts";

export const readDocument = (path: string) => readFile(join(ROOT, path), "utf8");

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

/** The blocks of shell commands in a document. */
export const commandsOf = (text: string) => [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!);

const PLACEHOLDER = /\b(chk|sub|eml|whk|whd)_…/g;
/** A failed request ends the shell, and `bin/billow.mjs` is the program of Billow's folder. */
const SHELL = `set -e
curl() { command curl --fail-with-body -sS "$@"; echo; }
node() { [ "$1" != bin/billow.mjs ] || { shift; set -- "${join(ROOT, "bin/billow.mjs")}" "$@"; }; command node "$@"; }
`;

/**
 * Runs blocks of shell commands one after the other. The first block sets variables for all others. `chk_…` and the
 * like stand for the newest such id that the commands have printed. Returns the output of each block.
 */
export async function playCommands(
  [variables = "", ...blocks]: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string[]> {
  const outputs: string[] = [];
  const newest = (kind: string) => {
    const id = outputs
      .join("")
      .match(new RegExp(`${kind}_[0-9a-z]{26}`, "g"))
      ?.at(-1);
    if (!id) throw new Error(`no command has printed the id of a ${kind}`);
    return id;
  };
  for (const block of blocks) {
    const lines = block.replaceAll("\\\n", "").trim().split("\n");
    for (const line of lines) {
      const command = line.replace(PLACEHOLDER, (_, kind: string) => newest(kind));
      const { stdout } = await promisify(execFile)("sh", ["-c", `${SHELL}${variables}\n${command}`], options);
      outputs.push(stdout);
    }
  }
  return outputs;
}
