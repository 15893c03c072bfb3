import type { Hono } from "hono";
import { html } from "hono/html";
import { createEndpoint } from "../../../actions/webhook/create-endpoint.ts";
import { deleteEndpoint } from "../../../actions/webhook/delete-endpoint.ts";
import { rotateSecret } from "../../../actions/webhook/endpoint-secret.ts";
import { updateEndpoint } from "../../../actions/webhook/update-endpoint.ts";
import type { Context } from "../../../context.ts";
import type { WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import {
  CreateWebhookEndpointParams,
  presentSecret,
  RotateSecretParams,
  UpdateWebhookEndpointParams,
} from "../../../resources/webhook.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { choices } from "../components/choices.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { notice } from "../components/notice.ts";
import { secret } from "../components/secret.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { faultAt, hiddenFields, originOf, parsed, refusalNotice, typed } from "../sent.ts";
import type { Visit } from "../visit.ts";
import { bodyOf, endpointForm, sentValues, type EndpointValues } from "./endpoint-form.ts";
import { endpointOf, webhookPage } from "./endpoints.ts";
import { endpointPath, WEBHOOKS } from "./paths.ts";

const NEW: EndpointValues = { url: "", description: "", events: ["*"], isEnabled: null };
const OVERLAPS = [
  { value: "0", label: "No overlap: the old secret ends now" },
  { value: "24", label: "For a day" },
  { value: "72", label: "For three days" },
  { value: "168", label: "For seven days" },
];
const USUAL_OVERLAP = "24";

/** The answer to a form that made a secret: the only page with the secret. */
function secretPage(ctx: Context, visit: Visit, endpoint: WebhookEndpoint, note: string): Html {
  const here = endpointPath(visit.self, endpoint.id);
  const body = html`${notice("done", `${note} Copy the secret now: no other page shows it.`)}
${secret("The secret of the endpoint", presentSecret(endpoint))}
<p>Your receiver verifies the signature of each request with this secret.</p>
<p class="older"><a href="${here}">To the endpoint</a></p>`;
  return webhookPage(ctx, visit, endpoint.url, body);
}

function addPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<null>(app, door, {
    path: `${WEBHOOKS}/new`,
    permission: "webhooks",
    asksAgain: true,
    scene: async () => null,
    page(_, sent) {
      const values = sent.refusal === null ? NEW : sentValues(sent, false);
      const words = { label: "Add the endpoint", back: `${sent.visit.self}/developers/webhooks` };
      return webhookPage(ctx, sent.visit, "Add a webhook endpoint", endpointForm(sent, values, words));
    },
    async act(_, sent) {
      const body = parsed(CreateWebhookEndpointParams, bodyOf(sent));
      const origin = originOf<WebhookEndpoint>(sent, { operation: "createWebhookEndpoint", body });
      const made = await createEndpoint(ctx, origin, body);
      return { page: secretPage(ctx, sent.visit, made, "The endpoint has been added.") };
    },
    after: (_, { self }) => `${self}/developers/webhooks?done=created`,
  });
}

const valuesOf = ({ url, description, events, status }: WebhookEndpoint): EndpointValues => ({
  url,
  description: description ?? "",
  events,
  isEnabled: status === "enabled",
});

function editPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<WebhookEndpoint>(app, door, {
    path: `${WEBHOOKS}/:endpointId/edit`,
    permission: "webhooks",
    scene: (c, visit) => endpointOf(ctx, c, visit),
    page(endpoint, sent) {
      const values = sent.refusal === null ? valuesOf(endpoint) : sentValues(sent, true);
      const words = { label: "Save", back: endpointPath(sent.visit.self, endpoint.id) };
      return webhookPage(ctx, sent.visit, "Edit the endpoint", endpointForm(sent, values, words));
    },
    async act(endpoint, sent) {
      const status = sent.fields.has("enabled") ? "enabled" : "disabled";
      const body = parsed(UpdateWebhookEndpointParams, { ...bodyOf(sent), status });
      const audited = { operation: "updateWebhookEndpoint", resourceId: endpoint.id, body };
      await updateEndpoint(ctx, originOf<WebhookEndpoint>(sent, audited), endpoint.id, body);
      return undefined;
    },
    after: (endpoint, { self }) => `${endpointPath(self, endpoint.id)}?done=updated`,
  });
}

function deletePage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<WebhookEndpoint>(app, door, {
    path: `${WEBHOOKS}/:endpointId/delete`,
    permission: "webhooks",
    scene: (c, visit) => endpointOf(ctx, c, visit),
    page(endpoint, sent) {
      const body = html`${refusalNotice(sent)}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`<p><bdi class="url">${endpoint.url}</bdi> gets no more events. Deliveries that wait are skipped, and the
log of this endpoint can't be read any more.</p>
<p>To keep the log, disable the endpoint instead.</p>`,
  label: "Delete the endpoint",
  isDangerous: true,
  back: endpointPath(sent.visit.self, endpoint.id),
})}`;
      return webhookPage(ctx, sent.visit, "Delete this endpoint?", body);
    },
    async act(endpoint, sent) {
      const origin = originOf<void>(sent, { operation: "deleteWebhookEndpoint", resourceId: endpoint.id });
      await deleteEndpoint(ctx, origin, endpoint.id);
      return undefined;
    },
    after: (_, { self }) => `${self}/developers/webhooks?done=deleted`,
  });
}

function newSecretPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<WebhookEndpoint>(app, door, {
    path: `${WEBHOOKS}/:endpointId/secret`,
    permission: "webhooks",
    asksAgain: true,
    scene: (c, visit) => endpointOf(ctx, c, visit),
    page(endpoint, sent) {
      const body = html`${refusalNotice(sent, ["overlapHours"])}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`<p>Billow creates a new secret for <bdi class="url">${endpoint.url}</bdi>. During the overlap, each
request has a signature by both secrets, so the receiver can switch to the new secret without losing an event.</p>`,
  fields: choices({
    name: "overlapHours",
    legend: "Overlap: the old secret also signs",
    choices: OVERLAPS,
    chosen: [typed(sent, "overlapHours") || USUAL_OVERLAP],
    isOne: true,
    fault: faultAt(sent, "overlapHours"),
  }),
  label: "Create a new secret",
  back: endpointPath(sent.visit.self, endpoint.id),
})}`;
      return webhookPage(ctx, sent.visit, "New secret", body);
    },
    async act(endpoint, sent) {
      const body = parsed(RotateSecretParams, { overlapHours: Number(typed(sent, "overlapHours") || NaN) });
      const audited = { operation: "rotateWebhookSecret", resourceId: endpoint.id, body };
      const rotated = await rotateSecret(ctx, originOf<WebhookEndpoint>(sent, audited), endpoint.id, body);
      return { page: secretPage(ctx, sent.visit, rotated, "The endpoint has a new secret.") };
    },
    after: (endpoint, { self }) => `${endpointPath(self, endpoint.id)}?done=rotated`,
  });
}

/** Adding, editing and deleting endpoints, and new secrets. The answer to the form is the only page with a secret. */
export function endpointDeeds(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  addPage(ctx, app, door);
  editPage(ctx, app, door);
  deletePage(ctx, app, door);
  newSecretPage(ctx, app, door);
}
