import { HOUR, type Sabotage } from "./sabotage.ts";

const ROW = "price_change_subscriptions";

/** Sabotages of new prices. */
export const PRICE_SABOTAGES: Record<string, Sabotage[]> = {
  price_change_waits: [
    ["no Subscription", "UPDATE subscriptions SET price_change = NULL WHERE id = :moves", ["moves"]],
    ["no row", `DELETE FROM ${ROW} WHERE price_change_id = :waiting`, ["moves"]],
    ["another price", `UPDATE ${ROW} SET unit_amount = 1 WHERE price_change_id = :waiting`, ["moves"]],
    ["another day", `UPDATE ${ROW} SET effective_at = now() WHERE price_change_id = :waiting`, ["moves"]],
    ["a consent in one place", `UPDATE ${ROW} SET consented_at = now() WHERE price_change_id = :waiting`, ["moves"]],
  ],
  price_change_applied: [
    ["another price", `UPDATE ${ROW} SET unit_amount = 1 WHERE price_change_id = :applied`, ["moves"]],
    ["too early", `UPDATE ${ROW} SET effective_at = '2025-07-02' WHERE price_change_id = :applied`, ["moves"]],
    ["no period", `UPDATE ${ROW} SET settled_at = '2025-07-03' WHERE price_change_id = :applied`, ["moves"]],
  ],
  price_change_ended: [
    ["another reason", `UPDATE ${ROW} SET reason = 'canceled' WHERE price_change_id = :unaccepted`, ["declines"]],
    ["another end", "UPDATE subscriptions SET cancellation_reason = NULL WHERE id = :declines", ["declines"]],
  ],
  product_prices: [
    ["another price", "UPDATE product_prices SET amount = 1 WHERE product_id = :ten", ["ten"]],
    ["no version", "DELETE FROM product_prices WHERE product_id = :ten", ["ten"]],
    ["a version too many", `UPDATE products SET prices = '[]' WHERE id = :ten`, ["ten"]],
  ],
  due_price_changes: [
    ["", `UPDATE price_changes SET status = 'running', sync_at = now() - ${HOUR} WHERE id = :waiting`, ["waiting"]],
  ],
};
