import type { EventType } from "../../domain/event.ts";
import { settleCustomer } from "../payment/settle-customer.ts";
import { voidByHand } from "../invoice/by-hand.ts";
import { assign } from "./assign.ts";
import { buy } from "./checkout.ts";
import { CARDS, giveCard } from "./customer.ts";
import { refund } from "./refund.ts";
import { own, type Recipe } from "./world.ts";

export const INVOICE_EVENTS = {
  "invoice.created": (world) => buy(world),
  "invoice.paid": (world) => buy(world),
  "invoice.payment_failed": assign,
  "invoice.held": async (world) => {
    await giveCard(world, CARDS.refused);
    await assign(world);
    await settleCustomer(world.ctx, world.organizationId, world.made["customerId"]!);
  },
  "invoice.voided": async (world) => {
    await assign(world);
    await voidByHand(world.ctx, own(world), world.made["invoiceId"]!, { reason: null });
  },
  "invoice.refunded": refund,
} satisfies Partial<Record<EventType, Recipe>>;
