import { pause } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { isPurchaseOnItsWay } from "../../store/purchase-deliveries.ts";

/** A buyer waits for the merchant's servers for this long at most. */
const LONGEST_MILLISECONDS = 3_000;
const POLL_MILLISECONDS = 50;

async function arrivals(ctx: Context, checkout: Checkout, over: AbortSignal): Promise<void> {
  while (!over.aborted && (await isPurchaseOnItsWay(ctx.db.read, checkout))) {
    await pause(POLL_MILLISECONDS, over);
  }
}

/**
 * Resolves once each webhook endpoint has answered for all events of a completed Checkout; a failure is an answer too.
 * Resolves at once if no endpoint wants these events; in any case after 3 seconds, or when `stopping` says that the
 * server is to stop. The database is asked, because another process may send the events. A slow or failing database
 * does not keep the buyer from the page after the purchase.
 */
export async function awaitWebhooks(ctx: Context, checkout: Checkout, stopping: AbortSignal): Promise<void> {
  const over = new AbortController();
  const end = () => over.abort();
  stopping.addEventListener("abort", end);
  if (stopping.aborted) end();
  const deadline = pause(LONGEST_MILLISECONDS, over.signal);
  const arrived = arrivals(ctx, checkout, over.signal).catch((error: unknown) =>
    ctx.log.warn({ err: error, checkoutId: checkout.id }, "a buyer goes back without waiting for webhooks"),
  );
  await Promise.race([arrived, deadline]);
  stopping.removeEventListener("abort", end);
  end();
}
