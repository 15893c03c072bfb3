import type { CustomerBilling } from "../billing/customer-billing.ts";
import { quoteLast } from "../balance/quote.ts";
import type { Instant } from "../calendar.ts";
import type { InvoiceLine } from "../model/invoice.ts";
import { waitingLines, type Bill } from "../invoice/bills.ts";
import { issueInvoice } from "../invoice/issue.ts";
import { voidInvoice } from "../invoice/pay.ts";
import { collectInvoice } from "../payment/attempt.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import type { Subscription } from "../model/subscription.ts";
import { linesAtCancellation } from "../model/waiting-line.ts";

/** The cause of a Subscription's end. */
export type EndCause = "ended" | "canceled_now" | "dunning_exhausted" | "customer_deleted" | "unrecognized";

const UNCHARGED: readonly EndCause[] = ["customer_deleted", "unrecognized"];
/** The ends at once, by the act of a person. */
const AT_ONCE: readonly EndCause[] = ["canceled_now", "unrecognized"];

/**
 * Bills the waiting lines on a last invoice (rule S4). A total above zero is charged once, or the invoice is void at
 * once if no card may be charged (rule D6). A total below zero goes to the balance.
 */
export function billWaitingLines(
  billing: CustomerBilling,
  subscription: Subscription,
  cause: EndCause,
  at: Instant,
): Bill | null {
  const waiting = lastLines(billing, subscription, cause, at);
  if (waiting.length === 0) return null;
  const order = {
    reason: "product_change",
    subscriptionId: subscription.id,
    checkoutId: null,
    periodNumber: null,
    span: { start: subscription.currentPeriodStart, end: at },
    currency: subscription.currency,
    lines: [],
    waiting,
    totals: quoteLast(billing, subscription.currency, waiting),
    fieldAnswers: subscription.fieldAnswers,
    metadata: subscription.metadata,
    billing: subscription.billing,
  } as const;
  const bill = issueInvoice(billing, order, at);
  if (bill.invoice.status !== "open") return bill;
  const method = UNCHARGED.includes(cause) ? null : unhinderedCardOf(billing, subscription);
  if (!method) return voidInvoice(billing, bill, at);
  collectInvoice(billing, bill.invoice, method, "last_invoice", billing.now);
  return bill;
}

/** The waiting lines as this end bills them: in full, or for an end at once only the part that has passed (rule S4). */
function lastLines(
  billing: Pick<CustomerBilling, "lines">,
  { id }: Subscription,
  cause: EndCause,
  at: Instant,
): InvoiceLine[] {
  const waiting = waitingLines(billing, id);
  if (!AT_ONCE.includes(cause)) return waiting;
  const { billed, dropped } = linesAtCancellation(waiting, at);
  for (const line of dropped) billing.lines.drop(line);
  // The lines change before the quote, because the quote counts waiting credit (rule D7).
  for (const line of billed) billing.lines.put(line);
  return billed;
}
