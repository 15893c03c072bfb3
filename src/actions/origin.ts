import type { Context } from "../context.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { Subscription } from "../domain/subscription.ts";
import type { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Tx } from "../store/db.ts";
import type { IdempotencyRef } from "../store/idempotency.ts";
import type { Bill } from "../domain/invoice/bills.ts";

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

/** A Subscription as callers see it. */
export type ShownSubscription = { subscription: Subscription; externalCustomerId: string | null };

/** A Checkout as callers see it at `now`. */
export type ShownCheckout = { checkout: Checkout; externalCustomerId: string | null; now: Instant };

/** How a charge came out that a request with an Idempotency-Key had asked for. */
export type Outcome =
  | ({ kind: "subscription" } & ShownSubscription)
  | ({ kind: "invoice" } & Bill)
  | { kind: "refused"; error: AppError; requestId: string };

/** Keeps the answer to a request with the settlement of its charge, so that a repeat gets this answer even after a crash. */
export type Answers = { keep(ctx: Context, tx: Tx, ref: IdempotencyRef, outcome: Outcome): void };
