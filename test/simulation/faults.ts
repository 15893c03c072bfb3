import type { Context } from "../../src/context.ts";
import type { Fault } from "./history.ts";

/** Thrown by every call of a killed process. */
export class Died extends Error {}
/** Thrown by a call that the provider fails. */
export class ProviderFailed extends Error {}

type Side = (work: () => Promise<unknown>) => Promise<unknown>;

/**
 * The same process with a fault. Either the process dies at one of its calls to database or provider, before or after
 * that call did its work, and no later call does any work. Or the provider fails one call: it answers 500, or its
 * answer is lost.
 */
export function withFault(ctx: Context, { kind, call, side }: Fault): Context {
  let [calls, dead] = [0, false];
  const counted: Side = async (work) => {
    if (dead) throw new Died();
    if (++calls !== call) return work();
    if (side === "after") await work();
    dead = kind === "die";
    throw dead ? new Died() : new ProviderFailed("500 Internal Server Error");
  };
  const guarded: Side = async (work) => {
    if (dead) throw new Died();
    return work();
  };
  const { db, payments } = ctx;
  const ofDatabase = kind === "die" ? counted : guarded;
  const calling = <Call extends (...values: never[]) => Promise<unknown>>(around: Side, method: Call) =>
    ((...values: Parameters<Call>) => around(() => method(...values))) as Call;
  const { sandbox } = payments;
  return {
    ...ctx,
    db: {
      ...db,
      read: { kind: "read", query: calling(ofDatabase, db.read.query) },
      tx: calling(ofDatabase, db.tx) as typeof db.tx,
    },
    payments: {
      ...payments,
      sandbox: {
        ...sandbox,
        entry: { kind: "typed", accept: calling(guarded, sandbox.entry.accept) },
        saveCard: calling(counted, sandbox.saveCard),
        charge: calling(counted, sandbox.charge),
        read: calling(counted, sandbox.read),
        cancel: calling(counted, sandbox.cancel),
        refund: calling(counted, sandbox.refund),
      },
    },
  };
}
