import type { Statement } from "./statement.ts";

/** Transactions at the same time, each for one Organization. */
const AT_ONCE = 4;

/**
 * Runs `work` for each item, four at a time. For a transaction for each Organization of a distributed database: a
 * transaction over two Organizations would be one over two nodes (decision 0107). After a failure no further item
 * begins. The items that are done stay done, so a caller begins again from a new look.
 */
export async function eachApart<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const run = async () => {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
    } finally {
      waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, run));
}

/**
 * A statement and its values for rows of all Organizations (null), or of one. One PostgreSQL changes all of them by one
 * statement. A distributed database gets the Organization as $1.
 */
export const formOf = (all: Statement, ofOne: Statement, organizationId: string | null): [Statement, string[]] =>
  organizationId === null ? [all, []] : [ofOne, [organizationId]];
