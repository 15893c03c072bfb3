import type { EventType } from "../../domain/event.ts";
import { failAtProvider } from "../sandbox/fail-at-provider.ts";
import { buy } from "./checkout.ts";
import { refundAtOnce } from "./operations.ts";
import type { Recipe, World } from "./world.ts";

export async function refund(world: World): Promise<void> {
  await buy(world);
  world.made["refundId"] = await refundAtOnce(world, world.made["invoiceId"]!, {});
}

async function lateFailure(world: World): Promise<void> {
  await refund(world);
  const { ctx, organizationId, made } = world;
  await failAtProvider(ctx, organizationId, made["refundId"]!, { failureCode: "card_gone" });
}

export const REFUND_EVENTS = {
  "refund.created": refund,
  "refund.failed": lateFailure,
} satisfies Partial<Record<EventType, Recipe>>;
