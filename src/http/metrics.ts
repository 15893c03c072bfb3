import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { countHeld } from "../store/catch-up.ts";
import type { Read } from "../store/db.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = {
  observe(operation: string, status: number, milliseconds: number): void;
  contentType: string;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
};

let processFigures: Registry | null = null;

/** Memory, CPU, event loop and garbage collection: of the process, so once in it. */
function figuresOfProcess(): Registry {
  if (processFigures) return processFigures;
  processFigures = new Registry();
  collectDefaultMetrics({ register: processFigures });
  return processFigures;
}

/** Of the whole installation; not a number while the database can't be asked. */
async function heldSubscriptions(db: Read): Promise<number> {
  const counts = await countHeld(db).catch(() => [{ subscriptions: NaN }]);
  return counts.reduce((sum, each) => sum + each.subscriptions, 0);
}

export function createMetrics(db: Read): Metrics {
  const registry = new Registry();
  const duration = new Histogram({
    name: "billow_http_request_duration_seconds",
    help: "Time from the request's headers to its answer.",
    labelNames: ["operation", "status"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const held = new Gauge({
    name: "billow_held_subscriptions",
    help: "Subscriptions of live Organizations on which what is due waits for billow catch-up --approve.",
    registers: [registry],
  });
  const figures = Registry.merge([registry, figuresOfProcess()]);
  return {
    observe: (operation, status, milliseconds) => duration.observe({ operation, status }, milliseconds / 1000),
    contentType: figures.contentType,
    async text() {
      held.set(await heldSubscriptions(db));
      return figures.metrics();
    },
  };
}
