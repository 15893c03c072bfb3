import pg from "pg";
import type { Limits } from "./limits.ts";
import { toInstant } from "./stamp.ts";

const types = new pg.TypeOverrides();
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Money and counters are safe integers or an error: `pg` hands int8 and numeric over as text. */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, which is not a safe integer`);
  return value;
}

types.setTypeParser(INT8, toSafeInteger);
types.setTypeParser(NUMERIC, toSafeInteger);
types.setTypeParser(TIMESTAMPTZ, toInstant);

/**
 * The settings of a session. Where this process is cut off without a word, the server ends the session and releases its locks: in a
 * transaction after `idleMilliseconds`, else by the last four settings within 25 s. Those have no effect on a unix socket.
 */
function optionsOf({ statementMilliseconds, lockMilliseconds, idleMilliseconds }: Limits): string {
  const settings = {
    TimeZone: "UTC",
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

/** An address may bring options of its own (a search path, an endpoint), which would replace ours: ours come after them. */
function withOptions({ connectionString, ...connection }: pg.ClientConfig, ours: string): pg.ClientConfig {
  if (connectionString === undefined) return { ...connection, options: ours };
  const own = new URL(connectionString).searchParams.get("options");
  const options = encodeURIComponent([own, ours].filter(Boolean).join(" ")).replaceAll("%3D", "=");
  // Added to the text as it is, of which the last counts: written anew, a `+` or `%` in a password would become something else.
  return { ...connection, connectionString: `${connectionString}${connectionString.includes("?") ? "&" : "?"}options=${options}` };
}

/** How a connection is opened. Keepalives find within 20 s that the machine at the other end of an idle connection is gone. */
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

/** The socket below a client, which `pg` does not type. After a TLS handshake it is another one. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
