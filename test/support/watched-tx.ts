import type { Tx } from "../../src/store/driver/db.ts";

/** The same transaction, with the names of the statements that were sent on it. */
export function watched(tx: Tx): { tx: Tx; sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    tx: {
      kind: "tx",
      isDistributed: tx.isDistributed,
      query: (statement, values) => (sent.push(statement.name), tx.query(statement, values)),
      send: (statement, values, queue) => (sent.push(statement.name), tx.send(statement, values, queue)),
      wakes: (queue, at) => tx.wakes(queue, at),
    },
  };
}
