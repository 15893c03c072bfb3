/** How many connections a handle has, and how long anything asked of it may take. */
export type Limits = {
  /** Connections that single statements share. */
  reads: number;
  /** Connections of transactions at the most. */
  transactions: number;
  /** After how many milliseconds without an answer a call has failed and its connection is closed. */
  milliseconds: number;
  /** What `milliseconds` count: a whole read or transaction with its waiting and repeats, or each of its statements anew. */
  per: "call" | "statement";
  /** What the server itself allows: for a statement, for waiting for a lock, for an idle transaction. */
  statementMilliseconds: number;
  lockMilliseconds: number;
  idleMilliseconds: number;
};

/** Of a request somebody waits for: its longest chain of calls, of which one waits in vain, ends within 10 s. */
export const FOR_REQUESTS: Limits = {
  reads: 2,
  transactions: 16,
  milliseconds: 7_500,
  per: "call",
  statementMilliseconds: 7_000,
  lockMilliseconds: 5_000,
  idleMilliseconds: 10_000,
};

/** Of commands, of the worker, and of what sends webhooks and e-mails. The server ends a statement before `milliseconds` are over. */
export const FOR_WORK: Limits = {
  reads: 2,
  transactions: 10,
  milliseconds: 35_000,
  per: "statement",
  statementMilliseconds: 30_000,
  lockMilliseconds: 10_000,
  idleMilliseconds: 20_000,
};

/** Of `/readyz` and `/metrics`, which answer within 2 s and a second. */
export const FOR_PROBES: Limits = {
  reads: 1,
  transactions: 1,
  milliseconds: 800,
  per: "call",
  statementMilliseconds: 4_500,
  lockMilliseconds: 400,
  idleMilliseconds: 5_000,
};
