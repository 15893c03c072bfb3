import { Agent, request as send } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../test/support/until.ts";
import { addPurchases, type Models, type Target } from "./cluster-rows.ts";
import type { Cpu, Entry, Site } from "./cluster-sites.ts";
import { originOf, type Range } from "./due-crowd.ts";

/** `n` chooses a Subscription of the target. */
export type Case = {
  name: string;
  method: string;
  path(target: Target, n: number): string;
  body?(target: Target, n: number): object;
};

const subscriptionOf = ({ subscriptions }: Target, n: number) => subscriptions[n % subscriptions.length]!;
export const CASES: readonly Case[] = [
  { name: "read a Checkout", method: "GET", path: ({ checkout }) => `/checkouts/${checkout}` },
  { name: "read a Subscription", method: "GET", path: (target, n) => `/subscriptions/${subscriptionOf(target, n)}` },
  { name: "create a Checkout", method: "POST", path: () => "/checkouts", body: () => ({ productKey: "pro" }) },
  {
    name: "change a Subscription",
    method: "PATCH",
    path: (target, n) => `/subscriptions/${subscriptionOf(target, n)}`,
    // Each request is a change: a repeated one would write no row.
    body(target, n) {
      const id = subscriptionOf(target, n);
      const cancelAtPeriodEnd = !target.canceled.has(id);
      if (cancelAtPeriodEnd) target.canceled.add(id);
      else target.canceled.delete(id);
      return { cancelAtPeriodEnd };
    },
  },
];
/** Requests at the same time. */
const CALLERS = 16;

type Answer = { status: number; body: string };

function ask(
  agent: Agent,
  base: string,
  { key }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const text = body && JSON.stringify(body);
  const headers: Record<string, string | number> = { Authorization: `Bearer ${key}` };
  if (text) Object.assign(headers, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  const sent = send(`${base}/public/v2${path}`, { agent, method, headers }, (response) => {
    const parts: Buffer[] = [];
    response.on("data", (part: Buffer) => parts.push(part));
    response.on("end", () => resolve({ status: response.statusCode!, body: Buffer.concat(parts).toString() }));
    response.on("error", reject);
  });
  sent.on("error", reject);
  sent.end(text);
  return promise;
}

/** Creates a Checkout in each Organization. @throws Error if one is refused */
export async function openCheckouts(site: Site, targets: readonly Target[]): Promise<void> {
  const [server] = await site.start("serve", 1, "first");
  const agent = new Agent({ keepAlive: true });
  for (const target of targets) {
    const { status, body } = await ask(agent, originOf(server!), target, "POST", "/checkouts", { productKey: "pro" });
    if (status !== 201) throw new Error(`POST /checkouts answered ${status}: ${body}`);
    target.checkout = (JSON.parse(body) as { id: string }).id;
  }
  agent.destroy();
  await server!.stop("SIGTERM");
}

/** `times`: milliseconds of each answer, ascending. `refused`: the answers that were no success, by status. */
export type Asked = { seconds: number; times: number[]; refused: Record<string, number> };

/** Sends requests of one case without a pause until `isOver`, to each server in turn. */
export async function askUntil(
  bases: readonly string[],
  targets: readonly Target[],
  { method, path, body }: Case,
  isOver: () => boolean,
): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const found: Asked = { seconds: 0, times: [], refused: {} };
  const began = performance.now();
  // A caller has Subscriptions of its own: two changes of one Subscription would wait for each other.
  const call = async (caller: number) => {
    const own = targets.length >= CALLERS ? targets.filter((_, n) => n % CALLERS === caller) : targets;
    const step = targets.length >= CALLERS ? 1 : CALLERS;
    for (let turn = 0; !isOver(); turn += 1) {
      const target = own[turn % own.length]!;
      const n = targets.length >= CALLERS ? Math.floor(turn / own.length) : caller + step * turn;
      const sent = performance.now();
      const base = bases[(caller + turn) % bases.length]!;
      const { status } = await ask(agent, base, target, method, path(target, n), body?.(target, n));
      found.times.push(performance.now() - sent);
      if (status < 200 || status > 299) found.refused[status] = (found.refused[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  found.seconds = (performance.now() - began) / 1000;
  found.times.sort((one, other) => one - other);
  agent.destroy();
  return found;
}

/** The cost of one request or renewal: milliseconds of processor time on each node, and of all processes of Billow. */
export type Measured = { name: string; perSecond: number; count: number; cpu: Cpu; refused: number };

const between = (from: Cpu, to: Cpu, count: number): Cpu => ({
  nodes: Object.fromEntries(Object.keys(to.nodes).map((node) => [node, (to.nodes[node]! - from.nodes[node]!) / count])),
  billow: (to.billow - from.billow) / count,
});

/** Measures each case for some seconds, after a second without a measurement that opens connections. */
export async function measureRequests(
  site: Site,
  targets: readonly Target[],
  { entry, processes, seconds }: { entry: Entry; processes: number; seconds: number },
): Promise<Measured[]> {
  const servers = await site.start("serve", processes, entry);
  const bases = servers.map(originOf);
  const during = async (each: Case, length: number) => {
    let isOver = false;
    setTimeout(() => (isOver = true), length * 1000);
    return askUntil(bases, targets, each, () => isOver);
  };
  const found: Measured[] = [];
  for (const each of CASES) {
    await during(each, Math.min(1, seconds));
    const from = site.cpu(servers);
    const { times, refused, seconds: took } = await during(each, seconds);
    const cpu = between(from, site.cpu(servers), times.length);
    const faults = Object.values(refused).reduce((sum, count) => sum + count, 0);
    found.push({ name: each.name, perSecond: times.length / took, count: times.length, cpu, refused: faults });
  }
  for (const server of servers) await server.stop("SIGTERM");
  return found;
}

const DUE = `SELECT count(*)::integer AS due FROM subscriptions
  WHERE due_at <= $1 AND NOT simulated AND held_at IS NULL`;
const UNPAID = "SELECT count(*)::integer AS due FROM payments WHERE check_at IS NOT NULL";
const RENEWED = `SELECT count(*)::integer AS due FROM payments
  WHERE purpose = 'renewal' AND status = 'succeeded' AND provider = 'sandbox'`;

/** Purchases that fall due together. `owner`: as for `addPurchases`. */
export type Crowd = { name: string; range: Range; owner: string };

/** Adds a crowd that is due at one instant, and measures its renewals from this instant on. */
export async function measureRenewals(
  site: Site,
  models: Models,
  { name, range, owner }: Crowd,
  { entry, processes, fillSeconds }: { entry: Entry; processes: number; fillSeconds: number },
): Promise<Measured> {
  const client = await site.connect();
  const count = async (text: string, values: unknown[] = []) =>
    (await client.query<{ due: number }>(text, values)).rows[0]!.due;
  try {
    const before = await count(RENEWED);
    const dueAt = Date.now() + fillSeconds * 1000;
    await addPurchases(client, models, range, owner, dueAt);
    if (Date.now() > dueAt - 3000) console.error(`${name}: the Subscriptions were due before the workers were ready`);
    const workers = await site.start("worker", processes, entry);
    await sleep(Math.max(0, dueAt - Date.now()));
    const [from, began] = [site.cpu(workers), performance.now()];
    const isDone = async () => (await count(DUE, [new Date(dueAt)])) === 0 && (await count(UNPAID)) === 0;
    await until(isDone, { pause: 500, seconds: 600 });
    const size = range.last - range.first + 1;
    const seconds = (performance.now() - began) / 1000;
    const cpu = between(from, site.cpu(workers), size);
    for (const worker of workers) await worker.stop("SIGTERM");
    const missing = size - ((await count(RENEWED)) - before);
    return { name, perSecond: size / seconds, count: size, cpu, refused: missing };
  } finally {
    await client.end();
  }
}
