import type { EventType } from "../../domain/event.ts";
import { openPauses } from "../../store/payment-pauses.ts";
import { takeChargesAgain } from "../sandbox/take-charges-again.ts";
import { buy } from "./checkout.ts";
import { CARDS } from "./customer.ts";
import type { Recipe, World } from "./world.ts";

/** Begins a pause, after the end of an earlier one. */
async function pause(world: World): Promise<void> {
  const { ctx, organizationId, made } = world;
  await takeChargesAgain(ctx, organizationId);
  await buy(world, CARDS.refusesAccount);
  const [begun] = await openPauses(ctx.db.read, organizationId);
  if (begun) made["pauseId"] = begun.id;
}

export const PAYMENTS_EVENTS = {
  "payments.paused": pause,
  "payments.resumed": async (world) => {
    await pause(world);
    await takeChargesAgain(world.ctx, world.organizationId);
  },
} satisfies Partial<Record<EventType, Recipe>>;
