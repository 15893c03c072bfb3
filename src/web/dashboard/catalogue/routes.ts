import type { Hono } from "hono";
import type { Context } from "../../../context.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { DashboardDoor } from "../door.ts";
import { benefitPages } from "./benefit-routes.ts";
import { discountPages } from "./discount-routes.ts";
import { productPages } from "./product-routes.ts";

/** The catalogue: Products, Benefits and Discounts, seen and changed. */
export function cataloguePages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  productPages(ctx, app, door);
  benefitPages(ctx, app, door);
  discountPages(ctx, app, door);
}
