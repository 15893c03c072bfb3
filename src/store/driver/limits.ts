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
