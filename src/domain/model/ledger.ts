import type { Instant } from "../calendar.ts";
import type { Decision } from "./dispute.ts";
import type { Invoice } from "./invoice.ts";
import type { Refund } from "./refund.ts";

/**
 * Accounts of an Organization and currency.
 * `receivable`: debts of Customers. `provider`: money that the payment provider took in for us. `outside`: money that
 * came in without a provider.
 * `revenue`: sales. `tax`: the part of sales that belongs to a tax office. `balance`: credit of Customers.
 * `written_off`: balances that were given up. `adjustment`: amounts that operators gave or took by hand.
 * `disputed`: money that banks took back and have not decided on. `dispute_lost`: money that banks kept, less the
 * credit from it that was written off. `paying_out`: credit that is on its way to a card.
 */
export type LedgerAccount =
  | "receivable"
  | "provider"
  | "outside"
  | "revenue"
  | "tax"
  | "balance"
  | "written_off"
  | "adjustment"
  | "disputed"
  | "dispute_lost"
  | "paying_out";
export type TransferKind =
  | "invoice_issued"
  | "invoice_paid"
  | "invoice_paid_outside"
  | "invoice_voided"
  | "unapplied_payment"
  | "refund"
  | "payout_requested"
  | "payout_failed"
  | "refund_failed"
  | "credit_lost"
  | "dispute_opened"
  | "dispute_won"
  | "dispute_lost"
  | "balance_adjusted"
  | "balance_written_off";

/** One movement: `amount` (minor units, above zero) is debited to one account and credited to the other (rule I4). */
export type LedgerTransfer = {
  organizationId: string;
  id: string;
  kind: TransferKind;
  sourceId: string;
  customerId: string;
  currency: string;
  debitAccount: LedgerAccount;
  creditAccount: LedgerAccount;
  amount: number;
  createdAt: Instant;
};

export type TransferDraft = Pick<LedgerTransfer, "debitAccount" | "creditAccount" | "amount">;

/**
 * A transfer from one account to another. A negative amount goes the other way round; an amount of 0 is no transfer.
 */
function move(debitAccount: LedgerAccount, creditAccount: LedgerAccount, amount: number): TransferDraft[] {
  if (amount === 0) return [];
  return amount > 0
    ? [{ debitAccount, creditAccount, amount }]
    : [{ debitAccount: creditAccount, creditAccount: debitAccount, amount: -amount }];
}

type Amounts = Pick<Invoice, "totalAmount" | "taxAmount" | "balanceApplied" | "amountDue">;

/**
 * The transfers of a new invoice. The sale is due, or settled by the balance. If `balanceApplied` is negative and an
 * amount is due, the invoice also collects a debt or moves held credit to the balance: that sum is due too, and goes to
 * the balance. The tax belongs to the tax office.
 */
export function issued(amounts: Amounts): TransferDraft[] {
  return [...sold(amounts), ...move("revenue", "tax", amounts.taxAmount)];
}

function sold({ totalAmount, balanceApplied, amountDue }: Amounts): TransferDraft[] {
  if (amountDue === 0) return move("balance", "revenue", totalAmount);
  if (balanceApplied >= 0)
    return [...move("receivable", "revenue", amountDue), ...move("balance", "revenue", balanceApplied)];
  return [...move("receivable", "revenue", totalAmount), ...move("receivable", "balance", -balanceApplied)];
}

export function paid({ amountDue }: Pick<Amounts, "amountDue">): TransferDraft[] {
  return move("provider", "receivable", amountDue);
}

/** The transfers of an invoice that was paid without the payment provider, for example by bank transfer. */
export function paidOutside({ amountDue }: Pick<Amounts, "amountDue">): TransferDraft[] {
  return move("outside", "receivable", amountDue);
}

/** The reverse of `issued`. */
export function voided(amounts: Amounts): TransferDraft[] {
  return issued(amounts).map(({ debitAccount, creditAccount, amount }) => ({
    debitAccount: creditAccount,
    creditAccount: debitAccount,
    amount,
  }));
}

/** Money that arrived for a void invoice goes to the balance in full (rule S5). */
export function unapplied(amount: number): TransferDraft[] {
  return move("provider", "balance", amount);
}

/** An operator adds to a balance, or takes from it if `amount` is negative. */
export function adjusted(amount: number): TransferDraft[] {
  return move("adjustment", "balance", amount);
}

/** A deleted Customer can neither use a balance nor make up for a debt (rule I5j). */
export function writtenOff(balance: number): TransferDraft[] {
  return move("balance", "written_off", balance);
}

/**
 * The sale is given back, from the provider or to the balance. The tax in it belongs to the seller again (rule I3n).
 * The part that came off the balance leaves the provider, too.
 */
export function refunded({
  amount,
  fromBalance,
  taxAmount,
  to,
}: Pick<Refund, "amount" | "fromBalance" | "taxAmount" | "to">): TransferDraft[] {
  return [
    ...move("revenue", to === "card" ? "provider" : "balance", amount - fromBalance),
    ...move("tax", "revenue", taxAmount),
    ...move("paying_out", "provider", fromBalance),
  ];
}

/** Credit was taken off the balance, and is on its way to a card (rule I7). */
export function payoutRequested(amount: number): TransferDraft[] {
  return move("balance", "paying_out", amount);
}

/** Credit did not reach the card, and is on the balance again. */
export function payoutFailed(amount: number): TransferDraft[] {
  return move("paying_out", "balance", amount);
}

/** The money of a refund came back to the seller's account at the provider, and is on the balance (rule I8). */
export function refundReturned(amount: number): TransferDraft[] {
  return move("provider", "balance", amount);
}

/** Credit from a lost charge is worth 0, which makes the loss smaller (rule D7d). */
export function creditLost(amount: number): TransferDraft[] {
  return move("balance", "dispute_lost", amount);
}

/** A bank has taken a charge back and has not decided yet (rule D5). */
export function disputed(amount: number): TransferDraft[] {
  return move("disputed", "provider", amount);
}

/**
 * The bank gives the charge back, or the charge is lost. The sale stays, so a lost charge is a loss and does not
 * lower revenue.
 */
export function decided(outcome: Decision, amount: number): TransferDraft[] {
  return move(outcome === "won" ? "provider" : "dispute_lost", "disputed", amount);
}
