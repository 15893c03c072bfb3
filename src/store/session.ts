import pg from "pg";
import type { Limits } from "./limits.ts";
import { toInstant } from "./stamp.ts";

const types = new pg.TypeOverrides();
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Reads int8 and numeric, which `pg` hands over as text. A value that is not a safe integer is an error. */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, which is not a safe integer`);
  return value;
}

types.setTypeParser(INT8, toSafeInteger);
types.setTypeParser(NUMERIC, toSafeInteger);
types.setTypeParser(TIMESTAMPTZ, toInstant);

/**
 * The settings of a session. If this process loses its connection without a close, the server ends the session and
 * releases its locks: within a transaction after `idleMilliseconds`, otherwise within 25 s by the last four settings.
 * Those four have no effect on a unix socket.
 */
function optionsOf({ statementMilliseconds, lockMilliseconds, idleMilliseconds }: Limits): string {
  const settings = {
    TimeZone: "UTC",
    // The statements are short and their plans are kept. PostgreSQL 15 to 17 would compile such a plan at each call,
    // for up to a second, if its cost is estimated high.
    jit: "off",
    statement_timeout: statementMilliseconds,
    lock_timeout: lockMilliseconds,
    idle_in_transaction_session_timeout: idleMilliseconds,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25_000,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/**
 * Appends our options to those in the connection URL (a search path, an endpoint): a separate field would replace ours.
 */
function withOptions({ connectionString, ...connection }: pg.ClientConfig, ours: string): pg.ClientConfig {
  if (connectionString === undefined) return { ...connection, options: ours };
  const own = new URL(connectionString).searchParams.get("options");
  const options = encodeURIComponent([own, ours].filter(Boolean).join(" ")).replaceAll("%3D", "=");
  // Appended to the URL as text: of several `options` the last one counts. A URL that is parsed and written anew could
  // change a `+` or `%` in the password.
  return {
    ...connection,
    connectionString: `${connectionString}${connectionString.includes("?") ? "&" : "?"}options=${options}`,
  };
}

/** The configuration of a connection. Keepalives detect within 20 s that the server of an idle connection is gone. */
export function sessionConfig(connection: pg.ClientConfig, limits: Limits): pg.ClientConfig & { pipeline: true } {
  return {
    ...withOptions(connection, optionsOf(limits)),
    types,
    application_name: "billow",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: Math.min(5_000, limits.milliseconds),
    pipeline: true,
  };
}

type Socket = { cork(): void; uncork(): void; write(data: Uint8Array): void; destroy(error?: Error): void };

/** The socket below a client, which `pg` does not type. A TLS handshake replaces it. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
