import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordInvoice } from "../billing/record.ts";
import { useBalance } from "../balance/use.ts";
import type { Instant } from "../calendar.ts";
import type { LineDraft } from "../model/invoice.ts";
import { draftOf, type InvoiceOrder } from "./order.ts";
import { issued } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { newLine, type Bill } from "./bills.ts";
import { withSources } from "./returns.ts";
import { payInvoice } from "./pay.ts";

/** Records lines for the Subscription's next invoice (rules P, S4). */
export function recordWaitingLines(
  billing: CustomerBilling,
  subscriptionId: string,
  drafts: readonly LineDraft[],
): void {
  for (const [position, draft] of drafts.entries()) {
    billing.lines.put(withSources(billing, newLine(billing, draft, { subscriptionId, invoiceId: null, position })));
  }
}

/**
 * Issues an invoice: takes a number (rule I1), posts the amounts (rule I4) and uses the balance. An invoice with an
 * amount due of 0 is paid at once without a provider call (rule S3).
 */
export function issueInvoice(billing: CustomerBilling, order: InvoiceOrder, at: Instant): Bill {
  const draft = draftOf(billing, order, at);
  const { id: invoiceId, currency } = draft;
  const { subscriptionId, waiting } = order;
  const lines = [
    ...waiting.map((line, position) => ({ ...line, invoiceId, position })),
    ...order.lines.map((line, n) =>
      withSources(billing, newLine(billing, line, { subscriptionId, invoiceId, position: waiting.length + n })),
    ),
  ];
  const balanceSources = useBalance(billing, draft, lines, { currency, reason: "invoice", invoiceId, createdAt: at });
  const invoice = recordInvoice(billing, { ...draft, balanceSources }, lines, "invoice.created", at);
  for (const line of lines) billing.lines.put(line);
  post(billing, "invoice_issued", invoiceId, currency, issued(invoice), at);
  return invoice.amountDue === 0 ? payInvoice(billing, { invoice, lines }, at) : { invoice, lines };
}
