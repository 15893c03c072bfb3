import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { Checkout } from "../domain/checkout.ts";
import { isPurchaseOnItsWay } from "../store/purchase-deliveries.ts";

/** How long a buyer is kept waiting for the merchant's servers at most. */
const PATIENCE_MILLISECONDS = 3_000;
const POLL_MILLISECONDS = 50;

/**
 * Resolves once each webhook endpoint has answered for all that a completed Checkout brought about, whatever it answered; at once where
 * none wants to hear of it, after 3 seconds at the latest, and when `stopping` says that the server is to stop. It asks the database, as
 * whoever sends may be another process.
 */
export async function awaitWebhooks(ctx: Context, checkout: Checkout, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + PATIENCE_MILLISECONDS;
  while (!stopping.aborted && (await isPurchaseOnItsWay(ctx.db.read, checkout)) && performance.now() < until) {
    await sleep(POLL_MILLISECONDS, undefined, { signal: stopping }).catch(() => undefined);
  }
}
