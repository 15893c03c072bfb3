import { html } from "hono/html";
import { realNow } from "../../../clock.ts";
import type { WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import { counted } from "../../../domain/words.ts";
import { readHealth, type EndpointHealth } from "../../../store/endpoint-health.ts";
import { endpoints, listEndpoints } from "../../../store/webhooks.ts";
import { basePath, developersStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { id, NONE, time } from "../components/cells.ts";
import { copyableText } from "../components/copyable.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { emptyState } from "../components/empty-state.ts";
import { together, type Pages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { rowAt, type Resource } from "../resource-forms.ts";
import { table } from "../table.ts";
import type { DashboardRequest } from "../request.ts";
import { deliveryLog, readDeliveryLog, type DeliveryLog } from "./deliveries.ts";
import { endpointBadge, endpointMeaning, endpointTrouble } from "./endpoint-state.ts";
import { endpointPath, WEBHOOKS } from "./paths.ts";

/** More than an Organization can have (`MOST_ENDPOINTS`), so the list is one page. */
const MOST = 100;

const DONE = {
  created: "The endpoint has been added. Its secret was shown once and can't be shown again.",
  updated: "The endpoint has been changed.",
  deleted: "The endpoint has been deleted.",
  rotated: "The endpoint has a new secret, which was shown once and can't be shown again.",
  tested: "The test event is being sent.",
  redelivered: "The deliveries are being sent again.",
  none: "No delivery of this span has to be sent again.",
};

const HEADINGS = ["URL", "State", "Events", { label: "Description", isWide: true }, { label: "Added", isWide: true }];

const eventsOf = ({ events }: WebhookEndpoint) => (events.includes("*") ? "All" : counted(events.length, "type"));

function row(endpoint: WebhookEndpoint, { self, organization }: DashboardRequest): Html {
  const { id: endpointId, url, description, createdAt } = endpoint;
  return html`<tr>
<th scope="row"><a class="url" href="${endpointPath(self, endpointId)}"><bdi>${url}</bdi></a></th>
<td>${endpointBadge(endpoint, realNow())}</td>
<td>${eventsOf(endpoint)}</td>
<td class="wide"><bdi>${description ?? ""}</bdi></td>
<td class="wide">${time(createdAt, organization.timeZone)}</td>
</tr>`;
}

/** A page of the section "Webhooks". */
export function webhookPage(request: DashboardRequest, title: string, body: Html, actions?: Html): Html {
  const head = stylesheet(developersStylesPath(request.ctx));
  return dashboardPage(request, { section: "webhooks", title, body, head, actions });
}

export const ENDPOINTS: Resource<WebhookEndpoint> = {
  path: "developers/webhooks",
  param: "endpointId",
  prefix: "whk",
  operation: "WebhookEndpoint",
  noun: "endpoint",
  permission: "webhooks",
  async find({ ctx, organization }, endpointId) {
    const found = await endpoints.find(ctx.db.read, organization.id, endpointId);
    return found?.kind === "http" ? found : null;
  },
  isGone: ({ deletedAt }) => deletedAt !== null,
  nameOf: ({ url }) => url,
  frame: webhookPage,
};

/** The last end of an earlier secret that still signs. */
function oldSecretEnd({ previousSecrets }: WebhookEndpoint, zone: string): Html {
  const ends = previousSecrets.map(({ until }) => until).filter((until) => until > realNow());
  if (ends.length === 0) return NONE;
  return html`Also signs until ${time(ends.toSorted((one, other) => other - one)[0]!, zone)}`;
}

function facts(endpoint: WebhookEndpoint, zone: string): Html {
  const { events, description } = endpoint;
  const types = events.includes("*") ? "All types" : html`${events.map((type) => html`<code>${type}</code> `)}`;
  return definitions([
    ["URL", copyableText(endpoint.url, "URL")],
    ["State", html`${endpointBadge(endpoint, realNow())} <span class="note">${endpointMeaning(endpoint)}</span>`],
    ["Events", types],
    ["Description", description === null ? NONE : html`<bdi>${description}</bdi>`],
    ["Old secret", oldSecretEnd(endpoint, zone)],
    ["Added", time(endpoint.createdAt, zone)],
    ["Id", id(endpoint.id)],
  ]);
}

type EndpointData = { endpoint: WebhookEndpoint; health: EndpointHealth; log: DeliveryLog };

function onePage(request: DashboardRequest, { endpoint, health, log }: EndpointData, done: Html | ""): Html {
  const { self, organization } = request;
  const [here, zone] = [endpointPath(self, endpoint.id), organization.timeZone];
  const body = html`${done}
${endpointTrouble(endpoint, health, zone, realNow())}
${facts(endpoint, zone)}
<p class="actions links"><a href="${here}/edit">Edit</a> <a href="${here}/secret">New secret</a>
<a href="${here}/redeliver">Send deliveries again</a> <a href="${here}/delete">Delete</a></p>
<h2 id="deliveries">Deliveries</h2>
${deliveryLog(log, { self, here, zone })}`;
  const actions =
    endpoint.status === "disabled"
      ? undefined
      : html`<a class="button small other" href="${here}/test">Send a test event</a>`;
  return webhookPage(request, endpoint.url, body, actions);
}

const endpointPage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${WEBHOOKS}/:endpointId`,
    signedIn("webhooks", async (c, request) => {
      const endpoint = await rowAt(ENDPOINTS, c, request);
      const [health, log] = await Promise.all([
        readHealth(ctx.db.read, request.organization.id, endpoint.id),
        readDeliveryLog(ctx, endpoint, new URL(c.req.url).searchParams),
      ]);
      const page = onePage(request, { endpoint, health, log }, doneNotice(c, DONE));
      return c.html(page, log.faults === null ? 200 : 422);
    }),
  );
};

function allPage(request: DashboardRequest, rows: readonly WebhookEndpoint[], done: Html | ""): Html {
  const docs = { href: `${basePath(request.ctx)}/docs/guides/receive-webhooks`, label: "Receive events" };
  const list =
    rows.length === 0
      ? emptyState("There is no endpoint yet. An endpoint is a URL of yours, to which Billow sends events.", docs)
      : table(
          "Webhook endpoints",
          HEADINGS,
          rows.map((each) => row(each, request)),
        );
  const actions = html`<a class="button small" href="${request.self}/developers/webhooks/new">Add an endpoint</a>`;
  return webhookPage(request, "Webhooks", html`${done}${list}`, actions);
}

/** `/dashboard/{organizationId}/developers/webhooks`: the endpoints, and a page for each with its deliveries. */
const listPage: Pages = (ctx, app, guard) => {
  app.get(
    WEBHOOKS,
    guard.signedIn("webhooks", async (c, request) => {
      const rows = await listEndpoints(ctx.db.read, request.organization.id, { limit: MOST });
      return c.html(allPage(request, rows, doneNotice(c, DONE)));
    }),
  );
};

export const endpointPages = together(listPage, endpointPage);
