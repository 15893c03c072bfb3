import { sql, type Read } from "../../src/store/driver/db.ts";
import { until } from "./until.ts";

const waitingStatement = sql(
  "test.waiting",
  "SELECT 1 AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
);

/** The number of transactions that wait for a lock in this database. */
export async function lockWaiters(read: Read): Promise<number> {
  return (await read.query(waitingStatement)).length;
}

/** Waits until a transaction waits for a lock. */
export async function untilLocked(read: Read): Promise<void> {
  await until(async () => (await lockWaiters(read)) > 0);
}
