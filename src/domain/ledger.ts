import type { Instant } from "./calendar.ts";
import type { Invoice } from "./invoice.ts";

/**
 * Accounts of an Organization and currency: what Customers owe (`receivable`), what the provider took in for us (`provider`), what was
 * sold (`revenue`), what Customers have in their favour (`balance`), what was given up (`written_off`).
 */
export type Account = "receivable" | "provider" | "revenue" | "balance" | "written_off";
export type TransferKind = "invoice_issued" | "invoice_paid" | "invoice_voided" | "unapplied_payment";

/** One movement: `amount` (minor units, above zero) is debited to one account and credited to the other (rule I4). */
export type LedgerTransfer = {
  organizationId: string;
  id: string;
  kind: TransferKind;
  sourceId: string;
  customerId: string;
  currency: string;
  debitAccount: Account;
  creditAccount: Account;
  amount: number;
  createdAt: Instant;
};

export type TransferDraft = Pick<LedgerTransfer, "debitAccount" | "creditAccount" | "amount">;

/** From one account to another; a negative amount is the same the other way round, and nothing is no transfer. */
function move(debitAccount: Account, creditAccount: Account, amount: number): TransferDraft[] {
  if (amount === 0) return [];
  return amount > 0
    ? [{ debitAccount, creditAccount, amount }]
    : [{ debitAccount: creditAccount, creditAccount: debitAccount, amount: -amount }];
}

type Amounts = Pick<Invoice, "totalAmount" | "balanceApplied" | "amountDue">;

/**
 * What was sold is owed or settled by the balance. A debt that the invoice collects (negative `balanceApplied` of a positive total)
 * is owed too, and fills the balance up.
 */
export function issued({ totalAmount, balanceApplied, amountDue }: Amounts): TransferDraft[] {
  if (amountDue === 0) return move("balance", "revenue", totalAmount);
  if (balanceApplied >= 0) return [...move("receivable", "revenue", amountDue), ...move("balance", "revenue", balanceApplied)];
  return [...move("receivable", "revenue", totalAmount), ...move("receivable", "balance", -balanceApplied)];
}

export function paid({ amountDue }: Amounts): TransferDraft[] {
  return move("provider", "receivable", amountDue);
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
