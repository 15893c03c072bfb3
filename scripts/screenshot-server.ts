import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Installation } from "./screenshot-company.ts";
import type { Sandbox } from "./screenshot-shop.ts";

const ROOT = join(import.meta.dirname, "..");
/** The letters of Japanese. Many machines have none, and a browser then draws boxes. */
const FONTS = join(ROOT, "node_modules/@expo-google-fonts/biz-udpgothic");

/** Billow with an empty embedded database. `close` stops the process and deletes its data. */
export async function startBillow(): Promise<Installation & { close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "billow-screenshots-"));
  const settings = {
    BILLOW_DATA_DIR: directory,
    PORT: "0",
    RATE_LIMIT: "0",
    TRUSTED_PROXIES: "127.0.0.1",
    LOG_LEVEL: "error",
  };
  const run = (...words: string[]) =>
    spawn(process.execPath, [join(ROOT, "src/main.ts"), ...words, "--json"], {
      cwd: directory,
      env: { ...process.env, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
  const child = run("start");
  const [line] = (await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`Billow ended with ${code}`))),
  ])) as [string];
  const { url, keys, setUp } = JSON.parse(line);
  return {
    url,
    setUp,
    callerOf,
    async command(...words) {
      const command = run(...words);
      const ended = once(command, "exit");
      const text = Buffer.concat(await command.stdout.toArray()).toString();
      const [code] = await ended;
      if (code !== 0) throw new Error(`billow ${words.join(" ")} ended with ${code}`);
      return JSON.parse(text);
    },
    api: callerOf(`${url}/public/v2`, keys.public),
    manage: callerOf(`${url}/manage/v1`, keys.manage),
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function callerOf(base: string, key: string): Sandbox["api"] {
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const answer = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

/** Gives the browsers that this process starts the fonts of the documents. Answers the way back. */
export async function lendFonts(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "billow-fonts-"));
  await symlink(FONTS, join(folder, "fonts"));
  process.env["XDG_DATA_HOME"] = folder;
  return () => rm(folder, { recursive: true });
}
