import type { EventType } from "../../domain/event.ts";
import { announceExpiry } from "../../domain/collection/expiry.ts";
import { billingNow } from "../../store/organizations.ts";
import { inBilling } from "../customer-billing.ts";
import { detachAtProvider, updateAtProvider } from "../sandbox/change-card.ts";
import { assign } from "./assign.ts";
import { giveCard } from "./customer.ts";
import type { Recipe, World } from "./world.ts";

/** The expiry of the new card. A test card is never valid for so long. */
const REPLACED = { expMonth: 1, expYear: 9999, last4: null };

/**
 * Makes the card of a Subscription expire with this month. If the month has more than 30 days left, the announcement is
 * made early.
 */
async function expireSoon(world: World): Promise<void> {
  const { ctx, organizationId, made } = world;
  const id = await giveCard(world);
  await assign(world);
  const today = new Date(await billingNow(ctx.db.read, organizationId));
  const month = { expMonth: today.getUTCMonth() + 1, expYear: today.getUTCFullYear(), last4: null };
  await updateAtProvider(ctx, organizationId, id, month);
  const key = { organizationId, id: made["customerId"]! };
  await ctx.db.tx((tx) =>
    inBilling(ctx, tx, key, (account) => {
      const card = account.cards.get(id)!;
      if (!card.expiryAnnounced) announceExpiry(account, card, account.now);
    }),
  );
}

export const PAYMENT_METHOD_EVENTS = {
  "payment_method.expiring": expireSoon,
  "payment_method.updated": async (world) =>
    updateAtProvider(world.ctx, world.organizationId, await giveCard(world), REPLACED),
  "payment_method.detached": async (world) => detachAtProvider(world.ctx, world.organizationId, await giveCard(world)),
} satisfies Partial<Record<EventType, Recipe>>;
