import type { Context } from "../context.ts";
import type { MarkInvoicePaidParams } from "../resources/invoice.ts";
import { commitNow, type Answer, type Call } from "./answer.ts";
import { invoiceAnswer, requireNoChallenge, withoutChallenge, workOnOpenInvoice } from "./invoice-work.ts";
import { payInvoiceOutside } from "./issue-invoice.ts";
import { recoverIfPaid } from "./settle-invoice.ts";
import type { Match } from "./subscription-work.ts";

/** `POST /invoices/{id}/mark-paid`: it was paid without a payment provider, by a bank transfer say. @throws AppError 404, 409, 412 */
export async function markPaid(ctx: Context, call: Call, id: string, params: MarkInvoicePaidParams, match: Match): Promise<Answer> {
  const commitPaid = () =>
    commitNow(ctx, call, async (tx) => {
      const work = await workOnOpenInvoice(ctx, tx, call.organizationId, id, match);
      requireNoChallenge(work);
      const bill = await payInvoiceOutside(work, work.bill, params.reason, work.now);
      await recoverIfPaid(work, work.subscription, work.now);
      return invoiceAnswer(ctx, bill);
    });
  return withoutChallenge(ctx, commitPaid);
}
