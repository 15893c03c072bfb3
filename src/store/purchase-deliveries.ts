import { formatInstant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/model/checkout.ts";
import { LISTENER_KEPT_MILLISECONDS } from "../domain/webhook/answer.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { hasSource } from "./payments.ts";

// `recorded`: the events of a Checkout, its Customer, Subscription, invoice, payments and grants, since the Checkout
// was created. The statement ignores an event behind a failed earlier event of the same resource, because the failed
// event may be sent again only after hours. It also ignores receivers that can't answer: an endpoint that has kept
// failing or has asked for a pause, an endpoint with a backlog still to be skipped, an abandoned listener.
const onItsWayStatement = sql(
  "webhooks.purchase_on_its_way",
  `WITH recorded AS (
     SELECT id, type, dispatch_at FROM events
     WHERE organization_id = $1 AND created_at >= $6::timestamptz AND resource_id IN (
       SELECT unnest(ARRAY[$2, $3, $4, $5]::text[])
       UNION ALL SELECT id FROM payments WHERE organization_id = $1 AND ${hasSource("payments", "$2")}
       UNION ALL SELECT id FROM benefit_grants WHERE organization_id = $1 AND subscription_id = $4
       UNION ALL SELECT id FROM benefit_grants WHERE organization_id = $1 AND customer_id = $3 AND invoice_id = $5)),
   listening AS (
     SELECT id, events FROM webhook_endpoints
     WHERE organization_id = $1 AND status = 'enabled' AND deleted_at IS NULL AND skip_until IS NULL
       AND (failing_since IS NULL OR failing_since > statement_timestamp() - interval '1 minute')
       AND (paused_until IS NULL OR paused_until <= statement_timestamp())
       AND (kind = 'http'
         OR expires_at > statement_timestamp() + ${LISTENER_KEPT_MILLISECONDS} * interval '1 millisecond'))
   SELECT EXISTS (
     SELECT 1 FROM recorded t, listening l
     WHERE t.dispatch_at IS NOT NULL AND EXISTS (SELECT 1 FROM json_array_elements_text(l.events) wanted
     WHERE wanted IN ('*', t.type)))
   OR EXISTS (
     SELECT 1 FROM recorded t, listening l
     JOIN webhook_deliveries d ON d.organization_id = $1 AND d.endpoint_id = l.id
     WHERE d.event_id = t.id AND d.attempt_at IS NOT NULL AND d.attempts = 0 AND NOT EXISTS (
       SELECT 1 FROM webhook_deliveries b
       WHERE b.organization_id = $1 AND b.endpoint_id = l.id AND b.resource_id = d.resource_id
         AND b.sequence < d.sequence AND b.attempt_at IS NOT NULL AND b.attempts > 0)) AS "isOnItsWay"`,
);

/** Whether an event of the Checkout waits for its first delivery to an endpoint that wants it and can answer. */
export async function isPurchaseOnItsWay(
  db: Queryable,
  { organizationId, id, customerId, subscriptionId, invoiceId, createdAt }: Checkout,
): Promise<boolean> {
  const values = [organizationId, id, customerId, subscriptionId, invoiceId, formatInstant(createdAt)];
  const [row] = await db.query<{ isOnItsWay: boolean }>(onItsWayStatement, values);
  return row?.isOnItsWay === true;
}
