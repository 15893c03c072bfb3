import type { Context } from "../context.ts";
import { checkouts } from "../store/checkouts.ts";
import { liveAttempt } from "../store/payments.ts";
import { abandonAttempt } from "./collect-invoice.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { workOn } from "./work.ts";

/** What a challenge is for, a Checkout or an invoice, and whose it is. */
type Challenged = { organizationId: string; customerId: string; sourceId: string };

/**
 * The buyer does not go through with the challenge of their bank, but wants to pay in another way: it is given up at the provider, and the
 * Checkout opens again, unless the challenge was passed meanwhile. Nothing happens to a Checkout that waits for no challenge.
 */
export async function giveUpPayment(ctx: Context, organizationId: string, checkoutId: string): Promise<void> {
  const checkout = await checkouts.find(ctx.db.read, organizationId, checkoutId);
  if (!checkout || checkout.customerId === null) return;
  await giveUpChallenge(ctx, { organizationId, customerId: checkout.customerId, sourceId: checkoutId });
}

/** Gives a waiting challenge up at the provider and settles it by what that says; nothing where none waits. */
export async function giveUpChallenge(ctx: Context, { organizationId, customerId, sourceId }: Challenged): Promise<void> {
  const abandoned = await ctx.db.tx(async (tx) => {
    const work = await workOn(ctx, tx, organizationId, customerId);
    const live = work && (await liveAttempt(tx, organizationId, sourceId));
    if (!work || live?.status !== "requires_action") return null;
    await abandonAttempt(work, live, work.now);
    return live.id;
  });
  if (abandoned) await carryOutPayment(ctx, organizationId, abandoned);
}
