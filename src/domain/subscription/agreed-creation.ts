import type { Account } from "../account/account.ts";
import type { Sale } from "../checkout/sale.ts";
import { linesOf } from "../invoice/bills.ts";
import type { Invoice } from "../invoice/invoice.ts";
import { cardOf } from "../payment/card.ts";
import type { PaymentMethod } from "../payment/payment.ts";
import { AppError } from "../../errors.ts";
import type { AskedSubscription } from "./asked.ts";
import { createSubscription } from "./create.ts";
import type { ChangePreview } from "./plan-change.ts";
import { nextInvoiceOf } from "./preview.ts";
import type { Subscription } from "./subscription.ts";

/** A Subscription that is not made yet, with its first invoice. `card` null: there is no card to charge. */
export type CreationPreview = { subscription: Subscription; card: PaymentMethod | null; preview: ChangePreview };

const firstInvoiceOf = (account: Account, { id }: Subscription): Invoice | undefined =>
  account.invoices.where(({ subscriptionId }) => subscriptionId === id)[0];

/** The amount of a new Subscription's first invoice that a card or the buyer pays, in minor units; 0: no amount. */
function firstDue(account: Account, subscription: Subscription): number {
  const invoice = firstInvoiceOf(account, subscription);
  return invoice?.status === "open" ? invoice.amountDue : 0;
}

/**
 * Begins a Subscription without a Checkout. `agreedDue`: a person agreed to this amount due now, in minor units; null:
 * the amount is not checked.
 * @throws AppError as `createSubscription` does; 412 `precondition_failed` for another amount
 */
export function createAgreed(
  account: Account,
  sale: Sale,
  asked: AskedSubscription,
  agreedDue: number | null,
): Subscription {
  const subscription = createSubscription(account, sale, asked);
  if (agreedDue !== null && firstDue(account, subscription) !== agreedDue) throw new AppError("precondition_failed");
  return subscription;
}

/** Previews a Subscription without a Checkout, by the decision that makes the Subscription (rule P8). */
export function previewCreation(account: Account, sale: Sale, asked: AskedSubscription): CreationPreview {
  const subscription = createSubscription(account, sale, asked);
  const invoice = firstInvoiceOf(account, subscription);
  const preview = {
    lines: invoice === undefined ? [] : linesOf(account, invoice.id),
    chargeAmount: firstDue(account, subscription),
    balanceChange: 0 - (invoice?.balanceApplied ?? 0),
    effectiveAt: account.now,
    nextInvoice: nextInvoiceOf(account, subscription),
  };
  return { subscription, card: cardOf(account, subscription), preview };
}
