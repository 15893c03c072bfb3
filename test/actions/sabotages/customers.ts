import type { Sabotage } from "./sabotage.ts";

/** Sabotages of grants, of Discounts and of deleted Customers. */
export const CUSTOMER_SABOTAGES: Record<string, Sabotage[]> = {
  grants_of_subscription: [
    ["missing", "UPDATE benefit_grants SET status = 'revoked', revoked_at = now() WHERE id = :grant", ["ada"]],
    ["left", "UPDATE benefit_grants SET status = 'active', revoked_at = NULL WHERE subscription_id = :gone", ["gone"]],
  ],
  grants_of_purchase: [
    ["", "UPDATE benefit_grants SET status = 'revoked', revoked_at = now() WHERE id = :license", ["license"]],
  ],
  grants_refunded: [
    [
      "",
      "UPDATE benefit_grants SET status = 'active', revoked_at = NULL WHERE invoice_id = :book",
      ["returned", "book"],
    ],
  ],
  grants_owner: [
    ["", "UPDATE benefit_grants SET customer_id = :lateCustomer WHERE id = :grant", ["grant", "ada", "lateCustomer"]],
  ],
  grants_quantity: [["", "UPDATE benefit_grants SET quantity = 7 WHERE id = :grant", ["grant"]]],
  grants_told: [["", "UPDATE benefit_grants SET benefit_version = 0 WHERE id = :grant", ["grant"]]],
  grants_activations: [["", "UPDATE benefit_grants SET activations = 2 WHERE id = :license", ["license"]]],
  discount_redemptions: [["", "UPDATE discounts SET redemptions = 2", ["discount"]]],
  discount_gifts: [
    ["", `UPDATE subscriptions SET pending_discount = '{"discount": {"id": "dsc_1"}}' WHERE id = :ada`, ["ada"]],
  ],
  discount_reservations: [
    ["lacking", "DELETE FROM discount_redemptions", ["checkout", "discount"]],
    ["kept", "UPDATE discount_redemptions SET checkout_id = :open", ["open", "discount"]],
  ],
  customer_deleted: [
    ["a balance", "UPDATE balances SET amount = 5 WHERE customer_id = :deletedCustomer", ["deletedCustomer"]],
    [
      "an e-mail",
      "UPDATE emails SET recipient = 'them@example.com' WHERE customer_id = :deletedCustomer",
      ["deletedCustomer"],
    ],
    [
      "a link",
      "INSERT INTO portal_links VALUES (:organization, '1', :deletedCustomer, NULL, NULL, now())",
      ["deletedCustomer"],
    ],
    [
      "a session",
      "INSERT INTO portal_sessions VALUES (:organization, '1', :deletedCustomer, NULL, now())",
      ["deletedCustomer"],
    ],
    [
      "a change of the e-mail address",
      `INSERT INTO email_changes VALUES (:organization, 'emc_1', :deletedCustomer, 'asked', 'a@example.com', 'a', 'b',
       'b', 'eml_1', NULL, now(), NULL, now())`,
      ["deletedCustomer"],
    ],
  ],
  email_kept: [
    [
      "",
      "UPDATE customers SET external_id = NULL WHERE id IN (:adaCustomer, :lateCustomer); " +
        "INSERT INTO email_changes SELECT organization_id, 'emc_1', :lateCustomer, 'changed', email, email_key, 'b', " +
        "'b', 'eml_1', 'eml_2', now(), now(), now() + interval '1 day' FROM customers WHERE id = :adaCustomer",
      ["adaCustomer", "lateCustomer"],
    ],
  ],
};
