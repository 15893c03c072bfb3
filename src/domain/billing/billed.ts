import type { BalanceEntry } from "../model/balance.ts";
import type { Dispute } from "../model/dispute.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import type { LedgerTransfer } from "../model/ledger.ts";
import type { Payment, PaymentMethod } from "../model/payment.ts";
import type { CreditNote, Refund } from "../model/refund.ts";

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
