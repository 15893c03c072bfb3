import type { Context } from "../context.ts";
import type { Invoice } from "../domain/invoice.ts";
import type { MarkInvoicePaidParams } from "../resources/invoice.ts";
import { requireNoChallenge, withoutChallenge, workOnOpenInvoice } from "./invoice-work.ts";
import { payInvoiceOutside, type Bill } from "./issue-invoice.ts";
import type { Match, Origin } from "./origin.ts";
import { recoverIfPaid } from "./settle-invoice.ts";

/** `POST /invoices/{id}/mark-paid`: it was paid without a payment provider, by a bank transfer say. @throws AppError 404, 409, 412 */
export async function markPaid(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  params: MarkInvoicePaidParams,
  match?: Match<Invoice>,
): Promise<Bill> {
  const commitPaid = () =>
    origin.transaction(ctx, async (tx) => {
      const work = await workOnOpenInvoice(ctx, tx, origin.organizationId, id, match);
      requireNoChallenge(work);
      const bill = await payInvoiceOutside(work, work.bill, params.reason, work.now);
      await recoverIfPaid(work, work.subscription, work.now);
      return bill;
    });
  return withoutChallenge(ctx, commitPaid);
}
