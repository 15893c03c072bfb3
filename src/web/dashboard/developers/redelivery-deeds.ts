import type { Hono } from "hono";
import { html } from "hono/html";
import { redeliver, redeliverOne, type Redelivered } from "../../../actions/webhook/redeliver.ts";
import { testEndpoint } from "../../../actions/webhook/test-endpoint.ts";
import type { Context } from "../../../context.ts";
import { addDays, beginOfDay, formatInstant, parseDate } from "../../../domain/calendar.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import { RedeliverParams } from "../../../resources/webhook.ts";
import { field, shownAgain } from "../../components/field.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { choices } from "../components/choices.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { faultAt, hiddenFields, originOf, parsed, refusalNotice, refusedField, typed, type Sent } from "../sent.ts";
import { deliveryOf, type ShownDelivery } from "./delivery-page.ts";
import { endpointOf, webhookPage } from "./endpoints.ts";
import { DELIVERIES, deliveryPath, endpointPath, WEBHOOKS } from "./paths.ts";

const WHICH = [
  {
    value: "failed",
    label: "Only deliveries that did not succeed",
    hint: "Deliveries that failed, still wait, or were skipped because the endpoint was disabled.",
  },
  { value: "any", label: "All deliveries", hint: "Also deliveries that succeeded. This choice needs a first day." },
];

function testPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<WebhookEndpoint>(app, door, {
    path: `${WEBHOOKS}/:endpointId/test`,
    permission: "webhooks",
    scene: (c, visit) => endpointOf(ctx, c, visit),
    page(endpoint, sent) {
      const body = html`${refusalNotice(sent)}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`<p>Billow sends an event of the type <code>webhook_endpoint.test</code> to
<bdi class="url">${endpoint.url}</bdi> alone. The event concerns no Customer and no money.</p>`,
  label: "Send the test event",
  back: endpointPath(sent.visit.self, endpoint.id),
})}`;
      return webhookPage(ctx, sent.visit, "Send a test event", body);
    },
    async act(endpoint, sent) {
      const audited = { operation: "testWebhookEndpoint", resourceId: endpoint.id };
      const delivery = await testEndpoint(ctx, originOf<WebhookDelivery>(sent, audited), endpoint.id);
      return `${deliveryPath(sent.visit.self, delivery.id)}?done=tested`;
    },
    after: (endpoint, { self }) => `${endpointPath(self, endpoint.id)}?done=tested`,
  });
}

/** A day in a field as its first instant; null: the field is empty. @throws AppError for a text that is no date */
function dayOf(sent: Sent, name: string, daysLater = 0): string | null {
  const text = typed(sent, name);
  if (text === "") return null;
  const date = parseDate(text);
  if (date === null) throw refusedField(name, "invalid_date", "Enter a day such as 2026-10-31.");
  return formatInstant(beginOfDay(addDays(date, daysLater), sent.visit.organization.timeZone));
}

function spanFields(sent: Sent): Html {
  const day = (name: string, label: string, hint: string) =>
    field({
      name,
      label,
      mark: "optional",
      inputmode: "text",
      autocomplete: "off",
      required: false,
      maxlength: 10,
      placeholder: "2026-10-31",
      value: shownAgain(typed(sent, name)),
      hint,
      fault: faultAt(sent, name),
    });
  return html`${choices({
    name: "status",
    legend: "Which deliveries",
    choices: WHICH,
    chosen: [typed(sent, "status") || "failed"],
    isOne: true,
    fault: faultAt(sent, "status"),
  })}
${day("from", "First day", "Deliveries are kept for 30 days. If the field is empty, the span begins 30 days ago.")}
${day("to", "Last day", "If the field is empty, the span ends now.")}`;
}

function spanPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<WebhookEndpoint>(app, door, {
    path: `${WEBHOOKS}/:endpointId/redeliver`,
    permission: "webhooks",
    scene: (c, visit) => endpointOf(ctx, c, visit),
    page(endpoint, sent) {
      const body = html`${refusalNotice(sent, ["status", "from", "to"])}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`<p>Billow sends the deliveries of the span to <bdi class="url">${endpoint.url}</bdi> once more.
A receiver knows a repeated event by its id.</p>`,
  fields: spanFields(sent),
  label: "Send again",
  back: endpointPath(sent.visit.self, endpoint.id),
})}`;
      return webhookPage(ctx, sent.visit, "Send deliveries again", body);
    },
    async act(endpoint, sent) {
      const wanted = { from: dayOf(sent, "from"), to: dayOf(sent, "to", 1), status: typed(sent, "status") };
      if (wanted.status === "any" && wanted.from === null)
        throw refusedField("from", "required", "Enter the first day.");
      if (wanted.from !== null && wanted.to !== null && wanted.to <= wanted.from)
        throw refusedField("to", "not_after_start", "The last day must not be before the first day.");
      const body = parsed(RedeliverParams, wanted);
      const audited = { operation: "redeliverToWebhookEndpoint", resourceId: endpoint.id, body };
      const { count, done } = await redeliver(ctx, originOf<Redelivered>(sent, audited), endpoint.id, body);
      return count === 0 && done ? `${endpointPath(sent.visit.self, endpoint.id)}?done=none` : undefined;
    },
    after: (endpoint, { self }) => `${endpointPath(self, endpoint.id)}?done=redelivered`,
    words: { endpoint_disabled: "The endpoint is disabled. Enable the endpoint first." },
  });
}

function onePage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<ShownDelivery>(app, door, {
    path: `${DELIVERIES}/:deliveryId/redeliver`,
    permission: "webhooks",
    scene: (c, visit) => deliveryOf(ctx, c, visit),
    page({ delivery, endpoint }, sent) {
      const body = html`${refusalNotice(sent)}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`<p>Billow sends this <code>${delivery.eventType}</code> to <bdi class="url">${endpoint.url}</bdi>
once more, with the same body and a new signature.</p>`,
  label: "Send again",
  back: deliveryPath(sent.visit.self, delivery.id),
})}`;
      return webhookPage(ctx, sent.visit, "Send this delivery again", body);
    },
    async act({ delivery }, sent) {
      const audited = { operation: "redeliver", resourceId: delivery.id };
      await redeliverOne(ctx, originOf<WebhookDelivery>(sent, audited), delivery.id);
      return undefined;
    },
    after: ({ delivery }, { self }) => `${deliveryPath(self, delivery.id)}?done=redelivered`,
    words: { endpoint_disabled: "The endpoint is disabled. Enable the endpoint first." },
  });
}

/** A test event, one delivery again, and the deliveries of a span again. */
export function redeliveryDeeds(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  testPage(ctx, app, door);
  spanPage(ctx, app, door);
  onePage(ctx, app, door);
}
