/** How many connections a handle has, and how long anything asked of it may take. */
export type Limits = {
  /** Connections that single statements share. */
  reads: number;
  /** Connections of transactions at the most. */
  transactions: number;
  /** After how many milliseconds without an answer a call has failed and its connection is closed. */
  milliseconds: number;
  /** Whether `milliseconds` count for a whole read or transaction with its waiting and repeats, or begin anew with each statement. */
  per: "call" | "statement";
  /** The time limits of the server itself: for a statement, for waiting for a lock, for an idle transaction. */
  statementMilliseconds: number;
  lockMilliseconds: number;
  idleMilliseconds: number;
};

/** For requests. With the second that later calls wait, a request of several calls ends within 10 s. */
export const FOR_REQUESTS: Limits = {
  reads: 2,
  transactions: 16,
  milliseconds: 7_500,
  per: "call",
  statementMilliseconds: 7_000,
  lockMilliseconds: 5_000,
  idleMilliseconds: 10_000,
};

/** For commands, the worker, webhooks and e-mail. The server ends a statement before `milliseconds` are over. */
export const FOR_WORK: Limits = {
  reads: 2,
  transactions: 10,
  milliseconds: 35_000,
  per: "statement",
  statementMilliseconds: 30_000,
  lockMilliseconds: 10_000,
  idleMilliseconds: 20_000,
};

/** For `/readyz`, which reads and writes within 2 s, and `/metrics`, which answers within a second. */
export const FOR_PROBES: Limits = {
  reads: 1,
  transactions: 1,
  milliseconds: 800,
  per: "call",
  statementMilliseconds: 4_500,
  lockMilliseconds: 400,
  idleMilliseconds: 5_000,
};
