import type { Benefit, BenefitGrant } from "../model/benefit.ts";
import type { Checkout } from "../model/checkout.ts";
import type { Discount } from "../model/discount.ts";
import type { Change } from "../model/frozen-plan.ts";
import type { Product } from "../model/product.ts";
import type { Subscription } from "../model/subscription.ts";
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

/**
 * A use of a Discount. `id`: the Checkout that has reserved or used it, or the Subscription to which the seller gave it
 * (rules X1g, X4c).
 */
export type Redemption = { id: string; organizationId: string; discountId: string };
/** A group in which the Customer has used a trial; `id` is the group's key. */
export type UsedTrial = { id: string; subscriptionId: string };

/** Rows of all that a Customer buys, by table. Products and Benefits are read only. */
export type SoldRows = {
  subscriptions: Subscription;
  checkouts: Checkout;
  changes: Change;
  grants: BenefitGrant;
  products: Product;
  benefits: Benefit;
  discounts: Discount;
  redemptions: Redemption;
  trials: UsedTrial;
};
