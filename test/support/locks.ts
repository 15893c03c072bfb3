import { sql, type Read } from "../../src/store/driver/db.ts";
import { until } from "./until.ts";

const waitersIn = (sessions: string) =>
  `SELECT 1 AS waits FROM ${sessions} WHERE datname = current_database() AND wait_event_type = 'Lock'`;
/** On a cluster a transaction waits on the node of its rows, and its session on the coordinator waits for the node. */
const waitingStatement = sql("test.waiting", waitersIn("pg_stat_activity"), waitersIn("citus_stat_activity"));

/** The number of transactions that wait for a lock in this database. */
export async function lockWaiters(read: Read): Promise<number> {
  return (await read.query(waitingStatement)).length;
}

/** Waits until a transaction waits for a lock. */
export async function untilLocked(read: Read): Promise<void> {
  await until(async () => (await lockWaiters(read)) > 0);
}
