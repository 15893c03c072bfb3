import { counted } from "../../domain/words.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { fault, ok, warning, type Check } from "./check.ts";
import { fewestConnections, usualConnections, type Duty } from "../../store/driver/limits.ts";
import type { Pooling } from "../../store/driver/route.ts";
import type { Capacity, Replica } from "../../store/server-state.ts";

/** The connections that the processes of a command open, and the words that say so. */
export type Need = {
  opens: string;
  connections: number;
  processes: number;
  /** The fewest connections that each of these processes can work with. */
  fewest: number;
  /** The same command with fewer servers; null: the command has one process. */
  withServers: ((webConcurrency: number) => Need) | null;
};

type Figures = { databaseConnections: number | null; webConcurrency: number };

const setTo = (most: number | null) => (most === null ? "" : ` with DATABASE_CONNECTIONS=${most}`);

/** The connections that `start` needs: those of one process, or those of several servers and one worker. */
export function needOfStart(figures: Figures): Need {
  const { webConcurrency, databaseConnections: most } = figures;
  const duties: Duty[] = webConcurrency === 1 ? ["all"] : [...Array<Duty>(webConcurrency).fill("serve"), "work"];
  const connections = duties.reduce((total, duty) => total + (most ?? usualConnections(duty)), 0);
  return {
    opens: `WEB_CONCURRENCY=${webConcurrency}${setTo(most)} opens up to ${connections} connections`,
    connections,
    processes: duties.length,
    fewest: Math.max(...duties.map(fewestConnections)),
    withServers: (fewer) => needOfStart({ ...figures, webConcurrency: fewer }),
  };
}

/** The connections that one process of this duty needs. */
export function needOf(duty: Duty, { databaseConnections: most }: Figures): Need {
  const connections = most ?? usualConnections(duty);
  return {
    opens: `This process${setTo(most)} opens up to ${connections} connections`,
    connections,
    processes: 1,
    fewest: fewestConnections(duty),
    withServers: null,
  };
}

/** The settings with which fewer connections are enough, as the end of a sentence. */
function settingsFor({ processes, fewest, withServers }: Need, webConcurrency: number, most: number): string {
  const servers = Array.from({ length: webConcurrency - 1 }, (_, n) => webConcurrency - 1 - n);
  const fewer = servers.find((count) => withServers && withServers(count).connections <= most);
  const each = Math.floor(most / processes);
  return [
    ...(fewer === undefined ? [] : [`, or set WEB_CONCURRENCY to ${fewer}`]),
    ...(each < fewest ? [] : [`, or set DATABASE_CONNECTIONS to ${each}`]),
  ].join("");
}

/**
 * Whether the server has enough connections for the processes, beside those of other programs. The narrowest limit is
 * told. Over a pooler, the sessions of PostgreSQL are the pooler's.
 */
export function judgeConnections(capacity: Capacity, need: Need, webConcurrency: number, pooling: Pooling): Check {
  const { maxConnections, reserved, role, roleLimit, database, databaseLimit, others } = capacity;
  const { opens, connections } = need;
  if (pooling !== "none")
    return ok("connections", `${opens} to a pooler, which must accept them (max_client_conn in PgBouncer)`);
  const limits = [
    {
      most: maxConnections - reserved,
      taken: others.all,
      whose: `max_connections (${maxConnections}, of which ${reserved} are reserved)`,
      remedy: (enough: number) => `Set max_connections to ${enough + reserved} or more, and restart PostgreSQL`,
    },
    {
      most: roleLimit ?? Infinity,
      taken: others.role,
      whose: `the connection limit of the role ${role}`,
      remedy: (enough: number) => `Give the role ${role} a CONNECTION LIMIT of ${enough} or more`,
    },
    {
      most: databaseLimit ?? Infinity,
      taken: others.database,
      whose: `the connection limit of the database ${database}`,
      remedy: (enough: number) => `Give the database ${database} a CONNECTION LIMIT of ${enough} or more`,
    },
  ];
  const left = (each: (typeof limits)[number]) => Math.max(0, each.most - each.taken);
  const narrowest = limits.reduce((least, each) => (left(each) < left(least) ? each : least));
  const { most, taken, whose, remedy } = narrowest;
  const free = left(narrowest);
  const used = taken === 0 ? "" : `, and other programs use ${taken} of them`;
  if (free >= connections) return ok("connections", `${opens}, and PostgreSQL allows ${most}${used}`);
  return warning(
    "connections",
    `${opens}, and ${whose} allows ${most}${used}: requests beyond that get 503`,
    `${remedy(connections + taken)}${settingsFor(need, webConcurrency, free)}. ` +
      "Other programs on the server need connections, too.",
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
