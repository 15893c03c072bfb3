import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { NODE_FLAGS } from "./start.ts";

export const ROOT = join(import.meta.dirname, "..");

/** Runs a command of Billow with the flags of `npm start`. Its output can be read, its errors are shown. */
export function spawnBillow(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...NODE_FLAGS, "bin/billow.mjs", ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The object that a command with `--json` prints on its first line. */
export async function firstOutput<T>({ stdout }: ChildProcess): Promise<T> {
  let text = "";
  for await (const chunk of stdout!) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return JSON.parse(text) as T;
}
