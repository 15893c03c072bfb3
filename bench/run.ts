import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, type Context } from "../src/context.ts";
import { readConfig } from "../src/config.ts";
import { reservePort } from "../src/port.ts";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { migrate } from "../src/store/migrate.ts";
import { startServer } from "../src/http/server.ts";
import { createWebApp } from "../src/web/app.ts";
import { casesOf, fill, luaOf, type Case } from "./cases.ts";
import { runPgbench, type Server } from "./pgbench.ts";
import { recording, type Recording } from "./recorder.ts";
import { measureStarts, NODE_FLAGS } from "./start.ts";
import { createWorld, SUBSCRIPTIONS, type World } from "./world.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 4);
const CONNECTIONS = 64;
const CLIENTS = 16;
const ROOT = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "billow-bench-"));
chmodSync(folder, 0o711);

function address({ host, port, user, password, database }: Server): string {
  const url = new URL(`postgres://localhost/${database}`);
  Object.assign(url, { username: user, password });
  url.searchParams.set("host", host);
  url.searchParams.set("port", String(port));
  return url.href;
}

/** Starts a server of ours and waits for the line that tells its port. */
async function start(
  args: string[],
  env: Record<string, string>,
  port: (output: string) => string | undefined,
): Promise<{ child: ChildProcess; port: string }> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  return new Promise((resolve, reject) => {
    child.on("exit", () => reject(new Error(`${args.join(" ")} ended: ${output}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const found = port(output);
      if (found) resolve({ child, port: found });
    });
  });
}

/** The number of Subscriptions that are reserved for one round. */
const OWN = Math.floor(SUBSCRIPTIONS / ROUNDS);

function runWrk(url: string, key: string, each: Case, round: number): number {
  const path = join(folder, "load.lua");
  const headers = `wrk.headers["Authorization"] = "Bearer ${key}"\nwrk.headers["Content-Type"] = "application/json"`;
  writeFileSync(path, headers + luaOf(each, 1 + round * OWN, OWN, SUBSCRIPTIONS));
  // A shorter run, so that the round does not use up its Subscriptions.
  const seconds = each.path.includes("{own}") ? Math.min(SECONDS, 2) : SECONDS;
  const run = spawnSync("wrk", ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", path, url], { encoding: "utf8" });
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(run.stdout)?.[1];
  const wrong = /Non-2xx or 3xx responses: (\d+)/.exec(run.stdout)?.[1];
  if (!rate || wrong) throw new Error(`wrk: ${run.stdout}${run.stderr}`);
  const sent = Number(/(\d+) requests in/.exec(run.stdout)?.[1]);
  if (each.path.includes("{own}") && sent + CONNECTIONS > OWN)
    throw new Error(`${each.name}: a round wants over ${OWN} Subscriptions`);
  return Number(rate);
}

const sorted = (figures: number[]) => figures.toSorted((one, other) => one - other);
const median = (figures: number[]) => sorted(figures)[Math.floor(figures.length / 2)]!;
const show = (figures: number[]) =>
  `${Math.round(median(figures))} (${Math.round(sorted(figures)[0]!)}–${Math.round(sorted(figures).at(-1)!)})`;
const ratio = (ours: number[], theirs: number[]) => median(ours.map((figure, n) => figure / theirs[n]!)).toFixed(2);

/** The statements of each operation, and its waits for PostgreSQL. Statements of the sandbox provider don't count. */
async function record(ctx: Context, world: World, cases: readonly Case[]): Promise<Recording[]> {
  const recorded = recording(ctx.db);
  const listening = { ...ctx, db: recorded.db };
  const reserved = await reservePort("127.0.0.1", 0);
  await reserved.release();
  const server = await startServer(
    { ...listening, config: { ...ctx.config, port: reserved.port } },
    { web: createWebApp(listening) },
  );
  const send = async ({ method, path, body }: Case, turn: number) => {
    // The last copy, since the rounds use their copies in ascending order.
    const values = { n: SUBSCRIPTIONS, turn };
    const headers = { Authorization: `Bearer ${world.key}`, "Content-Type": "application/json" };
    const request = { method, headers, body: body === undefined ? null : fill(body, values) };
    const response = await fetch(`http://127.0.0.1:${reserved.port}/public/v2${fill(path, values)}`, request);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  try {
    const found: Recording[] = [];
    // The server notes the first use of a key in the background. This request keeps that write out of the recordings.
    await send(cases[0]!, 0);
    for (const [turn, each] of cases.entries()) {
      found.push(await recorded.restart());
      await send(each, turn);
    }
    await recorded.restart();
    return found;
  } finally {
    await server.close();
  }
}

/** Measures one operation. The bare server and pgbench are measured only if the statements can be sent again. */
async function measure(each: Case, recorded: Recording, server: Server, billow: string, world: World): Promise<string> {
  const counts = `${recorded.waits} | ${recorded.groups.reduce((sum, { sent }) => sum + sent.length, 0)} |`;
  if (!each.isReplayed) {
    const alone = Array.from({ length: ROUNDS }, (_, round) => runWrk(billow, world.key, each, round));
    return `| ${each.name} | ${show(alone)} | | | | | ${counts}`;
  }
  const plan = join(folder, "bare.json");
  writeFileSync(plan, JSON.stringify({ connection: server, ...recorded }));
  const bare = await start([...NODE_FLAGS, "bench/bare.ts", plan], {}, (output) => /^\d+/.exec(output)?.[0]);
  const figures = { billow: [] as number[], bare: [] as number[], pgbench: [] as number[] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      figures.bare.push(runWrk(`http://127.0.0.1:${bare.port}/public/v2`, world.key, each, round));
      figures.billow.push(runWrk(billow, world.key, each, round));
      figures.pgbench.push(runPgbench(server, join(folder, "script.sql"), recorded, CLIENTS, SECONDS));
    }
  } finally {
    bare.child.removeAllListeners("exit").kill();
  }
  const { billow: ours, bare: plain, pgbench } = figures;
  return (
    `| ${each.name} | ${show(ours)} | ${show(plain)} | ${ratio(ours, plain)} | ${show(pgbench)} | ` +
    `${ratio(ours, pgbench)} | ${counts}`
  );
}

async function measureOperations(): Promise<string[]> {
  const postgres = await joinEmbeddedDatabase({ dataDir: join(folder, "data"), log: () => undefined });
  const { connection } = postgres;
  const own = openDatabase(connection);
  await migrate(own);
  const config = readConfig({ DATABASE_URL: address(connection), BILLOW_SECRET: "b".repeat(32), LOG_LEVEL: "silent" });
  const ctx = await createContext(config, { db: own });
  const world = await createWorld(ctx);
  const cases = casesOf(world);
  const recordings = await record(ctx, world, cases);
  // Replays repeat the sequence numbers of recorded events, and their random ids may end with the same eight
  // characters. So the unique indexes are replaced.
  await own.script(
    `ALTER TABLE events DROP CONSTRAINT events_organization_id_resource_id_sequence_key;
     CREATE INDEX events_resource ON events (organization_id, resource_id, sequence);
     DROP INDEX customers_invoice_code;
     CREATE INDEX customers_invoice_code ON customers (organization_id, "right"(id, 8))`,
  );
  const env = {
    DATABASE_URL: address(connection),
    BILLOW_SECRET: "b".repeat(32),
    LOG_LEVEL: "warn",
    RATE_LIMIT: "0",
    PORT: "0",
  };
  const server = await start(
    [...NODE_FLAGS, "bin/billow.mjs", "serve"],
    env,
    (output) => /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1],
  );
  const lines: string[] = [];
  try {
    for (const [n, each] of cases.entries()) {
      lines.push(await measure(each, recordings[n]!, connection, `http://127.0.0.1:${server.port}/public/v2`, world));
      console.error(lines.at(-1));
    }
    const status = readFileSync(`/proc/${server.child.pid}/status`, "utf8");
    const megabytes = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
    lines.push(
      "",
      `Memory of the server process: ${megabytes("VmHWM")} MB at the most, ${megabytes("VmRSS")} MB after all of it.`,
    );
  } finally {
    server.child.removeAllListeners("exit").kill();
    await own.end();
    await postgres.leave();
  }
  return lines;
}

try {
  const head = [
    "| requests a second: median (least–most) | Billow | bare node:http | ratio | pgbench | ratio | round trips | " +
      "statements |",
    "|---|---|---|---|---|---|---|---|",
  ];
  const operations = await measureOperations();
  console.log([...head, ...operations, "", ...(await measureStarts(ROOT, ROUNDS))].join("\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
