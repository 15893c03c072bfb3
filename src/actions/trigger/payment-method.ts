import type { EventType } from "../../domain/event.ts";
import { detachAtProvider, updateAtProvider } from "../sandbox/change-card.ts";
import { giveCard } from "./customer.ts";
import type { Recipe } from "./world.ts";

/** The expiry of the new card. A test card is never valid for so long. */
const REPLACED = { expMonth: 1, expYear: 9999, last4: null };

export const PAYMENT_METHOD_EVENTS = {
  "payment_method.updated": async (world) =>
    updateAtProvider(world.ctx, world.organizationId, await giveCard(world), REPLACED),
  "payment_method.detached": async (world) => detachAtProvider(world.ctx, world.organizationId, await giveCard(world)),
} satisfies Partial<Record<EventType, Recipe>>;
