import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { customerAt, organizationAt, subscriptionAt } from "./copies.ts";
import { cpuOf, memoryOf, PostgresCpu } from "./cpu.ts";
import {
  bystander,
  createCrowd,
  lastOrganization,
  originOf,
  startServer,
  startWorker,
  type Crowd,
} from "./due-crowd.ts";
import { install, type Installation, type Running } from "./installation.ts";
import { probe, type Latencies, type Probe } from "./probes.ts";

export type Options = {
  size: number;
  organizations: number;
  workers: number;
  provider: "sandbox" | "slow";
  /** Whether one of the workers is killed half-way. */
  kill: boolean;
  /** Seconds of each measurement of an idle installation. */
  idle: number;
  /** Seconds for all other steps before the crowd is due, without seeding. */
  lead: number;
  /** The directory with the programs of an installed PostgreSQL. Left out: the embedded one. */
  postgres?: string;
};

/** A crowd that will soon be due in the database `billow`, and a full copy in `twin`, without workers. */
export type Workload = { installation: Installation; crowd: Crowd };

/** Processor time in milliseconds: of Node (all workers) and of PostgreSQL. */
export type Cpu = { node: number; postgres: number };

export type Figures = {
  /** From the instant at which the whole crowd is due until its last renewal is paid. */
  seconds: number;
  /** For one renewal, without the time for the e-mails that were written meanwhile. */
  cpu: Cpu;
  /** For one e-mail. `emails`: the number of e-mails that the mailer wrote at its own pace during the run. */
  email: Cpu;
  emails: number;
  /** For one second of idle workers. Null if the crowd was due before the workers had started. */
  idle: Cpu | null;
  transactions: number;
  statements: number;
  /** The highest figures of any worker, in MB. */
  memory: { peak: number; share: number };
  quiet: Latencies[];
  busy: Latencies[];
  /** The number of renewals paid in each second since the crowd was due. */
  rates: number[];
};

/** An upper bound for seeding one Subscription and copying it to the twin. */
const SECONDS_EACH = 0.001;

export async function prepare({ size, organizations, idle, lead, postgres }: Options): Promise<Workload> {
  const installation = await install(postgres);
  try {
    const client = await installation.connect("bench");
    const seconds = lead + 2 * idle + size * SECONDS_EACH;
    const crowd = await createCrowd(installation, client, { size, organizations, seconds });
    await client.end();
    const maintenance = await installation.connect("bench", "postgres");
    await maintenance.query("CREATE DATABASE twin TEMPLATE billow STRATEGY file_copy");
    await maintenance.end();
    return { installation, crowd };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

/** The probes read Subscriptions of the crowd, and change other Subscriptions that are not due. */
function probesOf({ size, organizations, keys }: Crowd): Probe[] {
  const any = () => organizations * (1 + Math.floor(Math.random() * Math.floor(size / organizations)));
  const flip = (n: number) => ({ cancelAtPeriodEnd: n % 2 === 0 });
  return [
    {
      name: "GET subscription",
      perSecond: 20,
      key: keys.crowd,
      request: () => ({ method: "GET", path: `/subscriptions/${subscriptionAt(any())}` }),
    },
    {
      name: "GET grants",
      perSecond: 20,
      key: keys.crowd,
      request: () => ({ method: "GET", path: `/benefit-grants?customerId=${customerAt(any())}` }),
    },
    {
      name: "PATCH",
      perSecond: 10,
      key: keys.bystanders,
      request: (n) => ({ method: "PATCH", path: `/subscriptions/${bystander(n >> 1)}`, body: flip(n) }),
    },
  ];
}

/** The workers of a run. The processor time of a killed worker is kept. */
class Workers {
  readonly #begin: () => Promise<Running>;
  readonly #running: Running[] = [];
  #gone = 0;
  readonly memory = { peak: 0, share: 0 };

  constructor(installation: Installation, provider: Options["provider"]) {
    this.#begin = () =>
      provider === "sandbox"
        ? startWorker(installation)
        : installation.start(["bench/slow-worker.ts"], "worker", /Billow carries out due work/);
  }

  async start(): Promise<void> {
    this.#running.push(await this.#begin());
  }

  cpu(): number {
    return this.#gone + this.#running.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
  }

  look(): void {
    for (const { pid } of this.#running) {
      const { peak, share } = memoryOf(pid);
      this.memory.peak = Math.max(this.memory.peak, peak);
      this.memory.share = Math.max(this.memory.share, share);
    }
  }

  /** Kills one worker and starts another in its place. */
  async replace(): Promise<void> {
    const [victim] = this.#running.splice(0, 1);
    this.#gone += cpuOf(victim!.pid);
    await victim!.stop("SIGKILL");
    await this.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.stop("SIGTERM")));
  }
}

const DUE = "SELECT 1 FROM subscriptions WHERE due_at <= $1 AND NOT simulated AND held_at IS NULL LIMIT 1";
const UNPAID = "SELECT 1 FROM payments WHERE check_at IS NOT NULL LIMIT 1";
const SAMPLE = 500;
const RENEWED = `SELECT count(*)::integer AS renewed FROM unnest($1::text[], $2::text[]) AS asked (organization_id, id)
  JOIN subscriptions s USING (organization_id, id) WHERE s.due_at > $3`;

/** Waits until the whole crowd is renewed and paid. Calls `half` once, when half of a sample is renewed. */
async function followCrowd(
  client: pg.Client,
  crowd: Crowd,
  workers: Workers,
  half: () => Promise<void>,
): Promise<void> {
  const due = new Date(crowd.dueAt);
  const pick = () => 1 + Math.floor(Math.random() * crowd.size);
  const sample = [...new Set(Array.from({ length: SAMPLE }, pick))];
  const asked = [sample.map((n) => organizationAt(n % crowd.organizations)), sample.map(subscriptionAt), due];
  const has = async (text: string, values: unknown[]) => (await client.query(text, values)).rows.length > 0;
  let loggedHalf = false;
  for (let n = 0; (await has(DUE, [due])) || (await has(UNPAID, [])); n += 1) {
    workers.look();
    const { rows } = await client.query<{ renewed: number }>(RENEWED, asked);
    const part = rows[0]!.renewed / sample.length;
    if (n % 40 === 0) console.error(`${Math.round(part * 100)} % are renewed`);
    if (part >= 0.5 && !loggedHalf) {
      loggedHalf = true;
      await half();
    }
    await sleep(crowd.size > 10_000 ? 500 : 100);
  }
  workers.look();
}

const COUNTED = `SELECT coalesce(sum(calls) FILTER (WHERE query ~* '^(COMMIT|END)'), 0)::float8 AS transactions,
    coalesce(sum(calls) FILTER (WHERE query !~* '^(BEGIN|START|COMMIT|END|ROLLBACK)'), 0)::float8 AS statements
  FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
  WHERE r.rolname = 'worker' AND s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const RATES = `SELECT floor(extract(epoch FROM settled_at - $1))::integer AS second, count(*)::integer AS paid
  FROM payments
  WHERE organization_id <= $2 AND purpose = 'renewal' AND status = 'succeeded' GROUP BY 1`;

async function ratesOf(client: pg.Client, crowd: Crowd, began: number): Promise<number[]> {
  const { rows } = await client.query<{ second: number; paid: number }>(RATES, [
    new Date(began),
    lastOrganization(crowd),
  ]);
  const rates: number[] = Array.from({ length: 1 + Math.max(0, ...rows.map(({ second }) => second)) }, () => 0);
  for (const { second, paid } of rows) rates[Math.max(second, 0)] = (rates[Math.max(second, 0)] ?? 0) + paid;
  return rates;
}

type Meter = { read(): Promise<Cpu & { at: number }> };

/** The processor time per second between two readings. */
const aSecond = (from: Cpu & { at: number }, to: Cpu & { at: number }): Cpu => {
  const seconds = (to.at - from.at) / 1000;
  return { node: (to.node - from.node) / seconds, postgres: (to.postgres - from.postgres) / seconds };
};

const WRITTEN = "SELECT count(*)::integer AS emails FROM emails WHERE status = 'kept'";
const emailsOf = async (client: pg.Client) => (await client.query<{ emails: number }>(WRITTEN)).rows[0]!.emails;

/** The processor time of an e-mail, measured while the workers have no other work. */
async function measureEmails(
  client: pg.Client,
  meter: Meter,
  { seconds, idle }: { seconds: number; idle: Cpu | null },
): Promise<Cpu> {
  const [began, from] = [await emailsOf(client), await meter.read()];
  await sleep(seconds * 1000);
  const [taken, to] = [aSecond(from, await meter.read()), await emailsOf(client)];
  const each = (name: keyof Cpu) =>
    (Math.max(0, taken[name] - (idle?.[name] ?? 0)) * seconds) / Math.max(1, to - began);
  return { node: each("node"), postgres: each("postgres") };
}

/**
 * Starts the workers before the crowd is due, and measures the renewals. Server and workers are separate processes,
 * as in production.
 */
export async function measure({ installation, crowd }: Workload, options: Options): Promise<Figures> {
  const client = await installation.connect("bench");
  // The queries for the remaining work must not read whole tables.
  await client.query("SET enable_seqscan = off");
  const postgres = new PostgresCpu(installation.postgres, client);
  const server = await startServer(installation);
  const base = `${originOf(server)}/public/v2`;
  const probes = probesOf(crowd);
  // This run opens the connections and plans the statements before any measurement.
  await probe(base, probes, sleep(1000));
  const quiet = await probe(base, probes, sleep(options.idle * 1000));
  const workers = new Workers(installation, options.provider);
  const meter: Meter = { read: async () => ({ node: workers.cpu(), postgres: await postgres.read(), at: Date.now() }) };
  for (let n = 0; n < options.workers; n += 1) await workers.start();
  // The workers need a second to finish starting. The measurement of idle workers needs at least half a second.
  const isLate = Date.now() > crowd.dueAt - 1500;
  if (isLate) console.error("the crowd is due before the workers are ready");
  else await sleep(1000);
  const settled = await meter.read();
  await sleep(Math.max(0, crowd.dueAt - Date.now()));
  const idle = isLate ? null : aSecond(settled, await meter.read());
  const written = await emailsOf(client);
  await client.query("SELECT pg_stat_statements_reset()");
  const before = await meter.read();
  const work = followCrowd(client, crowd, workers, () => (options.kill ? workers.replace() : Promise.resolve()));
  const busy = await Promise.all([probe(base, probes, work), work]).then(([found]) => found);
  const after = await meter.read();
  const counted = (await client.query<{ transactions: number; statements: number }>(COUNTED)).rows[0]!;
  const emails = (await emailsOf(client)) - written;
  const email = await measureEmails(client, meter, { seconds: options.idle, idle });
  await workers.stop();
  await server.stop("SIGTERM");
  const seconds = (after.at - before.at) / 1000;
  const each = (name: keyof Cpu) => (after[name] - before[name] - emails * email[name]) / crowd.size;
  const rates = await ratesOf(client, crowd, before.at);
  await client.end();
  return {
    seconds,
    cpu: { node: each("node"), postgres: each("postgres") },
    email,
    emails,
    idle,
    transactions: counted.transactions / crowd.size,
    statements: counted.statements / crowd.size,
    memory: workers.memory,
    quiet,
    busy,
    rates,
  };
}

const ODD = `WITH renewal AS (
    SELECT i.organization_id, i.subscription_id, count(DISTINCT i.id) AS invoices, count(p.id) AS payments,
    count(c.key) AS charges
    FROM invoices i
    LEFT JOIN payments p ON (p.organization_id, p.invoice_id) = (i.organization_id, i.id)
    LEFT JOIN sandbox_charges c ON (c.organization_id, c.key) = (p.organization_id, p.provider_key)
      AND c.status = 'succeeded'
    WHERE i.reason = 'renewal' AND i.organization_id <= $1 GROUP BY 1, 2)
  SELECT count(*)::integer AS seen, count(*) FILTER (WHERE s.period_number <> 2 OR s.status <> 'active'
  OR r.invoices IS DISTINCT FROM 1
    OR r.payments IS DISTINCT FROM 1 OR r.charges IS DISTINCT FROM 1)::integer AS odd
  FROM subscriptions s LEFT JOIN renewal r ON (r.organization_id, r.subscription_id) = (s.organization_id, s.id)
  WHERE s.organization_id <= $1`;

/** The number of rows of the crowd in each table. */
async function rowsOf(client: pg.Client, crowd: Crowd): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const table of crowd.schema.keys()) {
    if (table === "organizations" || table === "api_keys") continue;
    const text = `SELECT count(*)::integer AS rows FROM ${table} WHERE organization_id <= $1`;
    rows.set(table, (await client.query<{ rows: number }>(text, [lastOrganization(crowd)])).rows[0]!.rows);
  }
  return rows;
}

/**
 * The faults after both runs, in words: a Subscription that was not renewed and paid exactly once, a disagreement
 * that `billow verify` finds, or a table in which Billow and set-based SQL wrote different numbers of rows.
 */
export async function complaints({ installation, crowd }: Workload): Promise<string[]> {
  const found: string[] = [];
  const counts: Map<string, number>[] = [];
  for (const database of ["billow", "twin"]) {
    const client = await installation.connect("bench", database);
    const { seen, odd } = (await client.query<{ seen: number; odd: number }>(ODD, [lastOrganization(crowd)])).rows[0]!;
    if (seen !== crowd.size) found.push(`${database}: there are ${seen} Subscriptions instead of ${crowd.size}`);
    if (odd > 0) found.push(`${database}: ${odd} Subscriptions were not renewed and paid exactly once`);
    counts.push(await rowsOf(client, crowd));
    await client.end();
    await installation.command(["verify"], database).catch((error: Error & { stdout?: string }) => {
      const report = JSON.parse(error.stdout || "{}") as { disagreements?: { rule: string; count: number }[] };
      const rules = report.disagreements?.map(({ rule, count }) => `${rule} (${count})`) ?? [error.message];
      found.push(`${database}: billow verify disagrees: ${rules.join(", ")}`);
    });
  }
  const [ours, theirs] = counts;
  for (const [table, rows] of ours!) {
    if (theirs!.get(table) !== rows)
      found.push(`${table}: Billow has ${rows} rows, set-based SQL ${theirs!.get(table)}`);
  }
  return found;
}
