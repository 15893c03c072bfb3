import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openBlackHole } from "../test/support/black-hole.ts";
import { freeze } from "../test/support/freeze.ts";
import { until } from "../test/support/until.ts";
import { firstOutput, spawnBillow } from "./billow.ts";

// Measures the answers of Billow while its database is frozen (SIGSTOP) or cut off (packets vanish), and afterwards.

const SILENT_MILLISECONDS = 20_000;

type Started = { child: ChildProcess; url: string; key: string };
type Seen = { what: string; status: string; seconds: number };

function run(args: string[], env: Record<string, string>): ChildProcess {
  const common = { PORT: "0", LOG_LEVEL: "fatal", DATABASE_URL: "", BILLOW_SECRET: "", PUBLIC_ORIGIN: "" };
  return spawnBillow(args, { ...process.env, ...common, ...env });
}

async function finish(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = run(args, env);
  let output = "";
  child.stdout!.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve) => child.on("close", resolve));
  return { code, output };
}

/** `key`: an API key of an existing Organization. Without it, the demo's key is used. */
async function start(env: Record<string, string>, key?: string): Promise<Started> {
  const child = run(["start", "--json"], env);
  const { url, keys } = await firstOutput<{ url: string; keys?: { public: string } }>(child);
  return { child, url, key: key ?? keys!.public };
}

async function ask(what: string, url: string, init: RequestInit = {}): Promise<Seen> {
  const began = performance.now();
  const status = await fetch(url, { ...init, signal: AbortSignal.timeout(90_000) }).then(
    async (answer) => {
      await answer.text();
      const after = answer.headers.get("Retry-After");
      return `${answer.status}${after === null ? "" : `, Retry-After ${after}`}`;
    },
    (error: Error) => error.name,
  );
  return { what, status, seconds: (performance.now() - began) / 1000 };
}

function askAll({ url, key }: Started, label: string): Promise<Seen[]> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ email: `${label}@example.com` });
  return Promise.all([
    ask("GET /readyz", `${url}/readyz`),
    ask("GET /metrics", `${url}/metrics`),
    ask("GET /public/v2/benefit-grants", `${url}/public/v2/benefit-grants?externalCustomerId=nobody`, { headers }),
    ask("POST /public/v2/customers", `${url}/public/v2/customers`, { method: "POST", headers, body }),
  ]);
}

const show = (title: string, seen: Seen[]) =>
  console.log(
    [title, ...seen.map(({ what, status, seconds }) => `  ${what}: ${status} after ${seconds.toFixed(2)} s`)].join(
      "\n",
    ),
  );

async function recover({ url }: Started): Promise<number> {
  const began = performance.now();
  await until(async () => (await fetch(`${url}/readyz`)).status === 200, { seconds: 300 });
  return (performance.now() - began) / 1000;
}

/** Runs `billow verify` beside the server, on a database that does not answer. */
async function showVerify(name: string, env: Record<string, string>): Promise<void> {
  const began = performance.now();
  const { code } = await finish(["verify"], env);
  console.log(`${name}: billow verify ends with ${code} after ${((performance.now() - began) / 1000).toFixed(2)} s`);
}

async function observe(
  name: string,
  env: Record<string, string>,
  silence: () => Promise<() => void>,
  key?: string,
): Promise<void> {
  const billow = await start(env, key);
  try {
    show(`${name}: before`, await askAll(billow, "before"));
    const heal = await silence();
    try {
      show(`${name}: asked at once`, await askAll(billow, "during"));
      await sleep(SILENT_MILLISECONDS);
      if (env["DATABASE_URL"]) await showVerify(name, env);
      show(`${name}: asked ${SILENT_MILLISECONDS / 1000} s and more later`, await askAll(billow, "later"));
    } finally {
      heal();
    }
    console.log(`${name}: ready ${(await recover(billow)).toFixed(2)} s after it could be`);
    show(`${name}: afterwards`, await askAll(billow, "after"));
  } finally {
    const ended = new Promise((resolve) => billow.child.on("exit", resolve));
    billow.child.kill("SIGTERM");
    await ended;
  }
  const { code, output } = await finish(["verify"], env);
  console.log(`${name}: verify ends with ${code}: ${output.trim()}\n`);
}

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "billow-outage-"));
  chmodSync(path, 0o755);
  return path;
}

async function observeFrozen(): Promise<void> {
  const dataDir = directory();
  const pid = () => Number.parseInt(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8"));
  await observe("frozen", { BILLOW_DATA_DIR: dataDir }, () => freeze(pid()));
  rmSync(dataDir, { recursive: true });
}

async function observeCutOff(): Promise<void> {
  const dataDir = directory();
  const postgres = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
  const hole = await openBlackHole(postgres.connection);
  const { user, password, database } = postgres.connection;
  const address = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${hole.port}/${database}`;
  const env = { BILLOW_DATA_DIR: dataDir, DATABASE_URL: address, BILLOW_SECRET: "o".repeat(32) };
  try {
    await finish(["migrate"], env);
    const made = await finish(["org", "create", "--name", "Outage", "--mode", "sandbox", "--json"], env);
    const { keys } = JSON.parse(made.output) as { keys: { public: string } };
    const silence = async () => {
      hole.cut();
      return () => hole.heal();
    };
    await observe("cut off", env, silence, keys.public);
  } finally {
    await hole.close();
    await postgres.leave();
    rmSync(dataDir, { recursive: true });
  }
}

await observeFrozen();
await observeCutOff();
