/** A handle's number of connections, and the time limits of its calls. */
export type Limits = {
  /** Connections that single statements share. */
  reads: number;
  /** The most connections for transactions. */
  transactions: number;
  /** Milliseconds without an answer after which a call fails and its connection is closed. */
  milliseconds: number;
  /**
   * `call`: the limit `milliseconds` covers a whole read or transaction, with its waiting and repeats. `statement`: the
   * limit begins anew with each statement.
   */
  per: "call" | "statement";
  /** The server's own time limits: for a statement, for a lock wait, for an idle transaction. */
  statementMilliseconds: number;
  lockMilliseconds: number;
  idleMilliseconds: number;
};

/**
 * For requests. Once the database has given no answer in time, further calls wait only 1 s, so a request with several
 * calls ends within 10 s.
 */
export const FOR_REQUESTS: Limits = {
  reads: 2,
  transactions: 16,
  milliseconds: 7_500,
  per: "call",
  statementMilliseconds: 7_000,
  lockMilliseconds: 5_000,
  idleMilliseconds: 10_000,
};

/**
 * For commands, the worker, webhooks and e-mail. The server's limit ends a statement before `milliseconds` are over.
 */
export const FOR_WORK: Limits = {
  reads: 2,
  transactions: 10,
  milliseconds: 35_000,
  per: "statement",
  statementMilliseconds: 30_000,
  lockMilliseconds: 10_000,
  idleMilliseconds: 20_000,
};

/** For `/readyz`, which reads and writes within 2 s, and `/metrics`, which answers within 1 s. */
export const FOR_PROBES: Limits = {
  reads: 1,
  transactions: 1,
  milliseconds: 800,
  per: "call",
  statementMilliseconds: 4_500,
  lockMilliseconds: 400,
  idleMilliseconds: 5_000,
};

/**
 * For the reads of requests on a replica. A read without an answer is asked again on the primary, and the request still
 * ends within 10 s.
 */
export const FOR_REPLICA: Limits = {
  reads: 2,
  transactions: 0,
  milliseconds: 2_000,
  per: "call",
  statementMilliseconds: 1_900,
  lockMilliseconds: 1_900,
  idleMilliseconds: 5_000,
};

/** The parts of a process that have connections of their own, so that they can't starve each other. */
export type Part = "requests" | "work" | "deliveries" | "probes";
/** The duty of a process: `start` in one process, `serve`, `worker`, or another command. */
export type Duty = "all" | "serve" | "work" | "command";

const PARTS: Readonly<Record<Duty, readonly Part[]>> = {
  all: ["requests", "work", "deliveries", "probes"],
  serve: ["requests", "probes"],
  work: ["work", "deliveries"],
  command: ["work"],
};
const LIMITS: Readonly<Record<Part, Limits>> = {
  requests: FOR_REQUESTS,
  work: FOR_WORK,
  deliveries: FOR_WORK,
  probes: FOR_PROBES,
};
/** The fewest connections of a part for transactions, besides one for reads. */
const FEWEST: Readonly<Record<Part, number>> = { requests: 2, work: 2, deliveries: 1, probes: 1 };

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** The most connections of a process that does this, unless an operator sets another figure. */
export const usualConnections = (duty: Duty): number =>
  sum(PARTS[duty].map((part) => LIMITS[part].reads + LIMITS[part].transactions));

/** The fewest connections with which a process does this. */
export const fewestConnections = (duty: Duty): number => sum(PARTS[duty].map((part) => 1 + FEWEST[part]));

/**
 * The limits of each part of a process that opens `most` connections. Transactions share the rest of the connections
 * in the proportion of the usual figures. Null: the usual figures.
 * @throws RangeError below `fewestConnections`
 */
export function divide(duty: Duty, most: number | null): ReadonlyMap<Part, Limits> {
  const parts = PARTS[duty];
  if (most === null) return new Map(parts.map((part) => [part, LIMITS[part]]));
  if (most < fewestConnections(duty)) throw new RangeError(`${most} connections are too few`);
  const isScarce = most < usualConnections(duty) / 2;
  const readsOf = (part: Part) => (isScarce ? 1 : LIMITS[part].reads);
  const rest = most - sum(parts.map((part) => readsOf(part) + FEWEST[part]));
  // Probes need no more than one.
  const sharing: Part[] = parts.filter((part) => part !== "probes");
  const weights = sum(sharing.map((part) => LIMITS[part].transactions));
  const shares = new Map<Part, number>(
    sharing.map((part) => [part, Math.floor((rest * LIMITS[part].transactions) / weights)]),
  );
  const first = sharing[0]!;
  shares.set(first, shares.get(first)! + rest - sum([...shares.values()]));
  const limitsOf = (part: Part): Limits => ({
    ...LIMITS[part],
    reads: readsOf(part),
    transactions: FEWEST[part] + (shares.get(part) ?? 0),
  });
  return new Map(parts.map((part) => [part, limitsOf(part)]));
}
