import { formatInstant } from "../../domain/calendar.ts";
import type { EventType } from "../../domain/event.ts";
import { CreatePriceChangeParams } from "../../resources/price-change.ts";
import { updateProduct } from "../catalogue/products.ts";
import { controlPriceChange } from "../price-change/control.ts";
import { createPriceChange } from "../price-change/create.ts";
import { runPriceChange } from "../price-change/run.ts";
import { assign } from "./assign.ts";
import { giveCard } from "./customer.ts";
import { makeProduct } from "./product.ts";
import { daysBefore, passPeriod, soon } from "./time.ts";
import { own, type Recipe, type World } from "./world.ts";

/** The steps of a round that are done at once. The others are left to a worker. */
const MILLISECONDS = 1_000;

/** Gives a Subscription notice of a new price that begins with its period, which ends in a moment. Returns that end. */
async function schedule(world: World) {
  const { ctx, organizationId, made } = world;
  await giveCard(world);
  const days = 27;
  const productId = await makeProduct(world, { interval: "day", intervalCount: days });
  const end = await soon(world);
  await assign(world, { startedAt: formatInstant(await daysBefore(world, days, end)) });
  await updateProduct(ctx, own(world), productId, { prices: [{ currency: "usd", amount: 1200 }] });
  const params = CreatePriceChangeParams.parse({ noticeDays: 0, consent: "notice" });
  const { round } = await createPriceChange(ctx, own(world), productId, params);
  made["priceChangeId"] = round.id;
  await runPriceChange(ctx, organizationId, round.id, MILLISECONDS);
  return end;
}

export const PRICE_EVENTS = {
  "subscription.price_change_scheduled": schedule,
  "subscription.price_change_applied": async (world) => passPeriod(world, await schedule(world)),
  "subscription.price_change_withdrawn": async (world) => {
    await schedule(world);
    const { ctx, organizationId, made } = world;
    await controlPriceChange(ctx, own(world), made["priceChangeId"]!, "withdraw");
    await runPriceChange(ctx, organizationId, made["priceChangeId"]!, MILLISECONDS);
  },
} satisfies Partial<Record<EventType, Recipe>>;
