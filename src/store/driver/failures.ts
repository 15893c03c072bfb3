import pg from "pg";
import type { Needed } from "../../database-address.ts";
import { AppError, RETRY_SOON } from "../../errors.ts";

export const SERIALIZATION_FAILURES: ReadonlySet<string> = new Set(["40001", "40P01"]);
/** The SQLSTATEs of a prepared statement that no longer fits because the schema has changed. */
export const STALE_PLANS: ReadonlySet<string> = new Set(["0A000", "26000"]);
/** The SQLSTATE of a plan whose result had other columns. */
export const OTHER_COLUMNS = "0A000";
/**
 * The SQLSTATEs of a server that can't work at the moment: connections (08), authentication (28), no such database
 * (3D), resources and full disk (53), shutdown and recovery (57), disk errors (58), a lock not released, a read-only
 * server.
 */
const UNABLE = /^(08|28|3D|53|57|58|55P03|25006)/;

/** The SQLSTATE of a database error, or null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

const UNIQUE_VIOLATION = "23505";
/** The code of an error that came from another node of a distributed PostgreSQL. */
const INTERNAL_ERROR = "XX000";
const DUPLICATE_KEY = /duplicate key value violates unique constraint "(.+)"/;

/**
 * The unique index or constraint that a write violated, or null. A distributed PostgreSQL adds the number of the shard
 * to the name, and gives a name of another node only in the message. No name of ours ends in a number.
 */
export function violated(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError)) return null;
  const { code, constraint, message } = error;
  const isDuplicate = code === UNIQUE_VIOLATION || code === INTERNAL_ERROR;
  const named = code === UNIQUE_VIOLATION && constraint ? constraint : isDuplicate && DUPLICATE_KEY.exec(message)?.[1];
  return named ? named.replace(/_\d+$/, "") : null;
}

const racedKeys = new Set<string>();

/**
 * Names unique indexes or constraints whose keys two transactions may take at the same moment. `Database.tx` runs the
 * second transaction again. The names stand beside their table.
 */
export function expectRaces(...names: string[]): void {
  for (const name of names) racedKeys.add(name);
}

/** Whether a write lost such a race. */
export const isRaced = (error: unknown): boolean => racedKeys.has(violated(error) ?? "");

/** No answer came in time: the work may or may not have been done. */
export class CallTimeout extends Error {
  readonly code = "ETIMEDOUT";
  constructor(milliseconds: number) {
    super(`PostgreSQL has not answered for ${milliseconds / 1000} s`);
  }
}

/** A new connection failed, before any statement was sent. The cause is the error of the driver or the server. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super(`not connected: ${(cause as Error).message}`, { cause });
  }
}

/** A server that refuses writes where one is needed that takes them, or one that is no replica. */
export class NotAsNeeded extends Error {
  constructor(host: string, needed: Needed) {
    super(needed === "writes" ? `${host} takes no writes` : `${host} is no replica`);
  }
}

/** Codes of a failed TLS handshake, and of TLS that broke later. */
const TLS_CODES =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)|CRL_|HOSTNAME_)/;
/** Messages of the driver, which has no codes for these. */
const TLS_MESSAGES = /does not support SSL connections|error establishing an SSL connection/;

/** Whether the client and the server could not agree on TLS. */
export function isEncryptionError(error: unknown): boolean {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  return TLS_CODES.test(code ?? "") || TLS_MESSAGES.test(message ?? "");
}

const LOST =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|encountered a connection error|not queryable/i;

export function isConnectionError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  if (isEncryptionError(error)) return true;
  if (code && /^(ECONN|EPIPE|ENOENT|EAGAIN|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code)) return true;
  return LOST.test(error.message);
}

/** Messages of Citus about a broken connection to a node. The first one comes as an internal error. */
const NODE_LOST = /^(failure on connection marked as essential|connection to the remote node)\b/;
/**
 * Whether the connection from the coordinator to a node of a distributed PostgreSQL broke during a statement. The
 * transaction is not committed. The coordinator keeps such connections, so those to a restarted node break once.
 */
export const isNodeLost = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && NODE_LOST.test(error.message);

/**
 * Citus got no answer to COMMIT from a node, so the transaction may have been committed or not. The error comes as an
 * internal one.
 */
const COMMIT_IN_DOUBT = /^could not commit transaction for shard\b/;
const isInDoubt = (error: unknown): boolean => error instanceof pg.DatabaseError && COMMIT_IN_DOUBT.test(error.message);

/** The 503 for an unavailable database. */
export function refuseForNow(cause: unknown): AppError {
  return new AppError("unavailable", { headers: RETRY_SOON, cause });
}

/**
 * Turns the error of an unavailable database into a 503, and also that of a transaction that lost to others at each
 * attempt. Neither error says that the request is wrong. A connection that fails is an unavailable database, for
 * whichever reason.
 */
export function unavailable(error: unknown): unknown {
  if (error instanceof NotConnected) return refuseForNow(error.cause);
  const state = sqlState(error);
  const lost =
    state === null
      ? !(error instanceof AppError) && error instanceof Error && isConnectionError(error)
      : UNABLE.test(state) || SERIALIZATION_FAILURES.has(state) || isNodeLost(error) || isInDoubt(error);
  return lost ? refuseForNow(error) : error;
}
