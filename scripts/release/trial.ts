import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { npm } from "./npm.ts";

/** Installs the server's package as `npm install --global` does, and answers the path of the program `billow`. */
export function installPackage(prefix: string, tarball: string): string {
  mkdirSync(prefix, { recursive: true });
  npm(prefix, "install", "--global", `--prefix=${prefix}`, "--prefer-offline", "--no-audit", "--no-fund", tarball);
  return join(prefix, "bin/billow");
}

type Greeting = { url: string; publicApi: string; docs: string; keys: { public: string } };

/** Makes a Checkout at a started server, and opens the pages that a first user opens. @throws Error */
async function firstSteps({ url, publicApi, docs, keys }: Greeting): Promise<void> {
  const made = await fetch(`${publicApi}/checkouts`, {
    method: "POST",
    headers: { Authorization: `Bearer ${keys.public}`, "Content-Type": "application/json" },
    body: '{"productKey": "pro"}',
  });
  const checkout = (await made.json()) as { url: string };
  for (const address of [`${url}/healthz`, `${url}/readyz`, checkout.url, docs]) {
    const { ok, status } = await fetch(address);
    if (!ok) throw new Error(`${address} answers ${status}.`);
  }
}

/**
 * Installs the package in an empty folder, starts the server there for the first time, and stops it. Answers the
 * seconds from the start to the links. @throws Error if a step fails
 */
export async function tryPackage(tarball: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "billow-trial-"));
  // If this script runs as root, the embedded PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  try {
    const billow = installPackage(join(folder, "prefix"), tarball);
    const cwd = join(folder, "an empty folder");
    mkdirSync(cwd);
    const began = performance.now();
    const server = spawn(billow, ["start", "--json"], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: folder, PORT: "0", LOG_LEVEL: "warn" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(server, "exit");
    try {
      const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
      if (line === undefined) throw new Error("The server ended before its links.");
      const seconds = (performance.now() - began) / 1000;
      await firstSteps(JSON.parse(line as string) as Greeting);
      return seconds;
    } finally {
      server.kill("SIGTERM");
      await ended;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
