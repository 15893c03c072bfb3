/**
 * The name of a sabotage, its statements, and the names of the ids that the rule must report. `:name` is the id of
 * that name.
 */
export type Sabotage = [name: string, statements: string, says: string[]];

export const HOUR = "interval '1 hour'";
export const REAL_TIME =
  "UPDATE organizations SET clock_at = NULL WHERE id = :organization; UPDATE subscriptions SET simulated = false";
const DUPLICATE = `INSERT INTO ledger_transfers
  SELECT organization_id, id || 'x', kind, source_id, customer_id, currency, debit_account, credit_account, amount,
  created_at
  FROM ledger_transfers WHERE source_id = :first AND kind = 'invoice_paid'`;

const DELIVERY = `INSERT INTO webhook_endpoints
    (organization_id, id, kind, url, events, secret, status, version, event_sequence, created_at, updated_at)
  VALUES (:organization, 'whk_x', 'http', 'https://example.com', '["*"]', '', 'enabled', 1, 0, now(),
  now()); INSERT INTO webhook_deliveries
    (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, repeated, attempts,
    attempt_at, created_at, updated_at)
  SELECT organization_id, :ada, 'whk_x', id, type, resource_id, sequence, 'pending', false, 0, now(), now(), now()
  FROM events WHERE resource_id = :ada AND sequence = 1`;

const FOREIGN_INVOICE = "UPDATE invoices SET organization_id = 'org_x', id = 'inv_theirs' WHERE id = :renewal";

const RATE = { country: "DE", region: null, basisPoints: 1900, inclusive: false, name: "USt", reverseCharge: true };
const TAKEN_OUT = JSON.stringify({ ...RATE, takenOut: true });
const ANY_PURPOSE = "ALTER TABLE payments DROP CONSTRAINT payments_purpose";

/** The sabotages by the rule that must report them. */
export const SABOTAGES: Record<string, Sabotage[]> = {
  period_invoices: [
    ["an invoice is missing", "UPDATE invoices SET period_number = NULL WHERE id = :renewal", ["ada"]],
    [
      "a period has two",
      "DROP INDEX invoices_period; UPDATE invoices SET period_number = 1 WHERE id = :renewal",
      ["ada"],
    ],
    [
      "one that began elsewhere has a gap",
      "UPDATE invoices SET period_number = 3 WHERE subscription_id = :moved",
      ["moved"],
    ],
    ["a trial has one", "UPDATE invoices SET subscription_id = :tries, period_number = 1 WHERE id = :book", ["tries"]],
  ],
  period_order: [
    ["a gap", `UPDATE invoices SET period_start = period_start + ${HOUR} WHERE id = :renewal`, ["renewal", "ada"]],
    ["an overlap", `UPDATE invoices SET period_start = period_start - ${HOUR} WHERE id = :renewal`, ["renewal", "ada"]],
    [
      "a change before its period",
      "UPDATE invoices SET period_start = '2025-06-30' WHERE id = :restart",
      ["restart", "ada"],
    ],
    [
      "a period without length",
      "UPDATE invoices SET period_end = period_start WHERE id = :restart",
      ["restart", "ada"],
    ],
  ],
  period_current: [
    [
      "another start",
      `UPDATE subscriptions SET current_period_start = current_period_start + ${HOUR} WHERE id = :ada`,
      ["ada", "restart"],
    ],
    ["another end", `UPDATE invoices SET period_end = period_end + ${HOUR} WHERE id = :restart`, ["ada", "restart"]],
    [
      "not the trial's",
      `UPDATE subscriptions SET current_period_start = current_period_start + ${HOUR} WHERE id = :tries`,
      ["tries"],
    ],
  ],
  subscription_dunning: [
    ["of one that paid", "UPDATE subscriptions SET retries_done = 1 WHERE id = :ada", ["ada"]],
    ["without an end of grace", "UPDATE subscriptions SET grace_ends_at = NULL WHERE id = :late", ["late"]],
  ],
  subscription_owes_nothing: [
    ["", "UPDATE invoices SET status = 'void', voided_at = now() WHERE id = :owed", ["late", "lateCustomer"]],
  ],
  subscription_stuck: [["", "UPDATE subscriptions SET next_retry_at = NULL WHERE id = :late", ["late"]]],
  subscription_waiting_lines: [
    ["", "UPDATE invoice_lines SET invoice_id = NULL WHERE subscription_id = :gone", ["gone"]],
  ],
  subscription_cancellation: [
    [
      "another day",
      "UPDATE subscriptions SET cancel_at = cancel_at + interval '1 day' WHERE id = :leaving",
      ["leaving"],
    ],
    ["before it began", "UPDATE subscriptions SET ended_at = '2020-01-01' WHERE id = :gone", ["gone"]],
    ["of nobody", "UPDATE subscriptions SET canceled_at = now() WHERE id = :ada", ["ada"]],
  ],
  subscription_trial: [["", "DELETE FROM trials WHERE subscription_id = :tries", ["tries", "triesCustomer"]]],
  invoice_totals: [
    ["price", "UPDATE invoice_lines SET amount = amount + 1 WHERE id = :line", ["first"]],
    ["tax", "UPDATE invoice_lines SET tax_amount = tax_amount + 1 WHERE id = :line", ["first"]],
    ["discount", "UPDATE invoice_lines SET discount_amount = 0 WHERE id = :line", ["first"]],
    ["no lines", "DELETE FROM invoice_lines WHERE id = :line", ["first"]],
  ],
  invoice_numbers: [
    ["a gap", "UPDATE customers SET invoice_sequence = invoice_sequence + 1 WHERE id = :adaCustomer", ["adaCustomer"]],
    [
      "twice",
      "UPDATE invoices SET number = 'X-' || number WHERE id = :first; " +
        "UPDATE invoices SET number = 'Y-0001' WHERE id = :renewal",
      ["adaCustomer"],
    ],
    ["none", "UPDATE invoices SET number = 'X' WHERE id = :first", ["adaCustomer"]],
  ],
  invoice_owner: [
    ["currency", "UPDATE invoices SET currency = 'eur' WHERE id = :first", ["first", "ada"]],
    ["Customer", "UPDATE invoices SET customer_id = :lateCustomer WHERE id = :first", ["first", "ada", "lateCustomer"]],
  ],
  invoice_balance: [
    ["taken", "UPDATE balance_entries SET amount = amount - 1 WHERE invoice_id = :renewal", ["renewal"]],
    ["given back", "UPDATE invoices SET balance_applied = 1, amount_due = amount_due - 1 WHERE id = :void", ["void"]],
  ],
  invoice_uncollected: [
    ["", "UPDATE subscriptions SET status = 'active', first_failed_at = NULL WHERE id = :late", ["owed", "late"]],
  ],
  invoice_next_attempt: [
    [
      "another instant",
      `UPDATE invoices SET next_attempt_at = next_attempt_at + ${HOUR} WHERE id = :owed`,
      ["owed", "late"],
    ],
    ["of a paid one", "UPDATE invoices SET next_attempt_at = now() WHERE id = :first", ["first"]],
  ],
  payment_of_invoice: [
    ["none", "UPDATE payments SET status = 'failed' WHERE id = :payment", ["first"]],
    ["two", `${ANY_PURPOSE}; UPDATE payments SET invoice_id = :first WHERE id = :renewalPayment`, ["first", "renewal"]],
  ],
  payment_unapplied: [
    ["nowhere", "UPDATE payments SET invoice_id = NULL WHERE id = :payment", ["payment"]],
    [
      "both",
      "UPDATE ledger_transfers SET source_id = :payment, kind = 'unapplied_payment' WHERE source_id = :first AND " +
        "kind = 'invoice_paid'",
      ["payment"],
    ],
  ],
  payment_amount: [["", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["payment", "first"]]],
  payment_purpose: [
    [
      "no Checkout",
      `${ANY_PURPOSE}; UPDATE payments SET purpose = 'checkout' WHERE id = :renewalPayment`,
      ["renewalPayment", "renewal"],
    ],
    [
      "no change",
      `${ANY_PURPOSE}; UPDATE payments SET purpose = 'change' WHERE id = :payment`,
      ["payment", "checkout"],
    ],
    [
      "no invoice",
      `${ANY_PURPOSE}; UPDATE payments SET purpose = 'retry' WHERE id = :payment`,
      ["payment", "checkout"],
    ],
    [
      "no last invoice",
      "UPDATE payments SET purpose = 'last_invoice' WHERE id = :renewalPayment",
      ["renewalPayment", "renewal"],
    ],
    ["a card that was charged", "UPDATE payments SET purpose = 'setup' WHERE id = :payment", ["payment"]],
    ["another Customer's Checkout", "UPDATE payments SET customer_id = :lateCustomer WHERE id = :payment", ["payment"]],
    [
      "another Subscription's invoice",
      "UPDATE payments SET subscription_id = :late WHERE id = :renewalPayment",
      ["renewalPayment"],
    ],
  ],
  payment_attempts: [
    [
      "",
      `${ANY_PURPOSE}; DROP INDEX payments_live; UPDATE payments SET source_id = :checkout WHERE id = :renewalPayment`,
      ["checkout", "payment", "renewalPayment"],
    ],
  ],
  payment_of_checkout: [
    ["no payment", "UPDATE checkouts SET status = 'processing' WHERE id = :open", ["open"]],
    ["not processing", "UPDATE checkouts SET status = 'open' WHERE id = :asked", ["asked", "challenge"]],
  ],
  payment_of_change: [
    ["no change", "UPDATE subscriptions SET change_id = 'chg_x' WHERE id = :ada", ["ada"]],
    ["another payment", `${ANY_PURPOSE}; UPDATE payments SET purpose = 'change' WHERE id = :challenge`, ["challenge"]],
  ],
  checkout_purchase: [
    ["no invoice", "UPDATE checkouts SET invoice_id = NULL WHERE id = :checkout", ["checkout"]],
    ["no Subscription", "UPDATE checkouts SET subscription_id = NULL WHERE id = :checkout", ["checkout"]],
    ["not completed", "UPDATE checkouts SET invoice_id = :first WHERE id = :open", ["open", "first"]],
  ],
  checkout_due: [
    ["never", "UPDATE checkouts SET due_at = NULL WHERE id = :open", ["open"]],
    ["too late", "UPDATE checkouts SET due_at = '2030-01-01' WHERE id = :checkout", ["checkout"]],
  ],
  refund_amounts: [
    ["another sum", "UPDATE invoices SET refunded_amount = refunded_amount + 1 WHERE id = :first", ["first"]],
    ["too much", "UPDATE refunds SET amount = 2000 WHERE id = :cardRefund", ["first"]],
  ],
  refund_source: [
    ["", "UPDATE refunds SET payment_id = :renewalPayment WHERE id = :cardRefund", ["cardRefund", "renewalPayment"]],
  ],
  credit_amounts: [
    [
      "refunded and credited",
      `UPDATE refunds SET lines = json_build_array(json_build_object('invoiceLineId', :creditedLine, 'amount', 9000))
       WHERE id = :cardRefund`,
      ["creditedLine"],
    ],
    [
      "credited twice",
      "UPDATE invoice_lines SET amount = amount * 9 WHERE credited_line_id = :creditedLine",
      ["creditedLine"],
    ],
  ],
  credit_source: [
    [
      "of another Subscription",
      "UPDATE invoice_lines SET subscription_id = :waits WHERE id = :creditedLine",
      ["creditedLine", "waits"],
    ],
    ["of a void invoice", "UPDATE invoice_lines SET invoice_id = :void WHERE id = :creditedLine", ["creditedLine"]],
    [
      "of a line that billed nothing",
      "UPDATE invoice_lines SET amount = 0, tax_amount = 0 WHERE id = :creditedLine",
      ["creditedLine"],
    ],
  ],
  dispute_source: [
    [
      "of another payment",
      "UPDATE disputes SET payment_id = :renewalPayment WHERE id = :dispute",
      ["dispute", "renewalPayment"],
    ],
    [
      "of a payment that was not made",
      "UPDATE disputes SET payment_id = :challenge WHERE id = :dispute",
      ["dispute", "challenge"],
    ],
  ],
  dispute_amounts: [
    ["", "UPDATE disputes SET amount = 100000, payment_id = :payment WHERE id = :dispute", ["payment"]],
  ],
  disputed_card_charged: [["", "UPDATE disputes SET created_at = '2025-06-02' WHERE id = :lost", ["lost"]]],
  disputed_card_grounds: [
    ["no dispute", "UPDATE payments SET failure_code = 'card_disputed' WHERE id = :payment", ["payment"]],
    ["no payment since", "UPDATE disputes SET card_cleared_at = '2030-01-01' WHERE id = :dispute", ["dispute"]],
  ],
  credit_note_of_refund: [
    ["none", "UPDATE refunds SET credit_note_id = 'crn_x' WHERE id = :cardRefund", ["cardRefund", "creditNote"]],
    [
      "another amount",
      "UPDATE credit_notes SET total_amount = total_amount + 1, subtotal_amount = subtotal_amount + 1 WHERE id = " +
        ":creditNote",
      ["cardRefund", "creditNote"],
    ],
  ],
  credit_note_numbers: [["", "UPDATE customers SET credit_note_sequence = 9 WHERE id = :adaCustomer", ["adaCustomer"]]],
  ledger_accounts: [
    [
      "a transfer is missing",
      "DELETE FROM ledger_transfers WHERE source_id = :first AND kind = 'invoice_paid'",
      ["adaCustomer"],
    ],
    ["a payment more", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["adaCustomer"]],
    [
      "a refund less",
      "UPDATE refunds SET status = 'failed', credit_note_id = NULL WHERE id = :cardRefund",
      ["adaCustomer"],
    ],
    ["a dispute won", "UPDATE disputes SET status = 'won' WHERE id = :lost", ["pendingCustomer"]],
    [
      "a dispute decided",
      "UPDATE disputes SET status = 'lost', closed_at = now() WHERE id = :dispute",
      ["readerCustomer"],
    ],
    [
      "an unknown account",
      "UPDATE ledger_transfers SET debit_account = 'pocket' WHERE source_id = :first",
      ["adaCustomer"],
    ],
  ],
  ledger_sources: [
    ["unknown", "UPDATE ledger_transfers SET source_id = 'inv_x' WHERE source_id = :first", ["adaCustomer"]],
    [
      "another Customer's",
      "UPDATE ledger_transfers SET customer_id = :lateCustomer WHERE source_id = :first",
      ["first", "lateCustomer"],
    ],
    ["another kind", "UPDATE ledger_transfers SET kind = 'gift' WHERE source_id = :first", ["first"]],
  ],
  ledger_posted_twice: [
    ["", `ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_pkey; ${DUPLICATE}`, ["first"]],
  ],
  balance_entries: [["", "UPDATE balances SET amount = amount + 1 WHERE customer_id = :adaCustomer", ["adaCustomer"]]],
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
  grants_told: [["", "UPDATE benefit_grants SET benefit_version = 0 WHERE id = :grant", ["grant"]]],
  grants_activations: [["", "UPDATE benefit_grants SET activations = 2 WHERE id = :license", ["license"]]],
  discount_redemptions: [["", "UPDATE discounts SET redemptions = 2", ["discount"]]],
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
  ],
  event_numbers: [
    ["a gap", "DELETE FROM events WHERE resource_id = :ada AND sequence = 2", ["ada"]],
    ["of nothing", "UPDATE events SET resource_id = 'sub_x' WHERE resource_id = :ada", ["ada"]],
  ],
  event_of_invoice: [
    [
      "not paid",
      "UPDATE events SET type = 'invoice.created' WHERE resource_id = :first AND type = 'invoice.paid'",
      ["first"],
    ],
    ["not refunded", "DELETE FROM events WHERE resource_id = :first AND type = 'invoice.refunded'", ["first"]],
  ],
  event_of_refund: [["", "DELETE FROM events WHERE resource_id = :cardRefund", ["cardRefund"]]],
  event_of_dispute: [
    ["not opened", "UPDATE events SET type = 'dispute.closed' WHERE resource_id = :dispute", ["dispute"]],
    ["not closed", "DELETE FROM events WHERE resource_id = :lost AND type = 'dispute.closed'", ["lost"]],
  ],
  event_of_payment: [["", "UPDATE events SET type = 'payment.failed' WHERE resource_id = :payment", ["payment"]]],
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
  due_subscriptions: [
    ["by its clock", "UPDATE subscriptions SET due_at = '2025-07-12T08:59:59Z' WHERE id = :ada", ["ada"]],
    ["in real time", `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - ${HOUR} WHERE id = :ada`, ["ada"]],
  ],
  due_checkouts: [["", "UPDATE checkouts SET due_at = '2025-07-12T08:59:59Z' WHERE id = :open", ["open"]]],
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
  subscription_derived: [
    ["due", "UPDATE subscriptions SET due_at = '2030-01-01' WHERE id = :ada", ["ada"]],
    ["never due", "UPDATE subscriptions SET due_at = NULL WHERE id = :late", ["late"]],
    ["access", "UPDATE subscriptions SET access_ends_at = NULL WHERE id = :leaving", ["leaving"]],
    ["period", "UPDATE subscriptions SET anchor_index = anchor_index + 1 WHERE id = :ada", ["ada"]],
    ["zone", "UPDATE subscriptions SET anchor_time_zone = 'Nowhere' WHERE id = :ada", ["ada"]],
    [
      "pending",
      `UPDATE subscriptions SET current_period_end = current_period_end + ${HOUR} WHERE id = :pending`,
      ["pending"],
    ],
  ],
  line_amounts: [
    ["tax", "UPDATE invoice_lines SET tax_amount = tax_amount + 1 WHERE id = :line", ["line", "first"]],
    ["price", "UPDATE invoice_lines SET amount = amount + 1 WHERE id = :line", ["line", "first"]],
    ["discount", "UPDATE invoice_lines SET discount_amount = discount_amount - 1 WHERE id = :line", ["line", "first"]],
    [
      "half of its period",
      `UPDATE invoice_lines SET basis = jsonb_set(basis::jsonb, '{discount,part}',
        '{"start":0,"until":1,"end":2}')::json WHERE id = :line`,
      ["line", "first"],
    ],
    [
      "tax left in the price",
      `UPDATE invoice_lines SET tax_amount = 0, tax = '${TAKEN_OUT}' WHERE id = :line`,
      ["line", "first"],
    ],
    ["credit", "UPDATE invoice_lines SET amount = amount + 1 WHERE invoice_id = :restart AND amount < 0", ["restart"]],
    [
      "the part that had passed",
      "UPDATE invoice_lines SET amount = amount + 1 WHERE invoice_id = :last AND amount < 0",
      ["last"],
    ],
    [
      "the whole of which a part had passed",
      `UPDATE invoice_lines SET basis = jsonb_set(basis::jsonb, '{of,rate}', '2000')::json
        WHERE invoice_id = :last AND amount < 0`,
      ["last"],
    ],
  ],
  ledger_postings: [
    [
      "another amount",
      "UPDATE ledger_transfers SET amount = amount + 1 WHERE source_id = :first AND kind = 'invoice_paid'",
      ["first"],
    ],
    ["not voided", "DELETE FROM ledger_transfers WHERE source_id = :void AND kind = 'invoice_voided'", ["void"]],
    ["not refunded", "DELETE FROM ledger_transfers WHERE source_id = :balanceRefund", ["balanceRefund"]],
    ["not disputed", "DELETE FROM ledger_transfers WHERE source_id = :dispute", ["dispute"]],
    [
      "not lost",
      "UPDATE ledger_transfers SET kind = 'dispute_won' WHERE source_id = :lost AND kind = 'dispute_lost'",
      ["lost"],
    ],
  ],
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
  provider_charges: [
    ["another amount", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["payment"]],
    [
      "it took a charge that we don't have",
      "UPDATE payments SET status = 'failed', failure_code = 'card_declined' WHERE id = :payment",
      ["payment"],
    ],
    [
      "it does not know the charge",
      "UPDATE payments SET status = 'succeeded', settled_at = now(), check_at = NULL WHERE id = :challenge",
      ["challenge"],
    ],
  ],
  provider_refunds: [
    ["another amount", "UPDATE refunds SET amount = amount + 1 WHERE id = :cardRefund", ["cardRefund"]],
    [
      "it gave a refund that we did not give",
      "UPDATE refunds SET status = 'failed', credit_note_id = NULL WHERE id = :cardRefund",
      ["cardRefund"],
    ],
  ],
};
