import { ofOrganization, rule, utc, type Rule } from "./rule.ts";

// A worker takes due work within a second. Older due work was left behind, or no worker runs.
const LONG_AGO = `now() - interval '5 minutes'`;
/**
 * The instant before which all work of an Organization must be done; null while its clock is moving. Work that falls
 * due at the very instant of a standing clock (after 0 days of grace) is done when the clock moves next.
 */
const DONE_UNTIL = ofOrganization(
  `CASE WHEN o.clock_at IS NULL THEN ${LONG_AGO} WHEN o.clock_target IS NULL THEN o.clock_at END`,
);
const NOW = ofOrganization("COALESCE(o.clock_at, now())");

function leftBehind(what: string, says: string, table: string, where = "true"): Rule {
  return rule(
    `due_${table}`,
    says,
    `SELECT r.id AS ${what}, ${utc("r.due_at")} AS "dueAt", ${utc(NOW)} AS now
     FROM ${table} r
     WHERE r.organization_id = $1 AND r.due_at < ${DONE_UNTIL} AND ${where}`,
  );
}

function outOfReach(what: string, says: string, table: string): Rule {
  return rule(
    `simulated_${table}`,
    says,
    `SELECT r.id AS ${what}, ${utc("r.due_at")} AS "dueAt" FROM ${table} r
     WHERE r.organization_id = $1 AND r.simulated AND ${ofOrganization("o.clock_at IS NULL")}`,
  );
}

// The time zone of the Organization may have changed since the due instant was set, by a day at most.
const ENDS = `(make_date(m.exp_year, m.exp_month, 1) + interval '1 month')
       AT TIME ZONE ${ofOrganization("o.time_zone")}`;
/** Whether a Subscription is charged to the card later. The condition is that of `goingOnWith` (rule D11). */
const GOES_ON = `EXISTS (
       SELECT 1 FROM subscriptions s CROSS JOIN LATERAL (
         SELECT CASE WHEN s.pending_discount IS NULL THEN s.discount ELSE s.pending_discount->'discount' END AS held) d
       WHERE s.organization_id = $1 AND s.customer_id = m.customer_id
         AND s.status <> 'canceled' AND NOT s.cancel_at_period_end
         AND (s.imported IS NULL OR s.imported->>'isHeld' = 'false')
         AND (s.pause IS NULL OR s.pause->>'resumesAt' IS NOT NULL)
         AND m.id = COALESCE(
           (SELECT own.id FROM payment_methods own
            WHERE own.organization_id = $1 AND own.id = s.payment_method_id AND NOT own.dead),
           CASE WHEN s.claimed THEN (SELECT c.default_payment_method_id FROM customers c
             WHERE c.organization_id = $1 AND c.id = s.customer_id) END)
         AND (COALESCE((s.pending_change->>'amount')::bigint, 0) > 0
           OR COALESCE((s.price_change->>'unitAmount')::bigint, 0) > 0 OR NOT (s.amount = 0 OR (
           COALESCE(d.held->>'duration', '') = 'forever'
           AND (d.held->>'productIds' IS NULL OR d.held::jsonb->'productIds' @> to_jsonb(s.product_id))
           AND CASE d.held->>'type'
             WHEN 'percentage' THEN round(s.amount * (d.held->>'basisPoints')::numeric / 10000) >= s.amount
             ELSE (d.held->>'amount')::bigint >= s.amount END))))`;

/** Each row's due instant is the queue, so no row may be left behind with a due instant in the past (rule T4). */
export const DUE_RULES: readonly Rule[] = [
  leftBehind(
    "subscription",
    "A Subscription is due, but it is not processed (rule T4).",
    "subscriptions",
    "r.held_at IS NULL",
  ),
  leftBehind("card", "The expiry of a card is to be announced, but this is not done (rule D11).", "payment_methods"),
  leftBehind("checkout", "A Checkout is due, but it is not processed (rule C5).", "checkouts"),
  outOfReach("subscription", "A Subscription waits for a clock that is not set (rule T1).", "subscriptions"),
  outOfReach("checkout", "A Checkout waits for a clock that is not set (rule T1).", "checkouts"),
  outOfReach("card", "A card waits for a clock that is not set (rule T1).", "payment_methods"),
  rule(
    "card_expiry",
    "A card is to be announced though no Subscription goes on with it, or the other way round (rule D11).",
    `SELECT m.id AS card, ${utc("m.due_at")} AS "dueAt", m.exp_month AS "expMonth", m.exp_year AS "expYear"
     FROM payment_methods m
     WHERE m.organization_id = $1 AND NOT m.expiry_announced AND CASE WHEN m.due_at IS NULL
       THEN NOT m.dead AND m.exp_year < 9999 AND ${ENDS} > ${NOW} + interval '1 day' AND ${GOES_ON}
       ELSE NOT ${GOES_ON} END`,
  ),
  rule(
    "due_payments",
    "A payment is to be made or asked about, but this is not done (rule D2).",
    `SELECT id AS payment, status, checks, ${utc("check_at")} AS "checkAt" FROM payments
     WHERE organization_id = $1 AND check_at < ${LONG_AGO}`,
  ),
  rule(
    "due_refunds",
    "A refund is to be made or asked about, but this is not done (rules D2, I3).",
    `SELECT id AS refund, status, checks, ${utc("check_at")} AS "checkAt" FROM refunds
     WHERE organization_id = $1 AND check_at < ${LONG_AGO}`,
  ),
  rule(
    "due_probes",
    "The payments of an account are paused and a charge waits, but no probe is sent (rule D9).",
    `SELECT z.id AS pause, z.provider, ${utc("z.check_at")} AS "checkAt" FROM payment_pauses z
     WHERE z.organization_id = $1 AND z.check_at < ${LONG_AGO} AND EXISTS (
       SELECT 1 FROM payments p
       WHERE p.organization_id = $1 AND p.check_at IS NOT NULL AND p.failure_code IS NULL
         AND p.status IN ('pending', 'unknown')
         AND (p.provider, p.provider_account) = (z.provider, z.provider_account))`,
  ),
  rule(
    "due_products",
    "The Benefits of a Product were edited, but its sources are not updated (rule B1).",
    `SELECT id AS product, ${utc("sync_at")} AS "syncAt", sync_cursor AS cursor FROM products
     WHERE organization_id = $1 AND sync_at < ${LONG_AGO}`,
  ),
  rule(
    "due_price_changes",
    "A price change has Subscriptions left, but it does not go on (rule N9).",
    `SELECT id AS "priceChange", status, ${utc("sync_at")} AS "syncAt", sync_cursor AS cursor FROM price_changes
     WHERE organization_id = $1 AND sync_at < ${LONG_AGO}`,
  ),
  rule(
    "due_benefits",
    "A Benefit was edited, but its grants do not report the edit (rule B1).",
    `SELECT id AS benefit, ${utc("sync_at")} AS "syncAt", sync_cursor AS cursor FROM benefits
     WHERE organization_id = $1 AND sync_at < ${LONG_AGO}`,
  ),
  rule(
    "due_events",
    "An event is to be spread to webhook endpoints, but this is not done.",
    `SELECT id AS event, type, resource_id AS resource, ${utc("dispatch_at")} AS "dispatchAt" FROM events
     WHERE organization_id = $1 AND dispatch_at < ${LONG_AGO}`,
  ),
  rule(
    "due_skips",
    "The deliveries to a disabled webhook endpoint are to be skipped, but this is not done.",
    `SELECT id AS endpoint, ${utc("skip_until")} AS "skipUntil" FROM webhook_endpoints
     WHERE organization_id = $1 AND skip_until < ${LONG_AGO}`,
  ),
  rule(
    "due_emails",
    "An e-mail has waited for longer than it is tried, but it is not sent.",
    `SELECT id AS email, kind, ${utc("queued_at")} AS "queuedAt" FROM emails
     WHERE organization_id = $1 AND attempt_at IS NOT NULL AND queued_at < now() - interval '20 days'`,
  ),
  rule(
    "due_clock",
    "A clock is to be moved on, but this is not done (rule T5).",
    `SELECT id AS organization, ${utc("clock_at")} AS now, ${utc("clock_target")} AS target FROM organizations
     WHERE id = $1 AND clock_target IS NOT NULL AND clock_lease_until < ${LONG_AGO}`,
  ),
  rule(
    "idempotency_keys",
    "An Idempotency-Key is taken, but no answer will ever be kept for it.",
    `SELECT k.key, k.method, k.path, ${utc("k.created_at")} AS "createdAt" FROM idempotency_keys k
     WHERE k.organization_id = $1 AND k.status IS NULL AND NOT k.withheld AND NOT EXISTS (
       SELECT 1 FROM changes c WHERE c.organization_id = $1 AND c.status = 'pending' AND c.idempotency->>'key' = k.key
       UNION ALL
       SELECT 1 FROM payments p WHERE p.organization_id = $1 AND p.status IN ('pending', 'unknown')
         AND p.request->'idempotency'->>'key' = k.key)`,
  ),
];

/** Not a broken rule, but work that waits for an operator's approval (rule T4). */
export const HELD = rule(
  "held",
  "Due work is held until an operator approves it (rule T4).",
  `SELECT id AS subscription, ${utc("due_at")} AS "dueAt", ${utc("held_at")} AS "heldAt" FROM subscriptions
   WHERE organization_id = $1 AND held_at IS NOT NULL AND due_at IS NOT NULL`,
);
