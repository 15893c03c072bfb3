import type { Account } from "../billing/customer-billing.ts";
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

/** Keeps lines for the Subscription's next invoice (rules P, S4). */
export function recordWaitingLines(account: Account, subscriptionId: string, drafts: readonly LineDraft[]): void {
  for (const [position, draft] of drafts.entries()) {
    account.lines.put(withSources(account, newLine(account, draft, { subscriptionId, invoiceId: null, position })));
  }
}

/**
 * Issues an invoice: takes a number (rule I1), posts the amounts (rule I4) and uses the balance. An invoice with an
 * amount due of 0 is paid at once without a provider call (rule S3).
 */
export function issueInvoice(account: Account, order: InvoiceOrder, at: Instant): Bill {
  const draft = draftOf(account, order, at);
  const { id: invoiceId, currency } = draft;
  const { subscriptionId, waiting } = order;
  const lines = [
    ...waiting.map((line, position) => ({ ...line, invoiceId, position })),
    ...order.lines.map((line, n) =>
      withSources(account, newLine(account, line, { subscriptionId, invoiceId, position: waiting.length + n })),
    ),
  ];
  const balanceSources = useBalance(account, draft, lines, { currency, reason: "invoice", invoiceId, createdAt: at });
  const invoice = recordInvoice(account, { ...draft, balanceSources }, lines, "invoice.created", at);
  for (const line of lines) account.lines.put(line);
  post(account, "invoice_issued", invoiceId, currency, issued(invoice), at);
  return invoice.amountDue === 0 ? payInvoice(account, { invoice, lines }, at) : { invoice, lines };
}
