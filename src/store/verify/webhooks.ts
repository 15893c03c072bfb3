import { rule, type Rule } from "./rule.ts";

/** A delivery agrees with its event, and waits only if its endpoint is sent deliveries. */
export const WEBHOOK_RULES: readonly Rule[] = [
  rule(
    "delivery_of_event",
    "A delivery is filed under another type, resource or number than its event.",
    `SELECT d.id AS delivery, e.resource_id AS resource, d.event_type AS "filedType", e.type,
      d.sequence AS "filedSequence", e.sequence
     FROM webhook_deliveries d JOIN events e ON (e.organization_id, e.id) = (d.organization_id, d.event_id)
     WHERE d.organization_id = $1 AND (d.event_type, d.resource_id, d.sequence) <> (e.type, e.resource_id, e.sequence)`,
  ),
  rule(
    "delivery_waiting",
    "A delivery waits for an endpoint that receives no deliveries.",
    `SELECT d.id AS delivery, d.resource_id AS resource, d.status
     FROM webhook_deliveries d JOIN webhook_endpoints w ON (w.organization_id, w.id) = (d.organization_id,
     d.endpoint_id)
     WHERE d.organization_id = $1 AND d.attempt_at IS NOT NULL AND w.kind = 'http'
     AND (w.status = 'disabled' OR w.deleted_at IS NOT NULL)
       AND w.skip_until IS NULL`,
  ),
];
