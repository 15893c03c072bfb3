import { spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "../test/support/until.ts";
import { firstOutput, ROOT, spawnBillow } from "./billow.ts";

// Runs Billow on its own disk (a tmpfs, which only root can mount). Fills the disk, makes room again, and prints the
// answers of Billow meanwhile. With the argument `wal`, PostgreSQL's write-ahead log runs out of room as well.

const DISK_MEGABYTES = 256;
const BURST = 40;
const disk = mkdtempSync(join(tmpdir(), "billow-disk-"));
const ballast = join(disk, "ballast");

const tell = (text: string) => console.log(text.replaceAll(disk, "DISK"));

function mustRun(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

const environment = {
  ...process.env,
  PORT: "0",
  BILLOW_DATA_DIR: join(disk, "billow"),
  LOG_LEVEL: "fatal",
  DATABASE_URL: "",
  PUBLIC_ORIGIN: "",
  RATE_LIMIT: "0",
};

type World = { url: string; key: string };

async function start(): Promise<{ child: ChildProcess; world: World }> {
  const child = spawnBillow(["start", "--json"], environment);
  const { url, keys } = await firstOutput<{ url: string; keys: { public: string } }>(child);
  return { child, world: { url, key: keys.public } };
}

type Answers = Map<string, number>;
let customers = 0;

/** Writes a burst of Customers, and counts the answers. */
async function write({ url, key }: World): Promise<Answers> {
  const answers: Answers = new Map();
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const one = async () => {
    const body = JSON.stringify({ email: `${(customers += 1)}@example.com`, metadata: { text: "x".repeat(400) } });
    const answer = await fetch(`${url}/public/v2/customers`, { method: "POST", headers, body });
    const { code } = (await answer.json()) as { code?: string };
    const after = answer.headers.get("Retry-After");
    const kind = [answer.status, code, after && `Retry-After ${after}`].filter(Boolean).join(" ");
    answers.set(kind, (answers.get(kind) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: BURST }, one));
  return answers;
}

async function ready({ url }: World): Promise<string> {
  const answer = await fetch(`${url}/readyz`);
  const { detail } = (await answer.json()) as { detail?: string };
  return [answer.status, detail].filter(Boolean).join(" ");
}

async function watch(world: World, title: string): Promise<void> {
  const answers = [...(await write(world))].map(([kind, count]) => `${count} × ${kind}`).join(", ");
  tell(`${title}\n  GET /readyz: ${await ready(world)}\n  ${BURST} × POST /public/v2/customers: ${answers}`);
}

/** Fills all the free space of the disk. */
function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  mustRun("fallocate", ["-l", String(bavail * bsize), ballast]);
}

/**
 * Switches to new WAL segments of 16 MB each, for which the disk has no room. PostgreSQL panics at the first segment
 * that it had not allocated in advance.
 */
async function switchLogs(): Promise<void> {
  const password = readFileSync(join(disk, "billow/postgres/password"), "utf8").trim();
  const client = new Client({
    host: join(disk, "billow/postgres/data"),
    port: 5432,
    user: "billow",
    database: "billow",
    password,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (let n = 1; n <= 20; n++) await client.query("CREATE TEMP TABLE t (); DROP TABLE t; SELECT pg_switch_wal()");
  } catch (error) {
    tell(`$ psql: SELECT pg_switch_wal()\n  ${(error as Error).message}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function recover(world: World): Promise<void> {
  const began = performance.now();
  await until(async () => (await ready(world)).startsWith("200"), { seconds: 300 });
  tell(`GET /readyz: 200 again ${((performance.now() - began) / 1000).toFixed(1)} s later`);
}

function logged(): string {
  return readFileSync(join(disk, "billow/postgres/log"), "utf8")
    .split("\n")
    .filter((line) => /PANIC|No space left|terminated by signal|ready to accept/.test(line))
    .map((line) => line.replace(/^.*?UTC \[\d+\] /, "  "))
    .filter((line, n, all) => all.indexOf(line) === n)
    .slice(0, 12)
    .join("\n");
}

async function play(): Promise<void> {
  const { child, world } = await start();
  try {
    await watch(world, "before");
    fill();
    tell(`$ df: ${statfsSync(disk).bavail} blocks are left of ${DISK_MEGABYTES} MB`);
    for (let n = 1; n <= 3; n++) {
      await watch(world, `full, ${n}`);
      await sleep(6_000);
    }
    if (process.argv[2] === "wal") {
      await switchLogs();
      await watch(world, "no room for a new segment of the WAL, either");
      await sleep(10_000);
      await watch(world, "10 s later");
    }
    rmSync(ballast);
    tell("$ rm DISK/ballast");
    await recover(world);
    await watch(world, "afterwards");
  } finally {
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  tell(`PostgreSQL's log:\n${logged()}`);
  const { stdout, status } = spawnSync(process.execPath, ["bin/billow.mjs", "verify"], {
    cwd: ROOT,
    env: environment,
    encoding: "utf8",
  });
  tell(`$ billow verify\n${stdout.trim()}\nexit code ${status}`);
}

mustRun("mount", ["-t", "tmpfs", "-o", `size=${DISK_MEGABYTES}m,mode=755`, "billow-disk", disk]);
try {
  chmodSync(disk, 0o755);
  writeFileSync(ballast, "");
  await play();
} finally {
  mustRun("umount", ["-l", disk]);
  rmdirSync(disk);
}
