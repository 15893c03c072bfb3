import type { Instant } from "../calendar.ts";
import type { DisputeOutcome } from "../dispute/dispute.ts";
import type { Invoice } from "../invoice/invoice.ts";
import type { Refund } from "../refund/refund.ts";

/**
 * Accounts of an Organization and currency: what Customers owe (`receivable`), what the provider took in for us (`provider`), what came
 * in without one (`outside`), what was sold (`revenue`), what of that is a tax office's (`tax`), what Customers have in their favour
 * (`balance`), what was given up (`written_off`), what operators gave or took by hand (`adjustment`), what banks took back until they have
 * decided (`disputed`), what they kept (`dispute_lost`).
 */
export type LedgerAccount =
  "receivable" | "provider" | "outside" | "revenue" | "tax" | "balance" | "written_off" | "adjustment" | "disputed" | "dispute_lost";
export type TransferKind =
  | "invoice_issued"
  | "invoice_paid"
  | "invoice_paid_outside"
  | "invoice_voided"
  | "unapplied_payment"
  | "refund"
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

/** From one account to another; a negative amount is the same the other way round, and nothing is no transfer. */
function move(debitAccount: LedgerAccount, creditAccount: LedgerAccount, amount: number): TransferDraft[] {
  if (amount === 0) return [];
  return amount > 0
    ? [{ debitAccount, creditAccount, amount }]
    : [{ debitAccount: creditAccount, creditAccount: debitAccount, amount: -amount }];
}

type Amounts = Pick<Invoice, "totalAmount" | "taxAmount" | "balanceApplied" | "amountDue">;

/**
 * What was sold is owed or settled by the balance. A debt that the invoice collects (negative `balanceApplied` of a positive total)
 * is owed too, and fills the balance up. The tax in it is not the seller's.
 */
export function issued(amounts: Amounts): TransferDraft[] {
  return [...sold(amounts), ...move("revenue", "tax", amounts.taxAmount)];
}

function sold({ totalAmount, balanceApplied, amountDue }: Amounts): TransferDraft[] {
  if (amountDue === 0) return move("balance", "revenue", totalAmount);
  if (balanceApplied >= 0) return [...move("receivable", "revenue", amountDue), ...move("balance", "revenue", balanceApplied)];
  return [...move("receivable", "revenue", totalAmount), ...move("receivable", "balance", -balanceApplied)];
}

export function paid({ amountDue }: Pick<Amounts, "amountDue">): TransferDraft[] {
  return move("provider", "receivable", amountDue);
}

/** By a bank transfer, say: the payment provider has not seen it. */
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

/** Money that arrived for an invoice that is void goes whole to the balance (rule S5). */
export function unapplied(amount: number): TransferDraft[] {
  return move("provider", "balance", amount);
}

/** An operator adds to a balance, or takes from it when `amount` is negative. */
export function adjusted(amount: number): TransferDraft[] {
  return move("adjustment", "balance", amount);
}

/** Nobody is left to use a balance, or to make up for it (rule I5j). */
export function writtenOff(balance: number): TransferDraft[] {
  return move("balance", "written_off", balance);
}

/** What was sold is given back, from the provider or to the balance; the tax in it is the seller's again (rule I3f). */
export function refunded({ amount, taxAmount, to }: Pick<Refund, "amount" | "taxAmount" | "to">): TransferDraft[] {
  return [...move("revenue", to === "card" ? "provider" : "balance", amount), ...move("tax", "revenue", taxAmount)];
}

/** A bank has taken a charge back until it has decided (rule D5). */
export function disputed(amount: number): TransferDraft[] {
  return move("disputed", "provider", amount);
}

/** What a bank took back is given back, or lost: as it was sold all the same, it is a loss and no less revenue. */
export function decided(outcome: DisputeOutcome, amount: number): TransferDraft[] {
  return move(outcome === "won" ? "provider" : "dispute_lost", "disputed", amount);
}
