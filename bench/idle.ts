import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { firstOutput, ROOT, spawnBillow } from "./billow.ts";
import { NODE_FLAGS } from "./start.ts";

const SECONDS = Number(process.argv[2] ?? 60);
/** By then the deliveries and e-mails of the first purchases are over, and idle connections stay as they are. */
const SETTLE_MILLISECONDS = 40_000;
const ORGANIZATIONS = 3;
const CUSTOMERS = 10;
/** One tick in /proc/<pid>/stat: CLK_TCK is 100 on every Linux that Node runs on. */
const TICK_MILLISECONDS = 10;

if (process.platform !== "linux") throw new Error("processor times are read from /proc, which only Linux has");

type Started = { url: string; keys: Keys; pid: number; stop(): Promise<void> };
type Keys = { public: string; manage: string };

const folder = mkdtempSync(join(tmpdir(), "billow-idle-"));
chmodSync(folder, 0o711);
const env = {
  ...process.env,
  PORT: "0",
  BILLOW_DATA_DIR: folder,
  LOG_LEVEL: "warn",
  DATABASE_URL: "",
  PUBLIC_ORIGIN: "",
};
const command = (...words: string[]) => [...NODE_FLAGS, "bin/billow.mjs", ...words, "--json"];

/** Starts Billow with the command of `npm start`. */
async function start(): Promise<Started> {
  const child = spawnBillow(["start", "--json"], env);
  const { url, keys } = await firstOutput<{ url: string; keys: Keys }>(child);
  return {
    url,
    keys,
    pid: child.pid!,
    stop: () => new Promise((resolve) => child.on("exit", () => resolve()).kill("SIGTERM")),
  };
}

async function post(key: string, url: string, body: object): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

/** Creates another sandbox with the demo's Products. */
function createOrganization(name: string): Keys {
  const run = (...words: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, command(...words), {
      cwd: ROOT,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  const { organization, keys } = JSON.parse(run("org", "create", "--name", name, "--mode", "sandbox")) as {
    organization: { id: string };
    keys: Keys;
  };
  run("seed", "--organization", organization.id);
  return keys;
}

/** Gives an Organization Customers with monthly Subscriptions, and a webhook endpoint for all events. */
async function populate(url: string, keys: Keys, receiver: string): Promise<void> {
  await post(keys.manage, `${url}/manage/v1/webhook-endpoints`, { url: receiver, events: ["*"] });
  for (let n = 0; n < CUSTOMERS; n++) {
    const customer = { email: `buyer-${n}@example.com`, externalId: `buyer-${n}` };
    const { id } = await post(keys.public, `${url}/public/v2/checkouts`, { productKey: "pro", customer });
    await post(keys.manage, `${url}/manage/v1/sandbox/checkouts/${id}/pay`, { card: "4242424242424242" });
  }
}

type Process = { pid: number; parent: number; own: number; ended: number; title: string };

/** Null if the process has ended. `own` and `ended` (of its ended children): processor time in milliseconds. */
function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const spentOn = (user: number, system: number) => (fields[user]! + fields[system]!) * TICK_MILLISECONDS;
    const title = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]!;
    return { pid, parent: fields[1]!, own: spentOn(11, 12), ended: spentOn(13, 14), title };
  } catch {
    return null;
  }
}

/** A process and all its descendants. */
function familyOf(pid: number): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const family = all.filter((each) => each.pid === pid);
  for (const each of family) family.push(...all.filter(({ parent }) => parent === each.pid));
  return family;
}

type Spent = { milliseconds: number; byTitle: Map<string, number> };

function spent(pid: number): Spent {
  const byTitle = new Map<string, number>();
  let milliseconds = 0;
  for (const { own, ended, title } of familyOf(pid)) {
    milliseconds += own + ended;
    byTitle.set(title, (byTitle.get(title) ?? 0) + own + ended);
  }
  return { milliseconds, byTitle };
}

const received = { count: 0 };
const receiver = createServer((request, response) => {
  received.count += 1;
  request.resume();
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const { port } = receiver.address() as AddressInfo;
const server = await start();
try {
  const others = Array.from({ length: ORGANIZATIONS - 1 }, (_, n) => createOrganization(`Idle ${n + 1}`));
  for (const keys of [server.keys, ...others]) await populate(server.url, keys, `http://127.0.0.1:${port}/`);
  await sleep(SETTLE_MILLISECONDS);
  const sent = received.count;
  const postgres = Number.parseInt(readFileSync(join(folder, findPidFile()), "utf8"));
  const before = [spent(server.pid), spent(postgres)] as const;
  const began = performance.now();
  await sleep(SECONDS * 1000);
  const seconds = (performance.now() - began) / 1000;
  const after = [spent(server.pid), spent(postgres)] as const;
  if (received.count !== sent) throw new Error("webhooks were sent meanwhile: it was not idle");
  const percent = (n: 0 | 1) => (after[n].milliseconds - before[n].milliseconds) / seconds / 10;
  console.log(`${ORGANIZATIONS} Organizations, ${sent} webhooks sent before, ${seconds.toFixed(0)} s\n`);
  console.log("| processor of an idle server | % of a core |\n|---|---|");
  console.log(`| Node | ${percent(0).toFixed(2)} |\n| PostgreSQL | ${percent(1).toFixed(2)} |`);
  console.log(`| together | ${(percent(0) + percent(1)).toFixed(2)} |`);
  for (const [title, milliseconds] of after[1].byTitle) {
    const share = (milliseconds - (before[1].byTitle.get(title) ?? 0)) / seconds / 10;
    if (share > 0) console.log(`  ${title}: ${share.toFixed(2)}`);
  }
} finally {
  await server.stop();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
}

function findPidFile(): string {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("postmaster.pid"),
  );
  if (found === undefined) throw new Error("the embedded PostgreSQL does not run");
  return found;
}
