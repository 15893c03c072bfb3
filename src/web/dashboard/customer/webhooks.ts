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
import { part, type Scene } from "./part.ts";

/** The events on the Customer's page. */
const FEW = 10;

function deliveryEntry({ visit }: Scene, delivery: DeliveryTo): Html {
  const { id, url, status, responseStatus, error } = delivery;
  const answer = responseStatus === null ? error : `HTTP ${responseStatus}`;
  return html`<li><a class="cut" href="${visit.self}/developers/deliveries/${id}"><bdi>${url}</bdi></a>
${statusBadge("delivery", status)}${answer === null ? "" : html` <span class="note">${answer}</span>`}</li>`;
}

function row(scene: Scene, { id, type, createdAt }: Event, deliveries: readonly DeliveryTo[]): Html {
  const { visit, zone } = scene;
  const named = allows(visit.role, "events") ? html`<a href="${visit.self}/developers/events/${id}">${type}</a>` : type;
  const entries = deliveries.map((delivery) => deliveryEntry(scene, delivery));
  return html`<tr>
<th scope="row">${named}</th>
<td>${entries.length === 0 ? html`<span class="note">No endpoint</span>` : html`<ul class="plain">${entries}</ul>`}</td>
<td>${time(createdAt, zone)}</td>
</tr>`;
}

const HEADINGS = ["Event", "Deliveries", "Time"];

/** The newest events of a Customer with their deliveries, for roles that see webhooks; empty for other roles. */
export async function webhookPart(scene: Scene): Promise<Html | ""> {
  const { ctx, visit, customer } = scene;
  if (!allows(visit.role, "webhooks")) return "";
  const { id } = visit.organization;
  const found = await eventsOfCustomer(ctx.db.read, id, customer.id, { limit: FEW });
  const events = found.slice(0, FEW);
  const deliveries = await deliveriesOfEvents(
    ctx.db.read,
    id,
    events.map((event) => event.id),
  );
  const rows = events.map((event) =>
    row(
      scene,
      event,
      deliveries.filter(({ eventId }) => eventId === event.id),
    ),
  );
  const body =
    rows.length === 0
      ? emptyState("There is no event yet. Each change of this Customer creates an event for your endpoints.")
      : table("Webhooks", HEADINGS, rows);
  const name = `The ${counted(rows.length, "newest event")} and their deliveries`;
  const folded = html`<details class="unfold"><summary>${name}</summary>
${body}</details>`;
  return part("webhooks", "Webhooks", rows.length === 0 ? body : folded);
}
