import type { DisputeOutcome } from "../../domain/model/dispute.ts";
import type { EventType } from "../../domain/event.ts";
import { closeDispute, escalateDispute } from "../dispute/dispute.ts";
import { buy } from "./checkout.ts";
import { openDispute } from "./operations.ts";
import { own, type Recipe, type World } from "./world.ts";

async function dispute(world: World, outcome: DisputeOutcome | null = null, params = {}): Promise<void> {
  const { ctx, made } = world;
  await buy(world);
  const id = (made["disputeId"] = await openDispute(world, made["paymentId"]!, params));
  if (outcome) await closeDispute(ctx, own(world), id, { outcome });
}

export const DISPUTE_EVENTS = {
  "dispute.created": (world) => dispute(world),
  "dispute.updated": async (world) => {
    await dispute(world, null, { inquiry: true });
    await escalateDispute(world.ctx, own(world), world.made["disputeId"]!);
  },
  "dispute.closed": (world) => dispute(world, "lost"),
} satisfies Partial<Record<EventType, Recipe>>;
