import type { Account } from "../billing/customer-billing.ts";
import { quote } from "../balance/quote.ts";
import { fullLine } from "../model/invoice.ts";
import { issueInvoice } from "../invoice/issue.ts";
import { collectInvoice } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { chargeFailed } from "../collection/failure.ts";
import type { Product } from "../model/product.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * Bills the first period as a renewal is billed: invoice first, then an off-session charge. Without a card the
 * Subscription is past due at once (rule S).
 */
export function billFirstPeriod(account: Account, subscription: Subscription, { id, name }: Product): void {
  const { now } = account;
  const span = { start: subscription.currentPeriodStart, end: subscription.currentPeriodEnd };
  const product = { id, name, price: subscription.amount };
  const line = fullLine(product, span, { discount: null, tax: subscription.paidTax });
  const order = {
    reason: "renewal",
    subscriptionId: subscription.id,
    checkoutId: null,
    periodNumber: subscription.periodNumber,
    span,
    currency: subscription.currency,
    lines: [line],
    waiting: [],
    totals: quote(account, subscription.currency, [line]),
    metadata: subscription.metadata,
    billing: null,
  } as const;
  const bill = issueInvoice(account, order, now);
  if (bill.invoice.status !== "open") return;
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, bill.invoice, method, "renewal", now);
  else chargeFailed(account, bill, subscription, { purpose: "renewal" }, now);
}
