import type { Hono } from "hono";
import type { Context } from "../../../context.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { DashboardDoor } from "../door.ts";
import { brandingPages } from "./branding.ts";
import { dunningPages } from "./dunning.ts";
import { emailPages } from "./emails.ts";
import { generalPages } from "./general.ts";
import { paymentPages } from "./payments.ts";
import { portalSettingsPages } from "./portal.ts";
import { taxPages } from "./taxes.ts";

/** `/dashboard/{organizationId}/settings`: the settings of the Organization, on tabs. */
export function settingsPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  generalPages(ctx, app, door);
  brandingPages(ctx, app, door);
  emailPages(ctx, app, door);
  taxPages(ctx, app, door);
  dunningPages(ctx, app, door);
  portalSettingsPages(ctx, app, door);
  paymentPages(ctx, app, door);
}
