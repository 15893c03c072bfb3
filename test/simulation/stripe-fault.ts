import type { Context } from "../../src/context.ts";
import type { FaultKind, Seen } from "../payments/stripe/faults.ts";
import { Countdown, databaseWith } from "./faults.ts";
import type { Fault } from "./history.ts";
import type { StripeSandbox } from "./stripe-sandbox.ts";

/** The ways in which a request to Stripe gets no clear answer. */
const LOST: Record<Fault["side"], readonly FaultKind[]> = {
  before: ["before", "500", "502"],
  after: ["after", "500 done", "cut"],
};

/** Each new process asks once for the account. The request has no effect, so the request is not counted. */
const isCounted = ({ path }: Seen) => path !== "/v1/account";

/**
 * Does work in a new process with a fault. `die` counts the calls to the database and the requests to Stripe, `lose`
 * only those requests. No request of a dead process gets through.
 */
export async function underFault<T>(
  { ctx, stripe, draw, provider }: StripeSandbox,
  fault: Fault | null,
  work: (by: Context) => Promise<T>,
): Promise<T> {
  if (!fault) return work(ctx);
  const countdown = new Countdown(fault);
  const dies = fault.kind === "die";
  const db = databaseWith(ctx.db, dies ? countdown.counted : countdown.guarded);
  const adapter = provider(db);
  const by: Context = { ...ctx, db, payments: { ...ctx.payments, connected: async () => adapter } };
  const planted = [
    stripe.fault(
      (request) => isCounted(request) && countdown.strikes(),
      dies ? fault.side : draw.pick(LOST[fault.side]),
    ),
    stripe.fault(() => countdown.isDead, "before", Infinity),
  ];
  try {
    return await work(by);
  } finally {
    for (const each of planted) each.lift();
  }
}
