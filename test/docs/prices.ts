import { bought, change, later, patch, post, travel, type Action, type Shop, type World } from "./world.ts";

const priced =
  (more: object = {}) =>
  async (shop: Shop) => {
    const found = await bought()(shop);
    await patch(shop, `/products/${found.sub.productId}`, { prices: [{ currency: "usd", amount: 3600 }] });
    const body = { consent: "notice", ...more };
    return { ...found, round: await post(shop, `/products/${found.sub.productId}/price-changes`, body) };
  };
/** A Subscription with a new price that begins on 31 March. */
const noticed =
  (more: object = {}) =>
  async (shop: Shop) => {
    const found = await priced(more)(shop);
    await shop.story.settle();
    return found;
  };
const control = (world: World, step: string) => post(world, `/price-changes/${world["round"].id}/${step}`);

/** Rows of "New prices". */
export const PRICES: Record<string, Action> = {
  "`POST /products/…/price-changes`": {
    operations: ["POST /products/{productId}/price-changes"],
    before: async (shop) => {
      const found = await bought()(shop);
      await patch(shop, `/products/${found.sub.productId}`, { prices: [{ currency: "usd", amount: 3600 }] });
      return found;
    },
    act: async (world) => {
      await post(world, `/products/${world["sub"].productId}/price-changes`, { consent: "notice" });
      await world.story.settle();
    },
  },
  "a period ends and the next one has the new price": {
    before: later(noticed(), "2025-03-30"),
    act: travel("2025-03-31"),
  },
  "a period ends without the consent that the new price needs": {
    before: later(noticed({ consent: "required" }), "2025-03-30"),
    act: travel("2025-03-31"),
  },
  "a price change is withdrawn": {
    operations: ["POST /price-changes/{priceChangeId}/withdraw"],
    before: noticed(),
    act: async (world) => {
      await control(world, "withdraw");
      await world.story.settle();
    },
  },
  "a PATCH to another Product while a new price waits": {
    before: later(noticed(), "2025-02-10"),
    act: change({ productKey: "max" }),
  },
  "a preview of a price change; a price change is paused, resumed and stopped": {
    operations: [
      "POST /products/{productId}/price-changes/preview",
      "POST /price-changes/{priceChangeId}/pause",
      "POST /price-changes/{priceChangeId}/resume",
      "POST /price-changes/{priceChangeId}/stop",
    ],
    before: async (shop) => {
      const { id: productId } = await shop.story.plan("unsold", 500);
      return { productId, round: await post(shop, `/products/${productId}/price-changes`, { consent: "notice" }) };
    },
    act: async (world) => {
      await post(world, `/products/${world["productId"]}/price-changes/preview`, { consent: "notice" });
      for (const step of ["pause", "resume", "stop"]) await control(world, step);
    },
  },
};
