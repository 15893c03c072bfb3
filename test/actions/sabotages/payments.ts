import type { Sabotage } from "./sabotage.ts";

const ANY_PURPOSE = "ALTER TABLE payments DROP CONSTRAINT payments_purpose";

/** Moves a payment to Stripe, where its request has this outcome. */
const atStripe = (outcome: string) =>
  "UPDATE payments SET provider = 'stripe', provider_account = 'acct_1' WHERE id = :payment; " +
  `INSERT INTO stripe_requests (organization_id, provider_account, key, kind, request_hash, currency, charge_key,
     attempt, object_id, intent_id, is_challenged, given_up, verdict, outcome, created_at, updated_at)
   SELECT organization_id, provider_account, provider_key, 'charge', '', currency, NULL,
     1, NULL, NULL, false, false, NULL, '${outcome}', now(), now()
   FROM payments WHERE id = :payment`;

/** Sabotages of payments, Checkouts, refunds and disputes, and of their agreement with the provider's book. */
export const PAYMENT_SABOTAGES: Record<string, Sabotage[]> = {
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
  connection_mode: [
    [
      "a live key in a sandbox",
      `INSERT INTO provider_connections (organization_id, id, provider, provider_account, key_variable, livemode,
         connected_at, version, event_sequence, created_at, updated_at)
       VALUES (:organization, 'pac_1', 'stripe', 'acct_1', 'BILLOW_PAYMENTS_STRIPE', true, now(), 1, 0, now(), now())`,
      ["organization"],
    ],
  ],
  connection_of_provider: [
    [
      "never connected",
      "UPDATE organizations SET provider = 'stripe', provider_account = 'acct_1' WHERE id = :organization",
      ["organization"],
    ],
    [
      "disconnected",
      `INSERT INTO provider_connections (organization_id, id, provider, provider_account, livemode, connected_at,
         disconnected_at, version, event_sequence, created_at, updated_at)
       VALUES (:organization, 'pac_1', 'stripe', 'acct_1', false, now(), now(), 1, 0, now(), now()); ` +
        "UPDATE organizations SET provider = 'stripe', provider_account = 'acct_1' WHERE id = :organization",
      ["organization"],
    ],
  ],
  payment_at_stripe: [
    ["declined there", atStripe('{"status": "declined", "code": "card_declined"}'), ["payment"]],
    [
      "charged there",
      `${atStripe('{"status": "succeeded"}')}; UPDATE payments SET status = 'failed' WHERE id = :payment`,
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
  payment_keys: [
    ["an uncounted attempt", "UPDATE invoices SET collections = collections - 1 WHERE id = :renewal", ["renewal"]],
    [
      "the key of another Subscription",
      "UPDATE payments SET provider_key = 'sub_other_2_1' WHERE id = :renewalPayment",
      ["renewal", "renewalPayment"],
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
      `UPDATE invoice_lines SET sources = '[{"source":"granted","paymentId":null,"amount":9000000}]'
       WHERE credited_line_id = :creditedLine`,
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
  credit_of_late_failure: [
    [
      "no credit",
      `UPDATE refunds SET status = 'failed', failed_late = true, failed_at = settled_at, failure_code = 'unknown'
       WHERE id = :cardRefund`,
      ["cardRefund"],
    ],
    [
      "credit of a refund that has not failed",
      `UPDATE balance_entries SET reason = 'refund_failed' WHERE refund_id = :balanceRefund`,
      ["balanceRefund"],
    ],
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
  credit_note_language: [["", "UPDATE credit_notes SET locale = 'de' WHERE id = :creditNote", ["creditNote"]]],
  credit_note_numbers: [["", "UPDATE customers SET credit_note_sequence = 9 WHERE id = :adaCustomer", ["adaCustomer"]]],
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
    [
      "the provider has no refund of its own",
      "UPDATE refunds SET origin = 'provider', provider_ref = 're_x' WHERE id = :cardRefund",
      ["cardRefund"],
    ],
    ["another amount", "UPDATE refunds SET amount = amount + 1 WHERE id = :cardRefund", ["cardRefund"]],
    [
      "it gave a refund that we did not give",
      "UPDATE refunds SET status = 'failed', failed_at = settled_at, credit_note_id = NULL WHERE id = :cardRefund",
      ["cardRefund"],
    ],
  ],
};
