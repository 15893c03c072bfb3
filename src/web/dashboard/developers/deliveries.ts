import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { EVENT_TYPES } from "../../../domain/event.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../domain/webhook/webhook.ts";
import { presentPage } from "../../../resources/page.ts";
import { ListDeliveriesQuery } from "../../../resources/webhook.ts";
import { listDeliveries } from "../../../store/webhooks.ts";
import { shownAgain } from "../../components/field.ts";
import type { Html } from "../../layout.ts";
import { time, typeText } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { filterBar } from "../components/filter-bar.ts";
import { notice } from "../components/notice.ts";
import { pager } from "../components/pager.ts";
import { statusBadge } from "../components/status.ts";
import { nextOf, PER_PAGE, previousOf, queryOf, readAddress, type Address } from "../lists/address.ts";
import { statusWords } from "../lists/columns.ts";
import { table } from "../table.ts";
import { answerCell } from "./endpoint-state.ts";
import { deliveryPath } from "./paths.ts";

const HEADINGS = [
  "Event",
  "Status",
  { label: "Response", isWide: true },
  { label: "Attempts", isNumber: true, isWide: true },
  { label: "Duration", isNumber: true, isWide: true },
  { label: "Last attempt", isWide: true },
  { label: "Next attempt", isWide: true },
];

/** The instant of the last attempt; null: there was no attempt yet. */
export const lastAttemptAt = ({ attempts, updatedAt }: WebhookDelivery) => (attempts === 0 ? null : updatedAt);

function row(delivery: WebhookDelivery, self: string, zone: string): Html {
  const { id, eventType, status, attempts, durationMs, attemptAt } = delivery;
  const last = lastAttemptAt(delivery);
  return html`<tr>
<th scope="row"><a href="${deliveryPath(self, id)}">${typeText(eventType)}</a></th>
<td>${statusBadge("delivery", status)}</td>
<td class="wide">${answerCell(delivery)}</td>
<td class="number wide">${attempts}</td>
<td class="number wide">${durationMs === null ? "" : `${durationMs} ms`}</td>
<td class="wide">${last === null ? "" : time(last, zone)}</td>
<td class="wide">${attemptAt === null ? "" : time(attemptAt, zone)}</td>
</tr>`;
}

const words = (status: string) => statusWords("delivery")[status] ?? status;
const STATUSES = ["failed", "retrying", "pending", "succeeded", "skipped"] as const;

function bar(here: string, { filters }: Address, faults: Readonly<Record<string, string>>): Html {
  const shown = (name: string) => shownAgain(filters[name] ?? "");
  const fields = [
    {
      name: "status",
      label: "Status",
      value: shown("status"),
      options: STATUSES.map((status) => [status, words(status)] as const),
      fault: faults["status"],
    },
    {
      name: "type",
      label: "Event type",
      value: shown("type"),
      options: EVENT_TYPES.map((type) => [type, type] as const),
      fault: faults["type"],
    },
    { name: "resourceId", label: "Resource id", value: shown("resourceId"), fault: faults["resourceId"] },
  ];
  return filterBar(here, fields, Object.keys(filters).length === 0 ? null : here);
}

/**
 * A page of the deliveries to an endpoint, newest first. `faults`: the filters and the cursor that do not exist, by the
 * name of the parameter; null: there is none.
 */
export type DeliveryLog = {
  address: Address;
  faults: Readonly<Record<string, string>> | null;
  deliveries: readonly WebhookDelivery[];
  nextCursor: string | null;
};

/** `query`: the filters and the page in the address. */
export async function readDeliveryLog(
  ctx: Context,
  endpoint: WebhookEndpoint,
  query: URLSearchParams,
): Promise<DeliveryLog> {
  query.delete("done");
  const address = readAddress({ prefix: "whd" }, query);
  const { limit: _, ...given } = address.filters;
  const wanted = { ...given, limit: String(PER_PAGE), ...(address.cursor !== null && { cursor: address.cursor }) };
  const read = ListDeliveriesQuery.safeParse(wanted);
  if (!read.success) {
    const faults = Object.fromEntries(
      read.error.issues.map((issue) => [String(issue.path[0] ?? ""), "There is no such value."]),
    );
    return { address, faults, deliveries: [], nextCursor: null };
  }
  const rows = await listDeliveries(ctx.db.read, endpoint.organizationId, endpoint.id, read.data);
  const { data: deliveries, nextCursor } = presentPage(rows, PER_PAGE, (delivery) => delivery);
  return { address, faults: null, deliveries, nextCursor };
}

/** `here`: the endpoint's page. */
export function deliveryLog(
  { address, faults, deliveries, nextCursor }: DeliveryLog,
  { self, here, zone }: { self: string; here: string; zone: string },
): Html {
  if (faults !== null) {
    const whole = faults["cursor"] ?? faults[""];
    return html`${whole === undefined ? "" : notice("fault", "There is no such filter or page.")}
${bar(here, address, faults)}`;
  }
  const back = previousOf(address);
  const isWhole = Object.keys(address.filters).length === 0;
  const empty = isWhole
    ? "Each event that this endpoint gets appears here. A test event is the quickest first one."
    : "No delivery fits these filters.";
  const pages = pager({
    previous: back === null ? null : here + queryOf(back),
    next: nextCursor === null ? null : here + queryOf(nextOf(address, nextCursor)),
  });
  const list =
    deliveries.length === 0
      ? emptyState(empty)
      : table(
          "Deliveries",
          HEADINGS,
          deliveries.map((delivery) => row(delivery, self, zone)),
        );
  return html`${isWhole && deliveries.length === 0 ? "" : bar(here, address, {})}${list}${pages}`;
}
