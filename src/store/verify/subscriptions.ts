import { rule, utc, type Rule } from "./rule.ts";

/** The purposes of charges without the buyer. */
const OFF_SESSION = "'renewal', 'retry', 'new_card', 'change', 'hand', 'last_invoice'";

/** Rule S: the status of a Subscription agrees with its timestamps, and with its other rows. */
export const SUBSCRIPTION_RULES: readonly Rule[] = [
  rule(
    "subscription_dunning",
    "A Subscription's dunning does not agree with its status (rules D3, D4).",
    `SELECT id AS subscription, status, ${utc("first_failed_at")} AS "firstFailedAt",
      ${utc("next_retry_at")} AS "nextRetryAt",
       ${utc("grace_ends_at")} AS "graceEndsAt", retries_done AS "retriesDone", grants_suspended AS "grantsSuspended"
     FROM subscriptions WHERE organization_id = $1 AND CASE WHEN status = 'past_due'
       THEN retry_days IS NULL OR grace_ends_at IS NULL OR grace_ends_at < first_failed_at
       OR next_retry_at < first_failed_at
       ELSE first_failed_at IS NOT NULL OR retry_days IS NOT NULL OR retries_done <> 0 OR next_retry_at IS NOT NULL
         OR grace_ends_at IS NOT NULL OR grants_suspended AND status NOT IN ('active', 'paused') END`,
  ),
  rule(
    "subscription_pause",
    "A pause does not agree with the access, with the pending change or with the planned resume (rule S8).",
    `SELECT s.id AS subscription, s.customer_id AS customer, s.status, s.pause,
       ${utc("s.current_period_end")} AS "periodEnd", s.grants_suspended AS "grantsSuspended"
     FROM subscriptions s WHERE s.organization_id = $1 AND (
       s.pause IS NOT NULL AND (s.pause->>'access' NOT IN ('revoke', 'keep')
         OR (s.pause->>'resumesAt')::bigint <= extract(epoch FROM s.current_period_end) * 1000)
       OR s.status = 'paused' AND (s.grants_suspended <> (s.pause->>'access' = 'revoke') OR EXISTS (
         SELECT 1 FROM invoices i WHERE i.organization_id = $1 AND i.subscription_id = s.id AND i.status = 'open'))
       OR s.status = 'active' AND s.grants_suspended AND NOT EXISTS (
         SELECT 1 FROM invoices i WHERE i.organization_id = $1 AND i.subscription_id = s.id AND i.status = 'open'
         AND i.restarted))`,
  ),
  rule(
    "subscription_owes_nothing",
    "A Subscription is past due without an open invoice, and no invoice was made void after its period (rules S, D8).",
    `SELECT s.id AS subscription, s.customer_id AS customer FROM subscriptions s
     WHERE s.organization_id = $1 AND s.status = 'past_due' AND NOT EXISTS (
       SELECT 1 FROM invoices i WHERE i.organization_id = $1 AND i.subscription_id = s.id
       AND ((i.status = 'open' AND (i.held_reason IS NULL OR s.grants_suspended))
         OR (s.grants_suspended AND i.voided_at > s.current_period_end)))`,
  ),
  rule(
    "subscription_stuck",
    "A Subscription is past due, but no retry is planned and none is under way (rule D3).",
    `SELECT s.id AS subscription, s.customer_id AS customer FROM subscriptions s
     WHERE s.organization_id = $1 AND s.status = 'past_due' AND s.next_retry_at IS NULL AND NOT EXISTS (
       SELECT 1 FROM payments p WHERE p.organization_id = $1 AND p.subscription_id = s.id AND p.check_at IS NOT NULL)`,
  ),
  rule(
    "subscription_waiting_lines",
    "Lines wait for the next invoice of a Subscription that is canceled (rule S4).",
    `SELECT l.id AS line, l.amount, s.id AS subscription
     FROM invoice_lines l JOIN subscriptions s ON s.organization_id = l.organization_id AND s.id = l.subscription_id
     WHERE l.organization_id = $1 AND l.invoice_id IS NULL AND s.status = 'canceled'`,
  ),
  rule(
    "subscription_cancellation",
    "A cancellation does not agree with the end that it announces (rule S1).",
    `SELECT id AS subscription, status, ${utc("current_period_end")} AS "periodEnd", ${utc("cancel_at")} AS "cancelAt",
       ${utc("canceled_at")} AS "canceledAt", ${utc("started_at")} AS "startedAt", ${utc("ended_at")} AS "endedAt"
     FROM subscriptions WHERE organization_id = $1 AND CASE WHEN status = 'canceled'
       THEN canceled_at IS NULL OR ended_at < started_at OR canceled_at > ended_at OR cancel_at <> ended_at
         OR cancel_at_period_end <> (cancel_at IS NOT NULL)
       ELSE cancel_at <> current_period_end OR cancel_at_period_end <> (canceled_at IS NOT NULL) END`,
  ),
  rule(
    "subscription_change_archived",
    "A Subscription is to change to another Product that is archived (rule P6).",
    `SELECT s.id AS subscription, p.id AS product FROM subscriptions s
     JOIN products p ON p.organization_id = s.organization_id AND p.id = s.pending_change->>'productId'
     WHERE s.organization_id = $1 AND s.pending_change IS NOT NULL AND p.id <> s.product_id AND p.archived
       AND p.sync_at IS NULL`,
  ),
  rule(
    "subscription_trial_covered",
    "A trial counts as going on without a card, but its first period costs money, and there is no credit (rule C2).",
    `SELECT s.id AS subscription, s.customer_id AS customer, s.status, ${utc("s.trial_end")} AS "trialEnd"
     FROM subscriptions s WHERE s.organization_id = $1 AND s.trial_covered
     AND (s.status <> 'trialing' OR NOT s.card_missing
       OR (s.amount > 0 AND coalesce((s.pending_change->>'amount')::bigint, s.amount) > 0
         AND coalesce((s.price_change->>'unitAmount')::bigint, 1) > 0
         AND s.discount IS NULL AND s.pending_discount IS NULL
         AND NOT EXISTS (SELECT 1 FROM balances b WHERE b.organization_id = $1 AND b.customer_id = s.customer_id
           AND b.currency = s.currency AND b.amount > 0)
         AND NOT EXISTS (SELECT 1 FROM invoice_lines l WHERE l.organization_id = $1 AND l.subscription_id = s.id
           AND l.invoice_id IS NULL)))`,
  ),
  rule(
    "subscription_claimed",
    "A claimed Subscription has billing data of its own (rule C12c).",
    `SELECT id AS subscription, customer_id AS customer FROM subscriptions
     WHERE organization_id = $1 AND claimed AND billing IS NOT NULL`,
  ),
  rule(
    "subscription_card",
    "A Subscription is charged to a card that is neither its own nor the Customer's default card (rule C12).",
    // A card for one Subscription alone never becomes the default card. The buyer of an unclaimed Subscription gave its
    // card at the Checkout or on the page of an invoice. An earlier release also tried a new default card.
    `SELECT p.id AS payment, p.subscription_id AS subscription, p.payment_method_id AS card
     FROM payments p JOIN payments g ON g.organization_id = $1 AND g.customer_id = p.customer_id
       AND g.payment_method_id = p.payment_method_id
     WHERE p.organization_id = $1 AND p.purpose IN (${OFF_SESSION}) AND g.purpose = 'setup' AND g.checkout_id IS NULL
       AND g.subscription_id <> p.subscription_id
     UNION ALL
     SELECT p.id, p.subscription_id, p.payment_method_id
     FROM subscriptions s JOIN payments p ON p.organization_id = $1 AND p.customer_id = s.customer_id
       AND p.subscription_id = s.id
     WHERE s.organization_id = $1 AND NOT s.claimed AND p.purpose IN (${OFF_SESSION}) AND NOT EXISTS (
       SELECT 1 FROM payments g WHERE g.organization_id = $1 AND g.customer_id = p.customer_id
         AND g.payment_method_id = p.payment_method_id AND g.subscription_id = s.id
         AND g.purpose IN ('checkout', 'setup', 'page', 'new_card'))`,
  ),
  rule(
    "subscription_trial",
    "A trial was not noted as used up (rule C4).",
    `SELECT s.id AS subscription, s.customer_id AS customer, c.group_key AS "group"
     FROM subscriptions s JOIN checkouts c ON c.organization_id = s.organization_id AND c.id = s.checkout_id
     WHERE s.organization_id = $1 AND s.trial_start IS NOT NULL AND c.group_key IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM trials t WHERE t.organization_id = $1 AND t.customer_id = s.customer_id
       AND t.group_key = c.group_key)`,
  ),
];
