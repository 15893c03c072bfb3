import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Event } from "../../../domain/event.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import { isId } from "../../../ids.ts";
import { presentEvent } from "../../../resources/event.ts";
import { events } from "../../../store/events.ts";
import { deliveries, endpoints } from "../../../store/webhooks.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { exactTime, id, NONE } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { emptyState } from "../components/empty-state.ts";
import { notice } from "../components/notice.ts";
import { payload } from "../components/payload.ts";
import { statusBadge } from "../components/status.ts";
import type { Pages } from "../form-action.ts";
import { table } from "../table.ts";
import type { DashboardRequest } from "../request.ts";
import { lastAttemptAt } from "./deliveries.ts";
import { outcomeOf } from "./endpoint-state.ts";
import { webhookPage } from "./endpoints.ts";
import { DELIVERIES, deliveryPath, endpointPath, eventPath } from "./paths.ts";

export type DeliveryView = { delivery: WebhookDelivery; endpoint: WebhookEndpoint };

const DONE = {
  tested: "The test event is being sent. Reload the page to see the response.",
  redelivered: "The delivery is being sent again. Reload the page to see the response.",
};

/** @throws HTTPException 404 unless the Organization has the delivery of the path, and its endpoint is not deleted */
export async function deliveryOf(c: PageContext, { ctx, organization }: DashboardRequest): Promise<DeliveryView> {
  const deliveryId = c.req.param("deliveryId") ?? "";
  const { read } = ctx.db;
  const delivery = isId("whd", deliveryId) ? await deliveries.find(read, organization.id, deliveryId) : null;
  const endpoint = delivery && (await endpoints.find(read, organization.id, delivery.endpointId));
  if (!delivery || !endpoint || endpoint.deletedAt !== null || endpoint.kind !== "http") throw new HTTPException(404);
  return { delivery, endpoint };
}

function facts({ delivery, endpoint }: DeliveryView, self: string, zone: string): Html {
  const { status, attempts, attemptAt, durationMs, responseStatus, error, eventId, resourceId } = delivery;
  const last = lastAttemptAt(delivery);
  const outcome =
    responseStatus !== null ? String(responseStatus) : error === null ? NONE : html`<code>${error}</code>`;
  return definitions([
    ["Status", statusBadge("delivery", status)],
    ["Endpoint", html`<a class="url" href="${endpointPath(self, endpoint.id)}"><bdi>${endpoint.url}</bdi></a>`],
    ["Event", html`<a href="${eventPath(self, eventId)}">${id(eventId)}</a>`],
    ["Resource", id(resourceId)],
    ["Response", outcome],
    ["Duration", durationMs === null ? NONE : `${durationMs} ms`],
    ["Attempts", String(attempts)],
    ["Created", exactTime(delivery.createdAt, zone)],
    ["Last attempt", last === null ? NONE : exactTime(last, zone)],
    ["Next attempt", attemptAt === null ? NONE : exactTime(attemptAt, zone)],
    ["Id", id(delivery.id)],
  ]);
}

function answerPart({ responseBody, responseStatus }: WebhookDelivery): Html {
  if (responseStatus === null) return emptyState("The receiver has not responded.");
  if (responseBody === null || responseBody === "") return emptyState("The response had no body.");
  return payload("Response body", responseBody);
}

const HEADINGS = ["Time", "Response", { label: "Duration", isNumber: true }];

function failedAttempts({ failures }: WebhookDelivery, zone: string): Html | "" {
  if (failures.length === 0) return "";
  const rows = failures.toReversed().map(({ at, status, error, durationMs }) => {
    const outcome = status ?? html`<code>${error}</code>`;
    return html`<tr>
<th scope="row">${exactTime(at, zone)}</th>
<td>${outcome}</td>
<td class="number">${durationMs} ms</td>
</tr>`;
  });
  return html`<h2>Failed attempts</h2>
${table("Failed attempts", HEADINGS, rows)}`;
}

/** The body of an event, indented. The request has the same JSON on one line. */
export const eventJson = (event: Event): string => JSON.stringify(presentEvent(event), null, 2);

function page(request: DashboardRequest, view: DeliveryView, event: Event | null, done: Html | ""): Html {
  const { self, organization } = request;
  const { delivery, endpoint } = view;
  const hasFailed = delivery.status === "retrying" || delivery.status === "failed";
  const outcome = hasFailed ? outcomeOf(delivery) : null;
  const body = html`${done}
${outcome === null ? "" : notice("warning", outcome)}
${facts(view, self, organization.timeZone)}
<h2>Response</h2>
${answerPart(delivery)}
${failedAttempts(delivery, organization.timeZone)}
<h2>Request body</h2>
${event === null ? emptyState("The event is gone.") : payload("Request body", eventJson(event))}`;
  const here = deliveryPath(self, delivery.id);
  const again = html`<a class="button small other" href="${here}/redeliver">Send again</a>`;
  return webhookPage(request, delivery.eventType, body, endpoint.status === "disabled" ? undefined : again);
}

/** `/dashboard/{organizationId}/developers/deliveries/{deliveryId}`: a delivery, its body, and the last answer. */
export const deliveryPage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${DELIVERIES}/:deliveryId`,
    signedIn("webhooks", async (c, request) => {
      const view = await deliveryOf(c, request);
      const event = await events.find(ctx.db.read, request.organization.id, view.delivery.eventId);
      return c.html(page(request, view, event, doneNotice(c, DONE)));
    }),
  );
};
