import { REAL_TIME, type Sabotage } from "./sabotage.ts";

const ACCOUNT = "'acme', 'acct_1'";
/** A connected account with an imported book, at which two payments were made. */
export const BOOK =
  `INSERT INTO provider_connections (organization_id, id, provider, provider_account, key_variable, livemode,
     connected_at, version, event_sequence, created_at, updated_at)
     VALUES (:organization, 'pac_1', ${ACCOUNT}, 'BILLOW_PAYMENTS_ACME', false, now(), 1, 0, now(), now());` +
  ` INSERT INTO provider_book_imports (organization_id, provider, provider_account, imported_from, imported_until,
     import_at, failures, created_at)
     VALUES (:organization, ${ACCOUNT}, '2000-01-01', now(), now() + interval '1 hour', 0, now());` +
  " UPDATE payments SET provider = 'acme', provider_account = 'acct_1' WHERE id = :payment OR id = :renewalPayment";

/** The entry of a payment, with changes of its parts. */
const charge = (ref: string, changed: { key?: string; amount?: string; currency?: string; at?: string } = {}) => {
  const { key = "provider_key", amount = "amount", currency = "currency", at = "now()" } = changed;
  return `INSERT INTO provider_book SELECT organization_id, ${ACCOUNT}, '${ref}', 'charge', ${key}, NULL, ${amount},
    ${currency}, ${at} FROM payments WHERE id = :payment`;
};
/** The entry of the refund of that payment. */
export const refund = (ref: string, changed: { key?: string; amount?: string; of?: string; at?: string } = {}) => {
  const { key = "r.id", amount = "r.amount", of = "p.provider_key", at = "now()" } = changed;
  return `INSERT INTO provider_book SELECT r.organization_id, ${ACCOUNT}, '${ref}', 'refund', ${key}, ${of}, ${amount},
    r.currency, ${at} FROM refunds r JOIN payments p ON p.organization_id = r.organization_id AND p.id = r.payment_id
    WHERE r.id = :cardRefund`;
};
const LATELY = "created_at = now() - interval '5 days', settled_at = now() - interval '5 days'";
const UNSETTLED = "status = 'unknown', settled_at = NULL, check_at = now()";
const YESTERDAY = "now() - interval '25 hours'";

/** Sabotages of the agreement with the imported books of connected providers. */
export const BOOK_SABOTAGES: Record<string, Sabotage[]> = {
  book_charge_unknown: [
    ["", `${BOOK}; ${charge("ch_1", { key: "'pay_copy'" })}`, []],
    [
      "at another account",
      `${BOOK}; UPDATE payments SET provider_account = 'acct_2' WHERE id = :payment; ${charge("ch_1")}`,
      [],
    ],
  ],
  book_charge_missing: [
    ["", `${BOOK}; ${REAL_TIME}; UPDATE payments SET ${LATELY} WHERE id = :renewalPayment`, ["renewalPayment"]],
  ],
  book_charge_amount: [["", `${BOOK}; ${charge("ch_1", { amount: "amount + 1" })}`, ["payment"]]],
  book_charge_currency: [["", `${BOOK}; ${charge("ch_1", { currency: "'eur'" })}`, ["payment"]]],
  book_charge_open: [
    ["failed", `${BOOK}; ${charge("ch_1")}; UPDATE payments SET status = 'failed' WHERE id = :payment`, ["payment"]],
    [
      "unsettled",
      `${BOOK}; ${charge("ch_1", { at: YESTERDAY })}; UPDATE payments SET ${UNSETTLED} WHERE id = :payment`,
      ["payment"],
    ],
  ],
  book_key_twice: [
    ["charges", `${BOOK}; ${charge("ch_1")}; ${charge("ch_2")}`, []],
    ["refunds", `${BOOK}; ${refund("re_1")}; ${refund("re_2")}`, ["cardRefund"]],
  ],
  book_orphan: [
    ["", `${BOOK}; ${charge("ch_1", { key: "'pay_copy'" })}; UPDATE provider_book SET kind = 'orphan'`, []],
  ],
  book_refund_unknown: [
    ["made at the provider", `${BOOK}; ${refund("re_1", { key: "NULL" })}`, []],
    ["of a copy", `${BOOK}; ${refund("re_1", { key: "'ref_copy'" })}`, []],
  ],
  book_refund_missing: [
    ["", `${BOOK}; ${REAL_TIME}; UPDATE refunds SET ${LATELY} WHERE id = :cardRefund`, ["cardRefund", "payment"]],
  ],
  book_refund_amount: [["", `${BOOK}; ${refund("re_1", { amount: "r.amount - 1" })}`, ["cardRefund"]]],
  book_refund_charge: [["", `${BOOK}; ${refund("re_1", { of: "'pay_other'" })}`, ["cardRefund", "payment"]]],
  book_refund_open: [
    [
      "failed",
      `${BOOK}; ${refund("re_1")}; UPDATE refunds SET status = 'failed', failed_at = now(), credit_note_id = NULL` +
        " WHERE id = :cardRefund",
      ["cardRefund"],
    ],
    [
      "unsettled",
      `${BOOK}; ${refund("re_1", { at: YESTERDAY })};` +
        ` UPDATE refunds SET ${UNSETTLED}, credit_note_id = NULL WHERE id = :cardRefund`,
      ["cardRefund"],
    ],
  ],
  unknown_payments: [
    ["", `UPDATE payments SET ${UNSETTLED}, checks = 36 WHERE id = :renewalPayment`, ["renewalPayment"]],
  ],
  unknown_refunds: [
    ["", `UPDATE refunds SET ${UNSETTLED}, checks = 36, credit_note_id = NULL WHERE id = :cardRefund`, ["cardRefund"]],
  ],
  due_provider_book: [
    ["due", `${BOOK}; UPDATE provider_book_imports SET import_at = now() - interval '1 hour'`, ["organization"]],
    [
      "not read",
      `${BOOK}; UPDATE provider_book_imports SET imported_until = now() - interval '4 days',
         created_at = now() - interval '9 days'`,
      ["organization"],
    ],
  ],
};
