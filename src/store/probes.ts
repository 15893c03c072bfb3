import type { Instant } from "../domain/calendar.ts";
import { AppError } from "../errors.ts";
import { sql, type Database, type Read } from "./driver/db.ts";
import { sqlState } from "./driver/failures.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

const pingStatement = sql("probes.ping", "SELECT 1");

/** Whether the database answers. */
export async function isUp(db: Read): Promise<boolean> {
  return db.query(pingStatement).then(
    () => true,
    () => false,
  );
}

const serverStatement = sql(
  "probes.server",
  `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
     ${REAL_NOW} AS now`,
);

/** The server's version, as text and as `server_version_num`, and its clock. */
export async function readServer(db: Read): Promise<{ version: string; number: number; now: Instant }> {
  const [row] = await db.query<{ version: string; number: number; now: Instant }>(serverStatement);
  return row!;
}

const LOCK_NOT_AVAILABLE = "55P03";
/** A disk that takes this long for 64 KB serves no request in time. */
const LIMIT_MILLISECONDS = 5_000;

// A new file needs free pages on the disk. An updated row would find room in its page even on a full disk.
const emptyStatement = sql("probes.empty", "TRUNCATE write_probe");
const fillStatement = sql("probes.fill", "INSERT INTO write_probe SELECT generate_series(1, 2000)");

/**
 * Replaces the 64 KB that the last probe wrote. Returns the reason if the database can't be written to, otherwise null.
 * The answer is also null if a dump has locked the table, or if the role may not truncate the table.
 */
export async function whyUnwritable(db: Database): Promise<unknown> {
  try {
    await db.tx(async (tx) => {
      tx.send(emptyStatement, []);
      tx.send(fillStatement, []);
    }, LIMIT_MILLISECONDS);
    return null;
  } catch (error) {
    const isUnable = error instanceof AppError && sqlState(error.cause) !== LOCK_NOT_AVAILABLE;
    return isUnable ? error.cause : null;
  }
}
