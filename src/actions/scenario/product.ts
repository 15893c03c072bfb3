import type { EventType } from "../../domain/event.ts";
import { CreateProductParams } from "../../resources/product.ts";
import { createProduct, updateProduct } from "../catalogue/products.ts";
import { own, type Recipe, type World } from "./world.ts";

export async function makeProduct(world: World, more: object = {}): Promise<string> {
  const { ctx, made } = world;
  const product = { name: "Triggered", interval: "month", group: null, prices: [{ currency: "usd", amount: 1000 }] };
  return (made["productId"] ??= (
    await createProduct(ctx, own(world), CreateProductParams.parse({ ...product, ...more }))
  ).id);
}

export const PRODUCT_EVENTS = {
  "product.created": makeProduct,
  "product.updated": async (world) =>
    updateProduct(world.ctx, own(world), await makeProduct(world), { name: "Renamed" }),
} satisfies Partial<Record<EventType, Recipe>>;
