import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { advanceToEnd } from "../src/actions/sandbox/advance-clock.ts";
import { readConfig } from "../src/config.ts";
import { createContext, type Context } from "../src/context.ts";
import { addCalendar, addDays24, DAY, formatInstant, type Instant } from "../src/domain/calendar.ts";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { migrate } from "../src/store/migrate.ts";
import { organizations } from "../src/store/organizations.ts";
import { until } from "../test/support/until.ts";
import { createCrowd, digest, START, type Digest } from "./crowd.ts";
import { NODE_FLAGS } from "./start.ts";

const SUBSCRIPTIONS = Number(process.argv[2] ?? 10_000);
const STEP_DAYS = Number(process.argv[3] ?? 1);
const END = addCalendar(START, "UTC", "P1Y");
const ROOT = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "billow-advance-"));
chmodSync(folder, 0o711);

type Run = { seconds: number; digest: Digest };

/** The part of the year that has passed (0 to 1), and the number of items that were carried out. */
async function progress(ctx: Context, organizationId: string): Promise<{ part: number; done: number }> {
  const { clockAt, clockDone } = (await organizations.find(ctx.db.read, organizationId))!;
  return { part: (clockAt! - START) / (END - START), done: clockDone };
}

/**
 * Advances the clock in a separate process, as an operator does, and prints the progress. Kills the process once
 * `most`, a part of the year, has passed. Answers whether the advance arrived.
 * @throws Error if the process fails.
 */
async function advanceInProcess(ctx: Context, organizationId: string, most: number): Promise<boolean> {
  const args = ["bin/billow.mjs", "clock", "advance", "--to", formatInstant(END), "--organization", organizationId];
  const env = {
    ...process.env,
    DATABASE_URL: ctx.config.databaseUrl!,
    BILLOW_SECRET: ctx.config.secret!,
    LOG_LEVEL: "warn",
  };
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let problem = "";
  child.stderr.on("data", (chunk: Buffer) => (problem += chunk.toString()));
  const closed = once(child, "close").then(([code]) => code as number | null);
  for (;;) {
    const code = await Promise.race([closed, sleep(1_000, "running" as const)]);
    if (code === 0) return true;
    if (code !== "running" && child.signalCode === null) throw new Error(problem);
    if (code !== "running") return false;
    const { part, done } = await progress(ctx, organizationId);
    console.error(`${Math.floor(part * 100)} % of the year, ${done} items`);
    if (part >= most) child.kill("SIGKILL");
  }
}

/** The whole year in one advance: one process is killed halfway, and another takes over once the lease is free. */
async function atOnce(ctx: Context, organizationId: string): Promise<Run> {
  const began = performance.now();
  const arrived = await advanceInProcess(ctx, organizationId, 0.5);
  let waited = 0;
  if (!arrived) {
    const killed = performance.now();
    console.error("killed; the next process waits until the first one's lease has run out");
    await until(() => isFree(ctx, organizationId), { seconds: 300 });
    waited = performance.now() - killed;
    await advanceInProcess(ctx, organizationId, Infinity);
  }
  return { seconds: (performance.now() - began - waited) / 1000, digest: await digest(ctx, organizationId) };
}

async function isFree(ctx: Context, organizationId: string): Promise<boolean> {
  const { clockLeaseUntil } = (await organizations.find(ctx.db.read, organizationId))!;
  return clockLeaseUntil === null || clockLeaseUntil < Date.now();
}

/** The whole year in advances of `STEP_DAYS` days each. */
async function inSteps(ctx: Context, organizationId: string): Promise<Run> {
  const began = performance.now();
  for (let at: Instant = START; at < END;) {
    at = addDays24(at, STEP_DAYS) < END ? addDays24(at, STEP_DAYS) : END;
    await advanceToEnd(ctx, organizationId, at);
    if (Math.round((at - START) / DAY) % 28 < STEP_DAYS) console.error(`${formatInstant(at)}, in steps`);
  }
  return { seconds: (performance.now() - began) / 1000, digest: await digest(ctx, organizationId) };
}

async function measure(): Promise<boolean> {
  const postgres = await joinEmbeddedDatabase({ dataDir: join(folder, "data"), log: () => undefined });
  const { host, port, user, password, database } = postgres.connection;
  const url = new URL(`postgres://localhost/${database}`);
  Object.assign(url, { username: user, password });
  url.searchParams.set("host", host);
  url.searchParams.set("port", String(port));
  const db = openDatabase(postgres.connection);
  try {
    await migrate(db);
    const config = readConfig({ DATABASE_URL: url.href, BILLOW_SECRET: "b".repeat(32), LOG_LEVEL: "warn" });
    const ctx = await createContext(config, { db });
    const [one, other] = [await createCrowd(ctx, SUBSCRIPTIONS), await createCrowd(ctx, SUBSCRIPTIONS)];
    const runs = {
      "at once, killed halfway": await atOnce(ctx, one),
      [`${STEP_DAYS} d at a time`]: await inSteps(ctx, other),
    };
    console.log(
      `| ${SUBSCRIPTIONS} Subscriptions, a year | seconds | invoices | invoices/s | facts | digest ` +
        "|\n|---|---|---|---|---|---|",
    );
    for (const [way, { seconds, digest: made }] of Object.entries(runs)) {
      const rate = Math.round(made.invoices / seconds);
      console.log(
        `| ${way} | ${Math.round(seconds)} | ${made.invoices} | ${rate} | ${made.facts} | ` +
          `${made.sha256.slice(0, 16)} |`,
      );
    }
    return new Set(Object.values(runs).map((run) => JSON.stringify(run.digest))).size === 1;
  } finally {
    await db.end();
    await postgres.leave();
  }
}

try {
  if (!(await measure())) throw new Error("a year at once is not the year in steps");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
