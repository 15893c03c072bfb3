import type { Instant } from "../domain/calendar.ts";
import type { WebhookDelivery } from "../domain/webhook/webhook.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { deliveries } from "./webhooks.ts";

const nextStatement = sql(
  "webhook_deliveries.next_attempt",
  `SELECT attempt_at AS "attemptAt" FROM webhook_deliveries
   WHERE organization_id = $1 AND endpoint_id = $2 AND attempt_at IS NOT NULL ORDER BY attempt_at LIMIT 1`,
);
const lastFailureStatement = sql(
  "webhook_deliveries.last_failure",
  `SELECT ${deliveries.columns()} FROM webhook_deliveries
   WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'retrying' ORDER BY updated_at DESC LIMIT 1`,
);
/**
 * `nextAttemptAt`: the instant of the next attempt; null: no delivery waits. `failure`: the last failed one of the
 * deliveries that are tried again.
 */
export type EndpointHealth = { nextAttemptAt: Instant | null; failure: WebhookDelivery | null };

export async function readHealth(db: Queryable, organizationId: string, endpointId: string): Promise<EndpointHealth> {
  const values = [organizationId, endpointId];
  const [[next], [failure]] = await Promise.all([
    db.query<{ attemptAt: Instant }>(nextStatement, values),
    db.query<WebhookDelivery>(lastFailureStatement, values),
  ]);
  return { nextAttemptAt: next?.attemptAt ?? null, failure: failure ?? null };
}
