import type { Sabotage } from "./sabotage.ts";

const FOREIGN_INVOICE = `INSERT INTO invoices
  SELECT (jsonb_populate_record(i, '{"organization_id": "org_x", "id": "inv_theirs"}')).* FROM invoices i
  WHERE i.id = :renewal`;

/** Sabotages of the references between rows. */
export const REFERENCE_SABOTAGES: Record<string, Sabotage[]> = {
  reference_checkouts: [
    ["no Customer", "UPDATE checkouts SET customer_id = 'cus_x' WHERE id = :checkout", ["checkout"]],
    ["no Product", "UPDATE checkouts SET product_id = 'prod_x' WHERE id = :checkout", ["checkout"]],
    ["no Subscription", "UPDATE checkouts SET subscription_id = 'sub_x' WHERE id = :checkout", ["checkout"]],
    ["no invoice", "UPDATE checkouts SET invoice_id = 'inv_x' WHERE id = :checkout", ["checkout"]],
  ],
  reference_emails: [
    ["no Customer", "UPDATE emails SET customer_id = 'cus_x' WHERE id = :email", ["email"]],
    ["no Subscription", "UPDATE emails SET subscription_id = 'sub_x' WHERE id = :email", ["email"]],
    ["no invoice", "UPDATE emails SET invoice_id = 'inv_x' WHERE id = :email", ["email"]],
    ["no payment", "UPDATE emails SET payment_id = 'pay_x' WHERE id = :email", ["email"]],
  ],
  reference_invoice_lines: [
    ["no invoice", "UPDATE invoice_lines SET invoice_id = 'inv_x' WHERE id = :line", ["line"]],
    ["no Subscription", "UPDATE invoice_lines SET subscription_id = 'sub_x' WHERE id = :line", ["line"]],
    [
      "another Organization's invoice",
      `${FOREIGN_INVOICE}; UPDATE invoice_lines SET invoice_id = 'inv_theirs' WHERE id = :line`,
      ["line"],
    ],
  ],
  reference_invoices: [
    ["no Customer", "UPDATE invoices SET customer_id = 'cus_x' WHERE id = :first", ["first"]],
    ["no Subscription", "UPDATE invoices SET subscription_id = 'sub_x' WHERE id = :renewal", ["renewal"]],
  ],
  reference_payments: [
    ["no Customer", "UPDATE payments SET customer_id = 'cus_x' WHERE id = :payment", ["payment"]],
    ["no card", "UPDATE payments SET payment_method_id = 'pm_x' WHERE id = :payment", ["payment"]],
  ],
};
