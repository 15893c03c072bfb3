import { SANDBOX } from "../../domain/model/payment-outcome.ts";
import { ofOrganization, rule, type Rule } from "./rule.ts";

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

/** Connected payment providers. */
export const CONNECTION_RULES: readonly Rule[] = [
  rule(
    "connection_mode",
    "A live Organization is connected with a test key, or a sandbox with a key that moves real money.",
    `SELECT c.organization_id AS organization, c.provider, c.provider_account AS account, c.livemode
     FROM provider_connections c
     WHERE c.organization_id = $1 AND c.livemode <> ${ofOrganization("o.mode = 'live'")}`,
  ),
  rule(
    "connection_of_provider",
    "The new payments of an Organization go to an account that is not connected.",
    `SELECT o.id AS organization, o.provider, o.provider_account AS account FROM organizations o
     WHERE o.id = $1 AND o.provider IS NOT NULL AND o.provider <> '${SANDBOX}' AND NOT EXISTS (
       SELECT 1 FROM provider_connections c WHERE c.organization_id = $1 AND c.provider = o.provider
         AND c.provider_account = o.provider_account AND c.disconnected_at IS NULL)`,
    true,
  ),
];
