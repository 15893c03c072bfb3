import type { BalanceEntry } from "../balance/balance.ts";
import type { Dispute } from "../dispute/dispute.ts";
import type { Invoice, InvoiceLine } from "../invoice/invoice.ts";
import type { LedgerTransfer } from "../ledger/ledger.ts";
import type { Payment, PaymentMethod } from "../payment/payment.ts";
import type { CreditNote, Refund } from "../refund/refund.ts";

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
