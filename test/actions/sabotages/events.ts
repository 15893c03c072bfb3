import { HOUR, type Sabotage } from "./sabotage.ts";

const DELIVERY = `INSERT INTO webhook_endpoints
    (organization_id, id, kind, url, events, secret, status, version, event_sequence, created_at, updated_at)
  VALUES (:organization, 'whk_x', 'http', 'https://example.com', '["*"]', '', 'enabled', 1, 0, now(),
  now()); INSERT INTO webhook_deliveries
    (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, repeated, attempts,
    attempt_at, created_at, updated_at)
  SELECT organization_id, :ada, 'whk_x', id, type, resource_id, sequence, 'pending', false, 0, now(), now(), now()
  FROM events WHERE resource_id = :ada AND sequence = 1`;

// As if events were deleted because of their age, later than all that was made.
const OLD = "UPDATE metric_progress SET deleted_until = 'evt_7'";

/** Sabotages of events and of their deliveries. */
export const EVENT_SABOTAGES: Record<string, Sabotage[]> = {
  event_numbers: [
    ["a gap", "DELETE FROM events WHERE resource_id = :ada AND sequence = 2", ["ada"]],
    ["the first one is missing", "DELETE FROM events WHERE resource_id = :ada AND sequence = 1", ["ada"]],
    ["an old resource has a gap", `${OLD}; DELETE FROM events WHERE resource_id = :ada AND sequence = 2`, ["ada"]],
    [
      "an old resource lacks its last one",
      `${OLD}; DELETE FROM events e USING subscriptions s
         WHERE s.id = :ada AND e.organization_id = s.organization_id AND e.resource_id = s.id
         AND e.sequence = s.event_sequence`,
      ["ada"],
    ],
    ["of nothing", "UPDATE events SET resource_id = 'sub_x' WHERE resource_id = :ada", ["ada"]],
  ],
  event_of_invoice: [
    [
      "not paid",
      "UPDATE events SET type = 'invoice.created' WHERE resource_id = :first AND type = 'invoice.paid'",
      ["first"],
    ],
    [
      "paid twice, and old",
      `${OLD}; UPDATE events SET type = 'invoice.paid' WHERE resource_id = :first AND type = 'invoice.refunded'`,
      ["first"],
    ],
    ["not refunded", "DELETE FROM events WHERE resource_id = :first AND type = 'invoice.refunded'", ["first"]],
  ],
  event_of_refund: [["", "DELETE FROM events WHERE resource_id = :cardRefund", ["cardRefund"]]],
  event_of_dispute: [
    ["not opened", "UPDATE events SET type = 'dispute.closed' WHERE resource_id = :dispute", ["dispute"]],
    ["not closed", "DELETE FROM events WHERE resource_id = :lost AND type = 'dispute.closed'", ["lost"]],
  ],
  event_of_payment_pause: [
    [
      "",
      `INSERT INTO payment_pauses (organization_id, id, provider, provider_account, reason, check_at, version,
         event_sequence, created_at, updated_at)
       VALUES (:organization, 'pps_x', 'sandbox', 'sandbox', 'key_invalid', now(), 1, 0, now(), now())`,
      [],
    ],
  ],
  event_of_payment: [["", "UPDATE events SET type = 'payment.failed' WHERE resource_id = :payment", ["payment"]]],
  event_of_payment_method: [
    ["", "DELETE FROM events WHERE resource_id = :ended AND type = 'payment_method.detached'", ["ended"]],
  ],
  event_of_checkout: [
    ["", "DELETE FROM events WHERE resource_id = :checkout AND type = 'checkout.completed'", ["checkout"]],
  ],
  event_of_subscription: [
    ["", "DELETE FROM events WHERE resource_id = :gone AND type = 'subscription.canceled'", ["gone"]],
  ],
  event_of_grant: [["", "UPDATE events SET type = 'benefit_grant.revoked' WHERE resource_id = :grant", ["grant"]]],
  delivery_of_event: [["", `${DELIVERY}; UPDATE webhook_deliveries SET sequence = 9`, ["ada"]]],
  delivery_waiting: [
    [
      "disabled",
      `${DELIVERY}; UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'gone', disabled_at = now()`,
      ["ada"],
    ],
    ["deleted", `${DELIVERY}; UPDATE webhook_endpoints SET deleted_at = now()`, ["ada"]],
  ],
  due_skips: [["", `${DELIVERY}; UPDATE webhook_endpoints SET skip_until = now() - ${HOUR}`, []]],
};
