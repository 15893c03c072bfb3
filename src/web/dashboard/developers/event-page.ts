import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../../context.ts";
import type { Event } from "../../../domain/event.ts";
import { allows } from "../../../domain/team/role.ts";
import { counted } from "../../../domain/words.ts";
import { isId } from "../../../ids.ts";
import { events } from "../../../store/events.ts";
import { deliveriesOfEvents, type DeliveryTo } from "../../../store/webhooks.ts";
import { developersStylesPath } from "../../assets.ts";
import type { PageEnvironment } from "../../environment.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { id, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { emptyState } from "../components/empty-state.ts";
import { payload } from "../components/payload.ts";
import { statusBadge } from "../components/status.ts";
import type { DashboardGuard } from "../guard.ts";
import { dashboardPage } from "../frame.ts";
import { findById } from "../search/find-by-id.ts";
import { table } from "../table.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { eventJson } from "./delivery-page.ts";
import { lastAttemptAt } from "./deliveries.ts";
import { answerCell } from "./endpoint-state.ts";
import { deliveryPath } from "./paths.ts";

/** The path of a resource's page; null: there is no page that the person may see. */
export async function findResourcePath(
  ctx: Context,
  { organization, self, role }: DashboardRequest,
  resourceId: string,
): Promise<string | null> {
  const [hit] = await findById({ ctx, organizationId: organization.id, self, role, typed: resourceId });
  return hit?.path ?? null;
}

/** The id of a resource, with a link to its page if there is one. */
export const resourceLink = (resourceId: string, path: string | null): Html =>
  path === null ? id(resourceId) : html`<a href="${path}">${id(resourceId)}</a>`;

const HEADINGS = ["Endpoint", "Status", "Response", { label: "Last attempt", isWide: true }];

function row(delivery: DeliveryTo, { self, organization }: DashboardRequest): Html {
  const last = lastAttemptAt(delivery);
  return html`<tr>
<th scope="row"><a class="url" href="${deliveryPath(self, delivery.id)}"><bdi>${delivery.url}</bdi></a></th>
<td>${statusBadge("delivery", delivery.status)}</td>
<td>${answerCell(delivery)}</td>
<td class="wide">${last === null ? "" : time(last, organization.timeZone)}</td>
</tr>`;
}

function deliveryTable(request: DashboardRequest, found: readonly DeliveryTo[]): Html {
  if (found.length === 0)
    return emptyState(
      "No present endpoint got this event, or the event is older than the deliveries, which are kept for " +
        `${counted(request.ctx.config.retention.deliveries, "day")}.`,
    );
  return table(
    "Deliveries",
    HEADINGS,
    found.map((each) => row(each, request)),
  );
}

type EventData = { event: Event; resourcePath: string | null; deliveries: readonly DeliveryTo[] };

function page(request: DashboardRequest, { event, resourcePath, deliveries }: EventData): Html {
  const { ctx, organization, self, role } = request;
  const all = `${self}/developers/events?${new URLSearchParams({ resourceId: event.resourceId })}`;
  const body = html`${definitions([
    ["Resource", resourceLink(event.resourceId, resourcePath)],
    ["Number", html`${event.sequence} of the resource’s events. <a href="${all}">All of them</a>`],
    ["Time", time(event.createdAt, organization.timeZone)],
    ["Id", id(event.id)],
  ])}
${
  allows(role, "webhooks")
    ? html`<h2>Deliveries</h2>
${deliveryTable(request, deliveries)}`
    : ""
}
<h2>Body</h2>
${payload("Body of the event", eventJson(event))}`;
  const head = stylesheet(developersStylesPath(ctx));
  return dashboardPage(request, { section: "events", title: event.type, body, head });
}

/** `/dashboard/{organizationId}/developers/events/{eventId}`: an event, its body, and its deliveries. */
export function eventPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/developers/events/:eventId`,
    signedIn("events", async (c, request) => {
      const { organization } = request;
      const eventId = c.req.param("eventId") ?? "";
      const event = isId("evt", eventId) ? await events.find(ctx.db.read, organization.id, eventId) : null;
      if (!event) throw new HTTPException(404);
      const [resourcePath, deliveries] = await Promise.all([
        findResourcePath(ctx, request, event.resourceId),
        deliveriesOfEvents(ctx.db.read, organization.id, [eventId]),
      ]);
      return c.html(page(request, { event, resourcePath, deliveries }));
    }),
  );
}
