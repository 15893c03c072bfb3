import { html } from "hono/html";
import type { Event } from "../../../domain/event.ts";
import { counted } from "../../../domain/words.ts";
import { allows } from "../../../domain/team/role.ts";
import { eventsOfCustomer } from "../../../store/events.ts";
import { deliveriesOfEvents, type DeliveryTo } from "../../../store/webhooks.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { table } from "../table.ts";
import { part, type CustomerPageData } from "./part.ts";

/** The events on the Customer's page. */
const FEW = 10;

function deliveryEntry({ request }: CustomerPageData, delivery: DeliveryTo): Html {
  const { id, url, status, responseStatus, error } = delivery;
  const answer = responseStatus === null ? error : `HTTP ${responseStatus}`;
  return html`<li><a class="cut" href="${request.self}/developers/deliveries/${id}"><bdi>${url}</bdi></a>
${statusBadge("delivery", status)}${answer === null ? "" : html` <span class="note">${answer}</span>`}</li>`;
}

function row(pageData: CustomerPageData, { id, type, createdAt }: Event, deliveries: readonly DeliveryTo[]): Html {
  const { request, zone } = pageData;
  const named = allows(request.role, "events")
    ? html`<a href="${request.self}/developers/events/${id}">${type}</a>`
    : type;
  const entries = deliveries.map((delivery) => deliveryEntry(pageData, delivery));
  return html`<tr>
<th scope="row">${named}</th>
<td>${entries.length === 0 ? html`<span class="note">No endpoint</span>` : html`<ul class="plain">${entries}</ul>`}</td>
<td>${time(createdAt, zone)}</td>
</tr>`;
}

const HEADINGS = ["Event", "Deliveries", "Time"];

type Sent = { event: Event; deliveries: readonly DeliveryTo[] };

/** The newest events of a Customer with their deliveries; null for roles that see no webhooks. */
export async function readWebhooks({ ctx, request, customer }: CustomerPageData): Promise<readonly Sent[] | null> {
  if (!allows(request.role, "webhooks")) return null;
  const { id } = request.organization;
  const found = await eventsOfCustomer(ctx.db.stale, id, customer.id, { limit: FEW });
  const events = found.slice(0, FEW);
  const deliveries = await deliveriesOfEvents(
    ctx.db.stale,
    id,
    events.map((event) => event.id),
  );
  return events.map((event) => ({ event, deliveries: deliveries.filter(({ eventId }) => eventId === event.id) }));
}

/** The part of the page with webhooks. */
export function webhookPart(pageData: CustomerPageData, sent: readonly Sent[]): Html {
  const rows = sent.map(({ event, deliveries }) => row(pageData, event, deliveries));
  const body =
    rows.length === 0
      ? emptyState("There is no event yet. Each change of this Customer creates an event for your endpoints.")
      : table("Webhooks", HEADINGS, rows);
  const name = `The ${counted(rows.length, "newest event")} and their deliveries`;
  const folded = html`<details class="unfold"><summary>${name}</summary>
${body}</details>`;
  return part("webhooks", "Webhooks", rows.length === 0 ? body : folded);
}
