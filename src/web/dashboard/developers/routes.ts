import type { Hono } from "hono";
import type { Context } from "../../../context.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { DashboardDoor } from "../door.ts";
import { deliveryPage } from "./delivery-page.ts";
import { endpointDeeds } from "./endpoint-deeds.ts";
import { endpointPages } from "./endpoints.ts";
import { eventPage } from "./event-page.ts";
import { keyDeeds } from "./key-deeds.ts";
import { keyPages } from "./keys.ts";
import { redeliveryDeeds } from "./redelivery-deeds.ts";
import { requestPage } from "./request-page.ts";

/**
 * `/dashboard/{organizationId}/developers/…`: keys, webhooks, and the pages of an event and of a request. The paths
 * with `new` come before those with an id.
 */
export function developerPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  keyDeeds(ctx, app, door);
  keyPages(ctx, app, door);
  endpointDeeds(ctx, app, door);
  endpointPages(ctx, app, door);
  redeliveryDeeds(ctx, app, door);
  deliveryPage(ctx, app, door);
  eventPage(ctx, app, door);
  requestPage(ctx, app, door);
}
