import { HOUR, REAL_TIME, type Sabotage } from "./sabotage.ts";

/** Sabotages of due work. */
export const DUE_SABOTAGES: Record<string, Sabotage[]> = {
  due_subscriptions: [
    ["by its clock", "UPDATE subscriptions SET due_at = '2025-07-12T08:59:59Z' WHERE id = :ada", ["ada"]],
    ["in real time", `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - ${HOUR} WHERE id = :ada`, ["ada"]],
  ],
  due_checkouts: [["", "UPDATE checkouts SET due_at = '2025-07-12T08:59:59Z' WHERE id = :open", ["open"]]],
  due_payment_methods: [
    ["by its clock", "UPDATE payment_methods SET due_at = '2025-07-12T08:59:59Z' WHERE id = :card", ["card"]],
    ["in real time", `${REAL_TIME}; UPDATE payment_methods SET due_at = now() - ${HOUR} WHERE id = :card`, ["card"]],
  ],
  simulated_payment_methods: [["", "UPDATE organizations SET clock_at = NULL WHERE id = :organization", ["card"]]],
  card_expiry: [
    ["not due", "UPDATE payment_methods SET due_at = NULL WHERE id = :card", ["card"]],
    ["due without a Subscription", "UPDATE subscriptions SET claimed = false WHERE id = :ada", ["card"]],
  ],
  simulated_subscriptions: [["", "UPDATE organizations SET clock_at = NULL WHERE id = :organization", ["ada"]]],
  simulated_checkouts: [["", "UPDATE organizations SET clock_at = NULL WHERE id = :organization", ["open"]]],
  due_payments: [["", `UPDATE payments SET check_at = now() - ${HOUR} WHERE id = :challenge`, ["challenge"]]],
  due_refunds: [
    [
      "",
      `UPDATE refunds SET status = 'unknown', settled_at = NULL, credit_note_id = NULL, check_at = now() - ${HOUR}
        WHERE id = :cardRefund`,
      ["cardRefund"],
    ],
  ],
  due_probes: [
    [
      "",
      `UPDATE payments SET status = 'unknown' WHERE id = :challenge; INSERT INTO payment_pauses (organization_id, id,
         provider, provider_account, reason, check_at, version, event_sequence, created_at, updated_at)
       VALUES (:organization, 'pps_x', 'sandbox', 'sandbox', 'key_invalid', now() - ${HOUR}, 1, 0, now(), now())`,
      [],
    ],
  ],
  due_products: [["", `UPDATE products SET sync_at = now() - ${HOUR} WHERE id = :ten`, ["ten"]]],
  due_benefits: [["", `UPDATE benefits SET sync_at = now() - ${HOUR} WHERE id = :benefit`, ["benefit"]]],
  due_events: [["", `UPDATE events SET dispatch_at = now() - ${HOUR} WHERE resource_id = :ada`, ["ada"]]],
  due_emails: [["", "UPDATE emails SET queued_at = now() - interval '21 days' WHERE id = :email", ["email"]]],
  due_clock: [
    [
      "",
      `UPDATE organizations SET clock_target = clock_at, clock_lease_until = now() - ${HOUR} WHERE id = :organization`,
      ["organization"],
    ],
  ],
  idempotency_keys: [
    [
      "",
      `INSERT INTO idempotency_keys (organization_id, key, method, path, body_digest, created_at)
       VALUES (:organization, :ada, 'POST', '/checkouts', '', now())`,
      ["ada"],
    ],
  ],
};
