import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { isCopy } from "../actions/installation.ts";
import type { Context } from "../context.ts";
import { countHeld } from "../store/catch-up.ts";
import type { Read } from "../store/driver/db.ts";
import { countFailedLately } from "../store/failed-charges.ts";
import { secondsOverdue as emailsOverdue } from "../store/email-queue.ts";
import { lateStop } from "../actions/import/alarm.ts";
import { countAlarms } from "../store/import-cut-overs.ts";
import { countPauses } from "../store/payment-pauses.ts";
import { countDifferences } from "../store/provider-transactions.ts";
import { isUp } from "../store/probes.ts";
import { readQueueHeads } from "../store/queue-heads.ts";
import type { Replica } from "../store/replica.ts";
import { secondsOverdue as webhooksOverdue } from "../store/webhook-queue.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = {
  observe(operation: string, status: number, milliseconds: number): void;
  contentType: string;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
};

let processFigures: Registry | null = null;

/** Memory, CPU, event loop and garbage collection. These figures are the same for all servers of a process. */
function figuresOfProcess(): Registry {
  if (processFigures) return processFigures;
  processFigures = new Registry();
  // The delay of the event loop is sampled every 100 ms. Sampling every 10 ms, the default, takes 0.4 % of a core in an
  // idle process.
  collectDefaultMetrics({ register: processFigures, eventLoopMonitoringPrecision: 100 });
  return processFigures;
}

async function heldSubscriptions(db: Read): Promise<number> {
  return (await countHeld(db)).reduce((sum, each) => sum + each.subscriptions, 0);
}

/** Figures of the whole installation, read from the database. */
const GAUGES = [
  {
    name: "billow_held_subscriptions",
    help: "Subscriptions of live Organizations with due work that waits for node bin/billow.mjs catch-up --approve.",
    read: heldSubscriptions,
  },
  {
    name: "billow_payments_paused",
    help: "Accounts of Organizations whose payment provider refuses all charges, so that their charges wait.",
    read: countPauses,
  },
  {
    name: "billow_failed_charges_last_hour",
    help: "Charges of live Organizations without the buyer that began within the last hour and failed.",
    read: countFailedLately,
  },
  {
    name: "billow_provider_book_differences",
    help: "Differences between the books of connected payment providers and ours, by the last nightly comparison.",
    read: countDifferences,
  },
  {
    name: "billow_import_alarms",
    help: "Subscriptions of imports that both systems charge, or neither, such as after a cut-over that was cut off.",
    read: (db: Read) => countAlarms(db, lateStop()),
  },
  {
    name: "billow_webhook_overdue_seconds",
    help:
      "For how long the delivery that waits longest has been due, of those to endpoints that can be sent to; " +
      "0: none waits.",
    read: webhooksOverdue,
  },
  {
    name: "billow_email_overdue_seconds",
    help: "For how long the e-mail that waits longest has been due; 0: none waits.",
    read: emailsOverdue,
  },
] as const;

/** Figures of this process about the replica. */
function figuresOfReplica(replica: Replica): Registry {
  const registry = new Registry();
  const age: Gauge = new Gauge({
    name: "billow_read_replica_age_seconds",
    help: "How old the rows of the replica of DATABASE_READ_URL may be; not a number: the primary answers all reads.",
    registers: [],
    collect: () => age.set((replica.age() ?? NaN) / 1000),
  });
  const fallbacks = new Counter({
    name: "billow_read_replica_fallbacks_total",
    help: "Reads that the primary answered in place of the replica, which failed, lagged or did not answer.",
    registers: [],
    collect() {
      fallbacks.reset();
      fallbacks.inc(replica.fallbacks);
    },
  });
  for (const figure of [age, fallbacks]) registry.registerMetric(figure);
  return registry;
}

/** `probes` must answer or fail within a second. If `probes` fails, the figures of the process are still shown. */
export function createMetrics({
  probes,
  replica,
  log,
  installation,
}: Pick<Context, "probes" | "replica" | "log" | "installation">): Metrics {
  const db = probes.read;
  const registry = new Registry();
  const duration = new Histogram({
    name: "billow_http_request_duration_seconds",
    help: "Time from the request's headers to its answer.",
    labelNames: ["operation", "status"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const up = new Gauge({
    name: "billow_database_up",
    help: "1 while the database answers, else 0; then the figures that it is asked for are not a number.",
    registers: [registry],
  });
  const gauges = GAUGES.map(({ name, help, read }) => ({
    gauge: new Gauge({ name, help, registers: [registry] }),
    read,
  }));
  const overdue = new Gauge({
    name: "billow_queue_overdue_seconds",
    help: "For how long the first row of a queue of the worker has been due; 0: none is due.",
    labelNames: ["queue"] as const,
    registers: [registry],
  });
  async function askQueues(): Promise<void> {
    const heads = await readQueueHeads(db).catch(() => null);
    if (heads === null) return overdue.reset();
    for (const [queue, head] of heads) overdue.set({ queue }, Math.max(0, -(head ?? 0) / 1000));
  }
  const copy = new Gauge({
    name: "billow_copy_held",
    help:
      "1 while charges, refunds, e-mails and webhooks are held, because the database is a copy; " +
      "see node bin/billow.mjs adopt.",
    registers: [registry],
  });
  const figures = Registry.merge([registry, figuresOfProcess(), ...(replica ? [figuresOfReplica(replica)] : [])]);
  async function ask(): Promise<void> {
    // `isUp` is asked before all figures, so that a slow figure does not make the database look down.
    const answered = isUp(db).then((answers) => up.set(answers ? 1 : 0));
    const copied = isCopy({ db: probes, log, installation }).then(Number, () => NaN);
    const updated = gauges.map(async ({ gauge, read }) => gauge.set(await read(db).catch(() => NaN)));
    await Promise.all([answered, ...updated, askQueues(), copied.then((value) => copy.set(value))]);
  }
  let asking: Promise<void> | null = null;
  return {
    observe: (operation, status, milliseconds) => duration.observe({ operation, status }, milliseconds / 1000),
    contentType: figures.contentType,
    async text() {
      await (asking ??= ask().finally(() => (asking = null)));
      return figures.metrics();
    },
  };
}
