import { html } from "hono/html";
import { redeliver, redeliverOne, type Redelivered } from "../../../actions/webhook/redeliver.ts";
import { testEndpoint } from "../../../actions/webhook/test-endpoint.ts";
import { formatInstant } from "../../../domain/calendar.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import { RedeliverParams } from "../../../resources/webhook.ts";
import type { Html } from "../../layout.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { OPTIONAL, radioField, textField } from "../fields.ts";
import { formPages, together } from "../form-action.ts";
import { rowAt } from "../resource-forms.ts";
import { originOf, parsed, refusalNotice, refusedField, typed, type Sent } from "../sent-form.ts";
import { typedDay } from "../typed-values.ts";
import { deliveryOf, type DeliveryView } from "./delivery-page.ts";
import { ENDPOINTS, webhookPage } from "./endpoints.ts";
import { DELIVERIES, deliveryPath, endpointPath, WEBHOOKS } from "./paths.ts";

const WHICH = [
  [
    "failed",
    "Only deliveries that did not succeed",
    "Deliveries that failed, still wait, or were skipped because the endpoint was disabled.",
  ],
  ["any", "All deliveries", "Also deliveries that succeeded. This choice needs a first day."],
] as const;

const testPage = formPages<WebhookEndpoint>({
  path: `${WEBHOOKS}/:endpointId/test`,
  permission: "webhooks",
  load: (c, request) => rowAt(ENDPOINTS, c, request),
  page({ id, url }, sent) {
    const panel = {
      effect: html`<p>Billow sends an event of the type <code>webhook_endpoint.test</code> to
<bdi class="url">${url}</bdi> alone. The event concerns no Customer and no money.</p>`,
      label: "Send the test event",
      back: endpointPath(sent.request.self, id),
    };
    return webhookPage(sent.request, "Send a test event", html`${refusalNotice(sent)}${confirmPanel(sent, panel)}`);
  },
  async act({ id }, _, sent) {
    const { ctx, self } = sent.request;
    const origin = originOf<WebhookDelivery>(sent, { operation: "testWebhookEndpoint", resourceId: id });
    return `${deliveryPath(self, (await testEndpoint(ctx, origin, id)).id)}?done=tested`;
  },
  after: ({ id }, { self }) => `${endpointPath(self, id)}?done=tested`,
});

function spanFields(sent: Sent): Html {
  const day = (name: string, label: string, hint: string) =>
    textField(sent, name, { label, mark: OPTIONAL, maxlength: 10, placeholder: "2026-10-31", hint });
  return html`${radioField(sent, "status", { legend: "Which deliveries", choices: WHICH })}
${day("from", "First day", "If the field is empty, the span begins with the first delivery that is kept.")}
${day("to", "Last day", "If the field is empty, the span ends now.")}`;
}

/** @throws AppError 422 */
function readSpan(sent: Sent): RedeliverParams {
  const [from, to, status] = [typedDay(sent, "from"), typedDay(sent, "to", 1), typed(sent, "status")];
  if (status === "any" && from === null) throw refusedField("from", "required", "Enter the first day.");
  if (from !== null && to !== null && to <= from)
    throw refusedField("to", "not_after_start", "The last day must not be before the first day.");
  return parsed(RedeliverParams, { from: from && formatInstant(from), to: to && formatInstant(to), status });
}

const spanPage = formPages<WebhookEndpoint, RedeliverParams>({
  path: `${WEBHOOKS}/:endpointId/redeliver`,
  permission: "webhooks",
  load: (c, request) => rowAt(ENDPOINTS, c, request),
  page({ id, url }, sent) {
    const panel = {
      effect: html`<p>Billow sends the deliveries of the span to <bdi class="url">${url}</bdi> once more.
A receiver knows a repeated event by its id.</p>`,
      fields: spanFields(sent),
      label: "Send again",
      back: endpointPath(sent.request.self, id),
    };
    const body = html`${refusalNotice(sent, ["status", "from", "to"])}${confirmPanel(sent, panel)}`;
    return webhookPage(sent.request, "Send deliveries again", body);
  },
  read: (_, sent) => readSpan(sent),
  async act({ id }, body, sent) {
    const origin = originOf<Redelivered>(sent, { operation: "redeliverToWebhookEndpoint", resourceId: id, body });
    const { count, done } = await redeliver(sent.request.ctx, origin, id, body);
    return count === 0 && done ? `${endpointPath(sent.request.self, id)}?done=none` : undefined;
  },
  after: ({ id }, { self }) => `${endpointPath(self, id)}?done=redelivered`,
});

const onePage = formPages<DeliveryView>({
  path: `${DELIVERIES}/:deliveryId/redeliver`,
  permission: "webhooks",
  load: deliveryOf,
  page({ delivery, endpoint }, sent) {
    const panel = {
      effect: html`<p>Billow sends this <code>${delivery.eventType}</code> to <bdi class="url">${endpoint.url}</bdi>
once more, with the same body and a new signature.</p>`,
      label: "Send again",
      back: deliveryPath(sent.request.self, delivery.id),
    };
    const body = html`${refusalNotice(sent)}${confirmPanel(sent, panel)}`;
    return webhookPage(sent.request, "Send this delivery again", body);
  },
  async act({ delivery: { id } }, _, sent) {
    const origin = originOf<WebhookDelivery>(sent, { operation: "redeliver", resourceId: id });
    await redeliverOne(sent.request.ctx, origin, id);
  },
  after: ({ delivery }, { self }) => `${deliveryPath(self, delivery.id)}?done=redelivered`,
});

/** A test event, one delivery again, and the deliveries of a span again. */
export const redeliveryForms = together(testPage, spanPage, onePage);
