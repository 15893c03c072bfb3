import type { Context } from "../context.ts";
import type { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/db.ts";
import type { IdempotencyRef } from "../store/idempotency.ts";

/** Holds the row as it is, locked, against the version that the caller has seen. @throws AppError `precondition_failed` */
export type Match<Row> = (row: Row) => void;

/** `refusal`: the work stays, but the change was refused. `pending`: the outcome is known once the payment provider has been called. */
export type Begun<Row, Pending> = { row: Row } | { refusal: AppError } | { pending: Pending };

/**
 * Where a change comes from: its Organization, and the transaction in which the change is made. An edge may do more in that transaction:
 * HTTP takes the Idempotency-Key before the work and keeps the answer after it. `Row`: the outcome of the change.
 */
export type Origin<Row> = {
  organizationId: string;
  /** Stands in the answer that a settlement keeps for the Idempotency-Key. */
  requestId: string;
  /** The Idempotency-Key for which a settlement keeps the answer; null: the request had none. */
  idempotency: IdempotencyRef | null;
  /** Runs the whole change in one transaction. An error undoes it. */
  transaction(ctx: Context, work: (tx: Tx) => Promise<Row>): Promise<Row>;
  /** Runs the first transaction of a change that may go on at the payment provider. An error undoes it. */
  begin<Pending>(ctx: Context, work: (tx: Tx) => Promise<Begun<Row, Pending>>): Promise<Begun<Row, Pending>>;
};

type RunTransaction = <T>(ctx: Context, work: (tx: Tx) => Promise<T>) => Promise<T>;

/** The origin of a change that no API request asks for. `run`: in place of a transaction of its own. */
export function ownOrigin<Row>(organizationId: string, run: RunTransaction = (ctx, work) => ctx.db.tx(work)): Origin<Row> {
  return { organizationId, requestId: newId("req"), idempotency: null, transaction: run, begin: run };
}
