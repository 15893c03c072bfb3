import type { CustomerBilling } from "../billing/customer-billing.ts";
import { isAgreed, type Agreed } from "../model/agreement.ts";
import type { Sale } from "../model/checkout-sale.ts";
import { linesOf } from "../invoice/bills.ts";
import type { Invoice } from "../model/invoice.ts";
import { cardOf } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";
import type { AskedSubscription } from "./creation-request.ts";
import { createSubscription } from "./create.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import { nextInvoiceOf } from "../collection/next-invoice.ts";
import type { Subscription } from "../model/subscription.ts";
import { Refusal } from "../refusal.ts";

/** A Subscription that is not made yet, with its first invoice. `card` null: there is no card to charge. */
export type CreationPreview = { subscription: Subscription; card: PaymentMethod | null; preview: ChangePreview };

const firstInvoiceOf = (billing: Pick<CustomerBilling, "invoices">, { id }: Subscription): Invoice | undefined =>
  billing.invoices.where(({ subscriptionId }) => subscriptionId === id)[0];

/** The amount of a new Subscription's first invoice that a card or the buyer pays, in minor units; 0: no amount. */
function firstDue(billing: Pick<CustomerBilling, "invoices">, subscription: Subscription): number {
  const invoice = firstInvoiceOf(billing, subscription);
  return invoice?.status === "open" ? invoice.amountDue : 0;
}

/**
 * The figures to which a person agrees with a click: the amount due now and the price, in minor units. `cardId` null:
 * there is no card.
 */
export type CreationFigures = { amountDue: number; price: number; cardId: string | null };

/**
 * Begins a Subscription without a Checkout. `agreed`: the figures of a page; null: there was no page.
 * @throws Refusal as `createSubscription` does; 412 `precondition_failed` for another figure
 */
export function createAgreed(
  billing: CustomerBilling,
  sale: Sale,
  asked: AskedSubscription,
  agreed: Agreed<CreationFigures> | null,
): Subscription {
  const subscription = createSubscription(billing, sale, asked);
  const figures = {
    amountDue: firstDue(billing, subscription),
    price: subscription.amount,
    cardId: cardOf(billing, subscription)?.id ?? null,
  };
  if (!isAgreed(figures, agreed)) throw new Refusal("precondition_failed");
  return subscription;
}

/** Previews a Subscription without a Checkout, by the decision that makes the Subscription (rule P8). */
export function previewCreation(billing: CustomerBilling, sale: Sale, asked: AskedSubscription): CreationPreview {
  const subscription = createSubscription(billing, sale, asked);
  const invoice = firstInvoiceOf(billing, subscription);
  const preview = {
    lines: invoice === undefined ? [] : linesOf(billing, invoice.id),
    chargeAmount: firstDue(billing, subscription),
    balanceChange: 0 - (invoice?.balanceApplied ?? 0),
    effectiveAt: billing.now,
    nextInvoice: nextInvoiceOf(billing, subscription),
  };
  return { subscription, card: cardOf(billing, subscription), preview };
}
