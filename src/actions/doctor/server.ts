import type { Context } from "../../context.ts";
import { skipped, type Check } from "./check.ts";
import { judgeSize } from "./findings.ts";
import { judgeConnections, judgeReplicas, needOf, needOfStart } from "./server-findings.ts";
import { sqlState } from "../../store/driver/failures.ts";
import type { Duty } from "../../store/driver/limits.ts";
import { readCapacity, readReplicas, readSize } from "../../store/server-state.ts";

/** A distributed PostgreSQL and some managed ones lack a view or forbid its functions: feature, permission, name. */
const NOT_SHOWN = /^(0A|42)/;

/**
 * Whether the server of PostgreSQL carries the processes, and whether its replicas have every commit. Reads settings
 * and statistics of the server only.
 */
export async function checkServer({ db, config }: Pick<Context, "db" | "config">): Promise<Check[]> {
  const capacity = await readCapacity(db.read);
  const connections = judgeConnections(capacity, needOfStart(config), config.webConcurrency, db.pooling());
  try {
    return [connections, judgeReplicas(await readReplicas(db.read), capacity.role)];
  } catch (error) {
    if (!NOT_SHOWN.test(sqlState(error) ?? "")) throw error;
    return [connections, skipped("replicas", "this server does not show its replicas")];
  }
}

/** The size of the database, by the last statistics of PostgreSQL. The coordinator of a cluster lacks the rows. */
export async function checkSize({ db, config }: Pick<Context, "db" | "config">): Promise<Check> {
  if (db.isDistributed()) return skipped("size", "the rows are on the nodes of a cluster");
  try {
    return judgeSize(await readSize(db.read), config.retention.events);
  } catch (error) {
    if (!NOT_SHOWN.test(sqlState(error) ?? "")) throw error;
    return skipped("size", "this server does not show the size of the database");
  }
}

/** Whether the server has enough connections for this process alone, which `serve` or `worker` began. */
export async function checkConnections({ db, config }: Pick<Context, "db" | "config">, duty: Duty): Promise<Check> {
  return judgeConnections(await readCapacity(db.read), needOf(duty, config), 1, db.pooling());
}
