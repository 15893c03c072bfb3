import type { EventType } from "../../domain/event.ts";
import { buy, refused } from "./checkout.ts";
import { CARDS } from "./customer.ts";
import type { Recipe } from "./world.ts";

export const PAYMENT_EVENTS = {
  "payment.succeeded": (world) => buy(world),
  "payment.failed": (world) => refused(buy(world, CARDS.declined)),
  "payment.action_required": (world) => buy(world, CARDS.asksBuyer),
} satisfies Partial<Record<EventType, Recipe>>;
