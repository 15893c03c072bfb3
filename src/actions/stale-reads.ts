import type { Context } from "../context.ts";

/**
 * A Context for one request, whose `db.stale` may read from the replica. `age`: milliseconds since the oldest state
 * that was read; null: all rows are current.
 */
export type StaleReads = { ctx: Context; age(): number | null };

/** The header of an answer with rows of this age. Null: they are current, and there is no header. */
export const ageHeaders = (age: number | null): Record<string, string> =>
  age === null ? {} : { "Billow-Data-Age": String(Math.ceil(age / 1000)) };

/** `mayBeStale`: false if the caller may just have made a change. Is called only if there is a replica. */
export function withStaleReads(ctx: Context, mayBeStale: () => Promise<boolean> | boolean): StaleReads {
  if (ctx.replica === null) return { ctx, age: () => null };
  const stale = ctx.replica.reads(mayBeStale);
  return { ctx: { ...ctx, db: { ...ctx.db, stale } }, age: stale.age };
}
