import { isUnavailable } from "../errors.ts";
import type { RowKey } from "../store/customer-billing/keys.ts";
import { SERIALIZATION_FAILURES, sqlState } from "../store/driver/failures.ts";

/**
 * The outcome of a batch for one of its keys: the number of items that were done, or the error that prevented them.
 */
export type Swept = RowKey & ({ done: number } | { error: unknown });

/** Whether the database is gone or can't answer now. Such an error is not the fault of a single key of a batch. */
export function isGone(error: unknown): boolean {
  if (!isUnavailable(error)) return false;
  return !SERIALIZATION_FAILURES.has(sqlState(error.cause) ?? "");
}

/**
 * Runs a batch in one transaction. If the database refuses the batch (a unique key, a deadlock), each half runs alone,
 * and so on down to the refused key.
 * @throws AppError `unavailable` while the database is gone
 */
export async function inHalves(
  keys: readonly RowKey[],
  run: (keys: readonly RowKey[]) => Promise<Swept[]>,
): Promise<Swept[]> {
  try {
    return await run(keys);
  } catch (error) {
    if (isGone(error)) throw error;
    if (keys.length === 1) return [{ ...keys[0]!, error }];
    const middle = Math.ceil(keys.length / 2);
    return [...(await inHalves(keys.slice(0, middle), run)), ...(await inHalves(keys.slice(middle), run))];
  }
}

/** Splits the items, in their order, into batches of `size`; the last batch may be smaller. */
export function inBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/**
 * The least number of items in a share. For fewer items, the extra transaction costs more time than the parallel work
 * saves.
 */
const LEAST_SHARE = 25;

/**
 * Splits the items, in their order, into `shares` batches of nearly the same size. If the batches would be smaller than
 * `LEAST_SHARE`, there are fewer batches.
 */
export const inShares = <Item>(items: readonly Item[], shares: number): Item[][] =>
  inBatches(items, Math.max(LEAST_SHARE, Math.ceil(items.length / shares)));
