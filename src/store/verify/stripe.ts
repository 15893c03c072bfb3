import { rule, type Rule } from "./rule.ts";

/** Rule D1: payments through Stripe, and the requests that the adapter stored for them. */
export const STRIPE_RULES: readonly Rule[] = [
  rule(
    "payment_at_stripe",
    "A settled payment has another outcome than its request to Stripe (rule D1).",
    `SELECT p.id AS payment, p.status, r.outcome->>'status' AS outcome, r.object_id AS object
     FROM stripe_requests r
     JOIN payments p ON p.organization_id = r.organization_id AND p.provider_key = r.key
       AND p.provider = 'stripe' AND p.provider_account = r.provider_account
     WHERE r.organization_id = $1 AND p.settled_at IS NOT NULL AND r.outcome IS NOT NULL
       AND (r.outcome->>'status' = 'succeeded') <> (p.status = 'succeeded')`,
  ),
];
