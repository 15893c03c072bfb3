import type { Context } from "../../src/context.ts";
import type { Outcome } from "../../src/domain/model/payment-outcome.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";

/** The answer of a killed process, which never comes. */
export const KILLED = new Promise<never>(() => undefined);

/** The same process, but `fault` decides the outcome of its charges. `send` passes a charge on to the provider. */
export function withFault(ctx: Context, fault: (send: () => Promise<Outcome>) => Promise<Outcome>): Context {
  const { sandbox } = ctx.payments;
  return {
    ...ctx,
    payments: { ...ctx.payments, sandbox: { ...sandbox, charge: (request) => fault(() => sandbox.charge(request)) } },
  };
}

export type HeldProcess = { ctx: Context; charging: Promise<void>; letGo(): void };

/** The same process, held at its first charge until it is let go. */
export function heldAtACharge(process: Context): HeldProcess {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ctx = withFault(process, async (send) => {
    asked.resolve();
    await answered.promise;
    return send();
  });
  return { ctx, charging: asked.promise, letGo: () => answered.resolve() };
}

/**
 * The same process, stopped before its database call number `n` (from 1). The process goes on when `interlude` is over.
 */
export function stoppedAt(ctx: Context, n: number, interlude: () => Promise<void>): Context {
  let turns = 0;
  let over: Promise<void> | undefined;
  const inTurn = async <T>(go: () => Promise<T>): Promise<T> => {
    turns += 1;
    if (turns >= n) await (over ??= interlude());
    return go();
  };
  const { db } = ctx;
  const stopping: Database = {
    ...db,
    read: { kind: "read", query: (statement, values) => inTurn(() => db.read.query(statement, values)) },
    tx: (work) => inTurn(() => db.tx(work)),
  };
  return { ...ctx, db: stopping };
}

/**
 * The same process, killed before its database call number `n` (from 1). The work of earlier calls is kept, and the
 * process never answers again.
 */
export function killedAt(ctx: Context, n: number): { ctx: Context; died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const dying = stoppedAt(ctx, n, () => {
    resolve();
    return KILLED;
  });
  return { ctx: dying, died };
}

const duePaymentsStatement = sql(
  "test.due_payments",
  "UPDATE payments SET check_at = statement_timestamp() WHERE check_at > statement_timestamp()",
);
const dueRefundsStatement = sql(
  "test.due_refunds",
  "UPDATE refunds SET check_at = statement_timestamp() WHERE check_at > statement_timestamp()",
);
const strandClocksStatement = sql(
  "test.strand_clocks",
  `UPDATE organizations SET clock_lease_until = statement_timestamp() - interval '1 hour'
   WHERE clock_target IS NOT NULL`,
);

/** Ends the leases of killed processes and the pauses before the next status query to a provider. */
export async function letLeasesRunOut(db: Database): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(duePaymentsStatement);
    await tx.query(dueRefundsStatement);
    await tx.query(strandClocksStatement);
  });
}
