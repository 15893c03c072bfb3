import type { BalanceEntry } from "../balance.ts";
import type { Dispute } from "../dispute.ts";
import type { Invoice, InvoiceLine } from "../invoice.ts";
import type { LedgerTransfer } from "../ledger.ts";
import type { Payment, PaymentMethod } from "../payment.ts";
import type { CreditNote, Refund } from "../refund.ts";

/** Rows of all that a Customer owes, pays and gets back, by table. */
export type BilledRows = {
  invoices: Invoice;
  lines: InvoiceLine;
  payments: Payment;
  cards: PaymentMethod;
  refunds: Refund;
  creditNotes: CreditNote;
  disputes: Dispute;
  balanceEntries: BalanceEntry;
  transfers: LedgerTransfer;
};
