import type { Instant } from "../../domain/calendar.ts";
import type { EventType } from "../../domain/event.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { presentWebhookEndpoint } from "../../resources/webhook.ts";
import type { Tx } from "../../store/driver/db.ts";
import { endpoints } from "../../store/webhooks.ts";
import { record } from "../record.ts";

export function recordEndpoint(
  tx: Tx,
  endpoint: WebhookEndpoint,
  type: EventType,
  at: Instant,
): Promise<WebhookEndpoint> {
  return record(tx, endpoints, endpoint, type, at, presentWebhookEndpoint);
}
