import type { Context } from "../../context.ts";
import type { PaymentPause } from "../../domain/model/payment-pause.ts";
import { claimProbe, waitingFor } from "../../store/payment-pauses.ts";
import { carryOutRefund } from "../refund/carry-out.ts";
import { probeWithPayment } from "./carry-out.ts";

/**
 * Sends the oldest payment or refund that waits for the end of a pause, at most once a minute in all processes
 * (rule D9). If nothing waits, the probe of this minute is left to a buyer. Returns the number of probes: 0 or 1.
 */
export async function probePause(ctx: Context, pause: PaymentPause): Promise<number> {
  const waiting = await waitingFor(ctx.db.read, pause);
  if (!waiting || !(await ctx.db.tx((tx) => claimProbe(tx, pause)))) return 0;
  const { organizationId } = pause;
  if (waiting.refund) await carryOutRefund(ctx, organizationId, waiting.id, "probe");
  else await probeWithPayment(ctx, organizationId, waiting.id);
  return 1;
}
