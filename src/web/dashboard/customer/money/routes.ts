import type { Hono } from "hono";
import type { Context } from "../../../../context.ts";
import type { PageEnvironment } from "../../../environment.ts";
import type { DashboardDoor } from "../../door.ts";
import { adjustPages } from "./adjust.ts";
import { settlementPages } from "./by-hand.ts";
import { chargePages } from "./charge.ts";
import { payOutPages } from "./pay-out.ts";
import { refundPages } from "./refund.ts";

/** The pages of the deeds on a Customer's invoices and balance. */
export function moneyPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  refundPages(ctx, app, door);
  chargePages(ctx, app, door);
  settlementPages(ctx, app, door);
  adjustPages(ctx, app, door);
  payOutPages(ctx, app, door);
}
