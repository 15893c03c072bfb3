import { rule, type Rule } from "./rule.ts";

/** Rule X1: a redemption is reserved when a payment is submitted, and given back when the payment fails. */
export const DISCOUNT_RULES: readonly Rule[] = [
  rule(
    "discount_redemptions",
    "A Discount was not redeemed as often as it counts, or more often than it may be (rule X1).",
    `SELECT d.id AS discount, d.redemptions AS counted, coalesce(r.redemptions, 0) AS redemptions,
      d.max_redemptions AS most
     FROM discounts d LEFT JOIN (
       SELECT discount_id, count(*) AS redemptions FROM (
         SELECT discount_id FROM discount_redemptions WHERE organization_id = $1
         UNION ALL SELECT discount_id FROM discount_gifts WHERE organization_id = $1) used
       GROUP BY discount_id
     ) r ON r.discount_id = d.id
     WHERE d.organization_id = $1 AND (d.redemptions <> coalesce(r.redemptions, 0)
     OR d.redemptions > d.max_redemptions)`,
  ),
  rule(
    "discount_gifts",
    "A Subscription has a Discount of which no use was taken for it (rules X1g, X4c).",
    `SELECT s.id AS subscription, s.pending_discount->'discount'->>'id' AS discount
     FROM subscriptions s
     WHERE s.organization_id = $1 AND s.pending_discount->'discount'->>'id' IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM discount_gifts g WHERE g.organization_id = $1 AND g.subscription_id = s.id
       AND g.discount_id = s.pending_discount->'discount'->>'id')`,
  ),
  rule(
    "discount_reservations",
    "A Checkout holds a redemption that it should not, or lacks the one that it used (rule X1).",
    `SELECT c.id AS checkout, c.status, c.discount->>'id' AS discount, r.discount_id AS redeemed
     FROM checkouts c
     LEFT JOIN discount_redemptions r ON r.organization_id = c.organization_id AND r.checkout_id = c.id
     WHERE c.organization_id = $1 AND c.change IS NULL AND r.discount_id IS DISTINCT FROM CASE
       WHEN c.status IN ('processing', 'completed') THEN c.discount->>'id' END`,
  ),
];
