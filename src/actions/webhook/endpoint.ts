import { later, type Instant } from "../../domain/calendar.ts";
import type { WebhookEndpoint } from "../../domain/webhook/webhook.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Tx } from "../../store/driver/db.ts";
import { endpoints } from "../../store/webhooks.ts";
import type { VersionCheck } from "../origin.ts";

/**
 * Locks the endpoint that is to be changed, and checks it against the version that the caller has seen.
 * @throws Refusal 404 (also for a listener), 412
 */
export async function lockEndpoint(
  tx: Tx,
  organizationId: string,
  id: string,
  checkVersion?: VersionCheck<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.lock(tx, organizationId, id);
  if (!endpoint || endpoint.deletedAt !== null || endpoint.kind !== "http") throw new Refusal("not_found");
  checkVersion?.(endpoint);
  return endpoint;
}

/** Writes the next version of an endpoint, without an event. */
export function writeEndpoint(tx: Tx, endpoint: WebhookEndpoint, now: Instant): WebhookEndpoint {
  const next = { ...endpoint, version: endpoint.version + 1, updatedAt: later(now, endpoint.updatedAt) };
  endpoints.update(tx, next);
  return next;
}
