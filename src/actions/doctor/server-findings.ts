import { counted } from "../../domain/words.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { fault, ok, warning, type Check } from "./check.ts";
import type { Capacity, Replica } from "../../store/server-state.ts";

/** The most connections that a process opens: `serve`, `worker`, and `start` with both in one process. */
const SERVE = 20;
const WORKER = 24;
const BOTH = 44;

/** The most connections that `start` opens. */
const connectionsOf = (webConcurrency: number): number =>
  webConcurrency === 1 ? BOTH : webConcurrency * SERVE + WORKER;

/** The number of processes that this many connections carry, or 0. */
function processesFor(connections: number): number {
  if (connections < BOTH) return 0;
  return Math.max(1, Math.floor((connections - WORKER) / SERVE));
}

/** Whether the server accepts the connections of `webConcurrency` processes. The narrowest limit is told. */
export function judgeConnections(capacity: Capacity, webConcurrency: number): Check {
  const { maxConnections, reserved, role, roleLimit, database, databaseLimit } = capacity;
  const needed = connectionsOf(webConcurrency);
  const limits = [
    {
      most: maxConnections - reserved,
      whose: `max_connections (${maxConnections}, of which ${reserved} are reserved)`,
      remedy: `Set max_connections to ${needed + reserved} or more, and restart PostgreSQL`,
    },
    {
      most: roleLimit ?? Infinity,
      whose: `the connection limit of the role ${role}`,
      remedy: `Give the role ${role} a CONNECTION LIMIT of ${needed} or more`,
    },
    {
      most: databaseLimit ?? Infinity,
      whose: `the connection limit of the database ${database}`,
      remedy: `Give the database ${database} a CONNECTION LIMIT of ${needed} or more`,
    },
  ];
  const { most, whose, remedy } = limits.reduce((least, each) => (each.most < least.most ? each : least));
  const carried = `WEB_CONCURRENCY=${webConcurrency} opens up to ${needed} connections`;
  if (most >= needed) return ok("connections", `${carried}, and PostgreSQL allows ${most}`);
  const fewer = processesFor(most);
  const other = fewer > 0 ? `, or set WEB_CONCURRENCY to ${fewer}` : "";
  return warning(
    "connections",
    `${carried}, and ${whose} allows ${most}: requests beyond that get 503`,
    `${remedy}${other}. Other programs on the server need connections, too.`,
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${Math.ceil(bytes / 1_000_000)} MB`;
}

/** The commits that a promotion of a replica would lose. A replica that each commit waits for loses no commit. */
export function judgeReplicas(replicas: readonly Replica[], role: string): Check {
  if (replicas.length === 0) return ok("replicas", "no replica follows this server");
  const hidden = replicas.filter(({ isAwaited }) => isAwaited === null);
  if (hidden.length > 0)
    return warning(
      "replicas",
      `the role ${role} can't read how far ${counted(hidden.length, "replica")} of this server lags`,
      `Grant pg_read_all_stats to the role ${role}.`,
    );
  const behind = replicas.filter(({ isAwaited, bytes }) => !isAwaited && (bytes === null || bytes > 0));
  const lag = ({ bytes }: Replica) => bytes ?? Infinity;
  const [worst, ...others] = behind.toSorted((one, other) => lag(other) - lag(one));
  const awaited = replicas.filter(({ isAwaited }) => isAwaited).length;
  if (!worst)
    return ok(
      "replicas",
      `no commit is missing on ${counted(replicas.length, "replica")}; each commit waits for ${awaited} of them`,
    );
  const { name, bytes, seconds } = worst;
  const size = bytes === null ? "has confirmed no commit yet" : `is ${sizeOf(bytes)} behind`;
  const time = seconds === null ? " and is not connected" : ` (${seconds} s)`;
  const more = others.length > 0 ? ` (and ${counted(others.length, "other")} less)` : "";
  return warning(
    "replicas",
    `the replica ${name} ${size}${time}${more}: its promotion now loses the charges of that time`,
    "Name the replica in synchronous_standby_names, so that each commit waits for it. " +
      "After a promotion see docs/operating/copies.md.",
  );
}

/** The charges that wait since PostgreSQL began another timeline. `differences`: more than before. */
export type HeldCharges = { since: Instant; differences: number; isCompared: boolean };

/** The accounts with off-session charges that wait (rule D1d). `isNoticed`: a worker has looked at the present timeline. */
export function judgePromotion(held: readonly HeldCharges[], isNoticed: boolean): Check {
  const lost = "PostgreSQL was promoted or restored, and may have lost commits";
  if (!isNoticed)
    return warning(
      "promotion",
      `${lost}: the next worker holds off-session charges`,
      "Start a worker, and run this again.",
    );
  const [first] = held;
  if (!first) return ok("promotion", "no charge waits for a comparison with a provider's book");
  const accounts = `off-session charges of ${counted(held.length, "account")} wait since ${formatInstant(first.since)}`;
  const differences = held.filter(({ isCompared }) => isCompared).reduce((sum, each) => sum + each.differences, 0);
  if (differences <= 0)
    return warning(
      "promotion",
      `${lost}: ${accounts} for the provider's book`,
      "Wait: the book shows this time about ten minutes later, and charges go on by themselves if the books agree.",
    );
  return fault(
    "promotion",
    `${lost}: ${accounts}, and the provider's book shows ${counted(differences, "new difference")}`,
    "Run node bin/billow.mjs verify and settle each difference. Then node bin/billow.mjs adopt lets the charges go on.",
  );
}
