import type { Context } from "../context.ts";
import type { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/db.ts";
import type { IdempotencyRef } from "../store/idempotency.ts";

/** Checks the locked row against the version that the caller has seen. @throws AppError `precondition_failed` */
export type VersionCheck<Row> = (row: Row) => void;

/**
 * `refusal`: the transaction is kept, but the change was refused. `pending`: the outcome is known after the payment
 * provider was called.
 */
export type Begun<Row, Pending> = { row: Row } | { refusal: AppError } | { pending: Pending };

/**
 * The origin of a change: its Organization, and the transaction in which the change is made. An edge may do more in
 * that transaction: HTTP takes the Idempotency-Key before the work and keeps the answer after it. `Row`: the outcome
 * of the change.
 */
export type Origin<Row> = {
  organizationId: string;
  /** The request id in the answer that a settlement keeps for the Idempotency-Key. */
  requestId: string;
  /** The Idempotency-Key for which a settlement keeps the answer; null if the request had no key. */
  idempotency: IdempotencyRef | null;
  /** Runs the whole change in one transaction. An error undoes it. */
  transaction(ctx: Context, work: (tx: Tx) => Promise<Row>): Promise<Row>;
  /** Runs the first transaction of a change that may go on at the payment provider. An error undoes it. */
  begin<Pending>(ctx: Context, work: (tx: Tx) => Promise<Begun<Row, Pending>>): Promise<Begun<Row, Pending>>;
};

type RunTransaction = <T>(ctx: Context, work: (tx: Tx) => Promise<T>) => Promise<T>;

/** The origin of a change without an API request. `run` takes the place of a transaction of its own. */
export function ownOrigin<Row>(
  organizationId: string,
  run: RunTransaction = (ctx, work) => ctx.db.tx(work),
): Origin<Row> {
  return { organizationId, requestId: newId("req"), idempotency: null, transaction: run, begin: run };
}
