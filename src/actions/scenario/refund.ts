import type { EventType } from "../../domain/event.ts";
import { CreateRefundParams } from "../../resources/refund.ts";
import { failAtProvider } from "../sandbox/fail-at-provider.ts";
import { carryOutRefund } from "../refund/carry-out.ts";
import { refundInvoice } from "../refund/request.ts";
import { buy } from "./checkout.ts";
import { own, type Recipe, type World } from "./world.ts";

export async function refund(world: World): Promise<void> {
  const { ctx, organizationId, made } = world;
  await buy(world);
  made["refundId"] = (await refundInvoice(ctx, own(world), made["invoiceId"]!, CreateRefundParams.parse({}))).id;
  await carryOutRefund(ctx, organizationId, made["refundId"]);
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
