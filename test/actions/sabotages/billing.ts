import { moved } from "../../support/sql-instants.ts";
import { HOUR, type Sabotage } from "./sabotage.ts";

const RATE = { country: "DE", region: null, basisPoints: 1900, inclusive: false, name: "USt", reverseCharge: true };
const TAKEN_OUT = JSON.stringify({ ...RATE, takenOut: true });

/** Ada's first purchase, with a total of US$8.93, as if the balance had settled a part. */
const applied = (amount: number) =>
  `UPDATE invoices SET balance_applied = ${amount}, amount_due = total_amount - ${amount},
   amount_paid = total_amount - ${amount} WHERE id = :first`;
const settled = (amount: number, usesBalance = true, minimum = 50, step = 1) =>
  `ALTER TABLE checkouts DROP CONSTRAINT checkouts_settlement; UPDATE checkouts SET uses_balance = ${usesBalance},
   settlement = '{"balanceApplied": ${amount}}' WHERE id = :checkout; ${applied(amount)}; UPDATE invoices SET
   balance_basis = '{"balance": 900, "minimum": ${minimum}, "step": ${step}}' WHERE id = :first`;

/** Sabotages of periods, Subscriptions and invoices. */
export const BILLING_SABOTAGES: Record<string, Sabotage[]> = {
  subscription_claimed: [
    ["", `UPDATE subscriptions SET billing = '{"address": null, "taxId": null}' WHERE id = :ada`, ["ada"]],
  ],
  subscription_card: [
    [
      "unclaimed, and charged to a card of another purchase",
      `UPDATE subscriptions SET claimed = false WHERE id = :ada; UPDATE payments SET payment_method_id = :ended
       WHERE subscription_id = :ada AND purpose = 'renewal'`,
      ["ada", "ended"],
    ],
    [
      "charged to a card that was given for another Subscription",
      `INSERT INTO payments SELECT (jsonb_populate_record(p, '{"id": "pay_given", "source_id": "pay_given",
         "provider_key": "pay_given", "purpose": "setup", "amount": 0, "invoice_id": null, "checkout_id": null,
         "subscription_id": "sub_other"}')).* FROM payments p
       WHERE p.subscription_id = :ada AND p.purpose = 'renewal' LIMIT 1`,
      ["ada"],
    ],
  ],
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
    [
      "a gap",
      `UPDATE invoices SET period_start = ${moved("period_start", `+ ${HOUR}`)} WHERE id = :renewal`,
      ["renewal", "ada"],
    ],
    [
      "an overlap",
      `UPDATE invoices SET period_start = ${moved("period_start", `- ${HOUR}`)} WHERE id = :renewal`,
      ["renewal", "ada"],
    ],
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
      `UPDATE subscriptions SET current_period_start = ${moved("current_period_start", `+ ${HOUR}`)} WHERE id = :ada`,
      ["ada", "restart"],
    ],
    [
      "another end",
      `UPDATE invoices SET period_end = ${moved("period_end", `+ ${HOUR}`)} WHERE id = :restart`,
      ["ada", "restart"],
    ],
    [
      "not the trial's",
      `UPDATE subscriptions SET current_period_start = ${moved("current_period_start", `+ ${HOUR}`)} WHERE id = :tries`,
      ["tries"],
    ],
  ],
  subscription_dunning: [
    ["of one that paid", "UPDATE subscriptions SET retries_done = 1 WHERE id = :ada", ["ada"]],
    ["without an end of grace", "UPDATE subscriptions SET grace_ends_at = NULL WHERE id = :late", ["late"]],
  ],
  subscription_pause: [
    [
      "another access",
      `UPDATE subscriptions SET pause = '{"resumesAt":null,"access":"keep"}' WHERE id = :paused`,
      ["paused"],
    ],
    [
      "a resume in the past",
      `UPDATE subscriptions SET pause = '{"resumesAt":1,"access":"revoke"}' WHERE id = :paused`,
      ["paused"],
    ],
    ["access that nothing has suspended", "UPDATE subscriptions SET grants_suspended = true WHERE id = :ada", ["ada"]],
  ],
  subscription_owes_nothing: [
    ["", "UPDATE invoices SET status = 'void', voided_at = created_at WHERE id = :owed", ["late", "lateCustomer"]],
  ],
  subscription_stuck: [["", "UPDATE subscriptions SET next_retry_at = NULL WHERE id = :late", ["late"]]],
  subscription_waiting_lines: [
    ["", "UPDATE invoice_lines SET invoice_id = NULL WHERE subscription_id = :gone", ["gone"]],
  ],
  subscription_cancellation: [
    [
      "another day",
      `UPDATE subscriptions SET cancel_at = ${moved("cancel_at", "+ interval '1 day'")} WHERE id = :leaving`,
      ["leaving"],
    ],
    ["before it began", "UPDATE subscriptions SET ended_at = '2020-01-01' WHERE id = :gone", ["gone"]],
    ["of nobody", "UPDATE subscriptions SET canceled_at = now() WHERE id = :ada", ["ada"]],
  ],
  subscription_change_archived: [
    [
      "",
      `UPDATE products SET archived = true, sync_at = NULL
       WHERE id = (SELECT pending_change->>'productId' FROM subscriptions WHERE id = :pending)`,
      ["pending"],
    ],
  ],
  subscription_trial_covered: [
    ["", "UPDATE subscriptions SET trial_covered = true WHERE id = :tries", ["tries", "triesCustomer"]],
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
  invoice_purchase: [
    ["another part", applied(1), ["first", "checkout"]],
    ["a buyer that was not named", settled(1, false), ["first", "checkout"]],
    ["a whole step of a buyer that was not named", settled(10, false, 50, 10), ["first", "checkout"]],
    ["a debt", settled(-1), ["first", "checkout"]],
    ["a rest that is too small", settled(1, true, 900), ["first", "checkout"]],
  ],
  invoice_units: [
    ["another quantity", "UPDATE checkouts SET quantity = 99991 WHERE id = :checkout", ["first", "checkout"]],
    ["no unit", "UPDATE checkouts SET quantity = 0 WHERE id = :checkout", ["checkout"]],
    [
      "another quantity of the line",
      `UPDATE invoice_lines SET basis = (basis::jsonb || '{"quantity": 2}')::json WHERE id = :line`,
      ["first", "checkout"],
    ],
  ],
  invoice_step: [
    [
      "between two steps",
      `UPDATE invoices SET balance_basis = '{"balance": 0, "minimum": 50, "step": 7}' WHERE id = :renewal`,
      ["renewal"],
    ],
  ],
  invoice_uncollected: [
    ["", "UPDATE subscriptions SET status = 'active', first_failed_at = NULL WHERE id = :late", ["owed", "late"]],
  ],
  invoice_held: [
    [
      "without a refusal",
      "UPDATE invoices SET held_reason = 'amount_too_large', next_attempt_at = NULL WHERE id = :owed",
      ["owed"],
    ],
  ],
  invoice_next_attempt: [
    [
      "another instant",
      `UPDATE invoices SET next_attempt_at = ${moved("next_attempt_at", `+ ${HOUR}`)} WHERE id = :owed`,
      ["owed", "late"],
    ],
    ["of a paid one", "UPDATE invoices SET next_attempt_at = now() WHERE id = :first", ["first"]],
  ],
  subscription_derived: [
    ["due", "UPDATE subscriptions SET due_at = '2030-01-01' WHERE id = :ada", ["ada"]],
    ["never due", "UPDATE subscriptions SET due_at = NULL WHERE id = :late", ["late"]],
    ["access", "UPDATE subscriptions SET access_ends_at = NULL WHERE id = :leaving", ["leaving"]],
    ["period", "UPDATE subscriptions SET anchor_index = anchor_index + 1 WHERE id = :ada", ["ada"]],
    ["zone", "UPDATE subscriptions SET anchor_time_zone = 'Nowhere' WHERE id = :ada", ["ada"]],
    [
      "pending",
      `UPDATE subscriptions SET current_period_end = ${moved("current_period_end", `+ ${HOUR}`)} WHERE id = :pending`,
      ["pending"],
    ],
    ["units", "UPDATE subscriptions SET quantity = 99991 WHERE id = :ada", ["ada"]],
    ["no unit", "UPDATE subscriptions SET quantity = 0 WHERE id = :ada", ["ada"]],
    [
      "units of a pending change",
      `UPDATE subscriptions SET pending_change = jsonb_set(pending_change::jsonb, '{quantity}', '99991')::json
       WHERE id = :pending`,
      ["pending"],
    ],
  ],
  line_amounts: [
    [
      "units",
      `UPDATE invoice_lines SET basis = (basis::jsonb || '{"quantity": 99991}')::json WHERE id = :line`,
      ["line", "first"],
    ],
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
};
