import { html } from "hono/html";
import { createEndpoint } from "../../../actions/webhook/create-endpoint.ts";
import { deleteEndpoint } from "../../../actions/webhook/delete-endpoint.ts";
import { rotateSecret } from "../../../actions/webhook/endpoint-secret.ts";
import { updateEndpoint } from "../../../actions/webhook/update-endpoint.ts";
import type { WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import {
  CreateWebhookEndpointParams,
  presentSecret,
  RotateSecretParams,
  UpdateWebhookEndpointParams,
} from "../../../resources/webhook.ts";
import type { Html } from "../../layout.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { notice } from "../components/notice.ts";
import { secret } from "../components/secret.ts";
import { radioField } from "../fields.ts";
import { formPages, together } from "../form-action.ts";
import { editForm, endForm, newForm, rowAt } from "../resource-forms.ts";
import { originOf, parsed, refusalNotice, typed } from "../sent-form.ts";
import type { DashboardRequest } from "../request.ts";
import { bodyOf, endpointForm } from "./endpoint-form.ts";
import { ENDPOINTS, webhookPage } from "./endpoints.ts";
import { endpointPath, WEBHOOKS } from "./paths.ts";

const OVERLAPS = [
  ["0", "No overlap: the old secret ends now"],
  ["24", "For a day"],
  ["72", "For three days"],
  ["168", "For seven days"],
] as const;
const USUAL_OVERLAP = "24";

/** The answer to a form that made a secret: the only page with the secret. */
function secretPage(request: DashboardRequest, endpoint: WebhookEndpoint, note: string): { page: Html } {
  const here = endpointPath(request.self, endpoint.id);
  const body = html`${notice("done", `${note} Copy the secret now: no other page shows it.`)}
${secret("The secret of the endpoint", presentSecret(endpoint))}
<p>Your receiver verifies the signature of each request with this secret.</p>
<p class="older"><a href="${here}">To the endpoint</a></p>`;
  return { page: webhookPage(request, endpoint.url, body) };
}

const addPage = newForm<WebhookEndpoint, null, CreateWebhookEndpointParams, WebhookEndpoint>(ENDPOINTS, {
  asksAgain: true,
  load: () => null,
  page: (_, sent) => ({ title: "Add a webhook endpoint", body: endpointForm(sent, null) }),
  read: (sent) => parsed(CreateWebhookEndpointParams, bodyOf(sent)),
  create: createEndpoint,
  next: (request, made) => secretPage(request, made, "The endpoint has been added."),
  again: "created",
});

const editPage = editForm(ENDPOINTS, {
  load: (_, endpoint) => endpoint,
  page: (endpoint, sent) => ({ title: "Edit the endpoint", body: endpointForm(sent, endpoint) }),
  read: (sent) =>
    parsed(UpdateWebhookEndpointParams, {
      ...bodyOf(sent),
      status: sent.fields.has("enabled") ? "enabled" : "disabled",
    }),
  update: (ctx, origin, id, body) => updateEndpoint(ctx, origin, id, body),
  done: "updated",
});

const deletePage = endForm(ENDPOINTS, {
  name: "delete",
  page: (_, { url }) => ({
    title: "Delete this endpoint?",
    effect: html`<p><bdi class="url">${url}</bdi> gets no more events. Deliveries that wait are skipped, and the
log of this endpoint can't be read any more.</p>
<p>To keep the log, disable the endpoint instead.</p>`,
    label: "Delete the endpoint",
    isDangerous: true,
  }),
  end: (ctx, origin, { id }) => deleteEndpoint(ctx, origin, id),
  next: ({ self }) => `${self}/developers/webhooks?done=deleted`,
});

const newSecretPage = formPages<WebhookEndpoint, RotateSecretParams>({
  path: `${WEBHOOKS}/:endpointId/secret`,
  permission: "webhooks",
  asksAgain: true,
  load: (c, request) => rowAt(ENDPOINTS, c, request),
  page(endpoint, sent) {
    const panel = {
      effect: html`<p>Billow creates a new secret for <bdi class="url">${endpoint.url}</bdi>. During the overlap, each
request has a signature by both secrets, so the receiver can switch to the new secret without losing an event.</p>`,
      fields: radioField(sent, "overlapHours", {
        legend: "Overlap: the old secret also signs",
        choices: OVERLAPS,
        known: [USUAL_OVERLAP],
      }),
      label: "Create a new secret",
      back: endpointPath(sent.request.self, endpoint.id),
    };
    const body = html`${refusalNotice(sent, ["overlapHours"])}${confirmPanel(sent, panel)}`;
    return webhookPage(sent.request, "New secret", body);
  },
  read: (_, sent) => parsed(RotateSecretParams, { overlapHours: Number(typed(sent, "overlapHours") || NaN) }),
  async act({ id }, body, sent) {
    const origin = originOf<WebhookEndpoint>(sent, { operation: "rotateWebhookSecret", resourceId: id, body });
    const rotated = await rotateSecret(sent.request.ctx, origin, id, body);
    return secretPage(sent.request, rotated, "The endpoint has a new secret.");
  },
  after: ({ id }, { self }) => `${endpointPath(self, id)}?done=rotated`,
});

/** Adding, editing and deleting endpoints, and new secrets. The answer to the form is the only page with a secret. */
export const endpointForms = together(addPage, editPage, deletePage, newSecretPage);
