import type { Sabotage } from "./sabotage.ts";

const DUPLICATE = `INSERT INTO ledger_transfers
  SELECT organization_id, id || 'x', kind, source_id, customer_id, currency, debit_account, credit_account, amount,
  created_at
  FROM ledger_transfers WHERE source_id = :first AND kind = 'invoice_paid'`;

/** Sabotages of the ledger and of balances. */
export const LEDGER_SABOTAGES: Record<string, Sabotage[]> = {
  ledger_accounts: [
    [
      "a transfer is missing",
      "DELETE FROM ledger_transfers WHERE source_id = :first AND kind = 'invoice_paid'",
      ["adaCustomer"],
    ],
    ["a payment more", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["adaCustomer"]],
    [
      "a refund less",
      "UPDATE refunds SET status = 'failed', failed_at = settled_at, credit_note_id = NULL WHERE id = :cardRefund",
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
  lots_of_balance: [["", "UPDATE balances SET amount = amount + 1 WHERE customer_id = :adaCustomer", ["adaCustomer"]]],
  lot_source: [
    [
      "a payment of another Customer",
      `UPDATE balance_entries SET source = 'payment', payment_id = :payment
       WHERE customer_id = :deletedCustomer AND amount > 0`,
      ["payment"],
    ],
    [
      "a line of another Customer",
      `UPDATE balance_entries SET credited_line_id = :creditedLine
       WHERE customer_id = :deletedCustomer AND amount > 0`,
      ["creditedLine"],
    ],
  ],
  given_back_of_payment: [
    [
      "",
      `UPDATE balance_entries SET source = 'payment', payment_id = :payment, amount = 9000000, remaining = 9000000
       WHERE customer_id = :adaCustomer AND amount > 0`,
      ["payment"],
    ],
  ],
  line_sources: [
    [
      "",
      `UPDATE invoice_lines SET sources = '[{"source":"granted","paymentId":null,"amount":1}]'
       WHERE id = :creditedLine`,
      ["creditedLine"],
    ],
  ],
  balance_sources: [
    [
      "",
      `UPDATE invoices SET balance_sources = '[{"source":"granted","paymentId":null,"amount":9000000}]'
       WHERE id = :first`,
      ["first"],
    ],
  ],
  balance_entries: [["", "UPDATE balances SET amount = amount + 1 WHERE customer_id = :adaCustomer", ["adaCustomer"]]],
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
};
