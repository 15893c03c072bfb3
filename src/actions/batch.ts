import { AppError } from "../errors.ts";
import type { RowKey } from "../store/accounts/keys.ts";
import { SERIALIZATION_FAILURES, sqlState } from "../store/failures.ts";

/** The outcome of a batch for one of its keys: the number of items that were done, or the error that kept them from it. */
export type Swept = RowKey & ({ done: number } | { error: unknown });

/** Whether the database is gone, or can't answer now: no single key of a batch is to blame. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "unavailable") return false;
  return !SERIALIZATION_FAILURES.has(sqlState(error.cause) ?? "");
}

/**
 * Runs a batch in one transaction; where the database refuses the batch (a unique key, a deadlock), each half of it alone, until the key is
 * found that is refused. @throws AppError `unavailable` while the database is gone
 */
export async function inHalves(keys: readonly RowKey[], run: (keys: readonly RowKey[]) => Promise<Swept[]>): Promise<Swept[]> {
  try {
    return await run(keys);
  } catch (error) {
    if (isGone(error)) throw error;
    if (keys.length === 1) return [{ ...keys[0]!, error }];
    const middle = Math.ceil(keys.length / 2);
    return [...(await inHalves(keys.slice(0, middle), run)), ...(await inHalves(keys.slice(middle), run))];
  }
}

/** The items in their order, so many in each batch; the last batch may have fewer. */
export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/** A share of fewer items costs more by its transaction than is won side by side. */
const LEAST_SHARE = 25;

/** The items in their order, as so many batches of nearly the same size, or as fewer batches where these would be small. */
export const inShares = <Item>(items: readonly Item[], shares: number): Item[][] =>
  inBatches(items, Math.max(LEAST_SHARE, Math.ceil(items.length / shares)));
