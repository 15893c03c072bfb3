import type { Refusal } from "../domain/refusal.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/driver/db.ts";
import type { IdempotencyRef } from "../store/idempotency.ts";

/** Checks the locked row against the version that the caller has seen. @throws Refusal `precondition_failed` */
export type VersionCheck<Row> = (row: Row) => void;

/**
 * `refusal`: the change was refused, but the transaction is committed. `pending`: the outcome is not known before the
 * payment provider is called.
 */
export type Begun<Row, Pending> = { row: Row } | { refusal: Refusal } | { pending: Pending };

/**
 * The origin of a change: its Organization, and the transaction in which the change is made. An API request does more
 * in that transaction: it records the Idempotency-Key before the change and the answer after the change. `Row`: the
 * outcome of the change.
 */
export type Origin<Row> = {
  organizationId: string;
  /** The request id in the answer that the settlement of a charge stores for the Idempotency-Key. */
  requestId: string;
  /** The Idempotency-Key for which the settlement of a charge stores the answer; null if the request had no key. */
  idempotency: IdempotencyRef | null;
  /** Runs the whole change in one transaction. An error undoes the transaction. */
  transaction(ctx: Context, work: (tx: Tx) => Promise<Row>): Promise<Row>;
  /**
   * Runs the first transaction of a change that may need a call to the payment provider afterwards. An error undoes the
   * transaction.
   */
  begin<Pending>(ctx: Context, work: (tx: Tx) => Promise<Begun<Row, Pending>>): Promise<Begun<Row, Pending>>;
};

type RunTransaction = <T>(ctx: Context, work: (tx: Tx) => Promise<T>) => Promise<T>;

/** The origin of a change without an API request. `run`: runs the change, by default in a transaction of its own. */
export function ownOrigin<Row>(
  organizationId: string,
  run: RunTransaction = (ctx, work) => ctx.db.tx(work),
): Origin<Row> {
  return { organizationId, requestId: newId("req"), idempotency: null, transaction: run, begin: run };
}
