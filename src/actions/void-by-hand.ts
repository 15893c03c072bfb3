import type { Context } from "../context.ts";
import type { Invoice } from "../domain/invoice.ts";
import type { Subscription } from "../domain/subscription.ts";
import type { VoidInvoiceParams } from "../resources/invoice.ts";
import { requireNoChallenge, withoutChallenge, workOnOpenInvoice } from "./invoice-work.ts";
import { voidInvoice, type Bill } from "./issue-invoice.ts";
import type { Match, Origin } from "./origin.ts";
import { recordSubscription } from "./record.ts";
import { recoverIfPaid } from "./settle-invoice.ts";
import type { Work } from "./work.ts";

/** `POST /invoices/{id}/void`: nobody has to pay it any more; access stays (rule S5). @throws AppError 404, 409, 412 */
export async function voidByHand(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  params: VoidInvoiceParams,
  match?: Match<Invoice>,
): Promise<Bill> {
  const commitVoid = () =>
    origin.transaction(ctx, async (tx) => {
      const work = await workOnOpenInvoice(ctx, tx, origin.organizationId, id, match);
      requireNoChallenge(work);
      const bill = await voidInvoice(work, work.bill, work.now, params.reason);
      await recoverIfPaid(work, await forgetPaidRate(work, work.subscription, bill.invoice), work.now);
      return bill;
    });
  return withoutChallenge(ctx, commitVoid);
}

/** A period in progress that nobody pays for was billed at nothing: leaving it early gives nothing back (rule P). */
async function forgetPaidRate(work: Work, subscription: Subscription, invoice: Invoice): Promise<Subscription> {
  if (invoice.periodNumber !== subscription.periodNumber) return subscription;
  return recordSubscription(work, { ...subscription, paidRate: 0 }, null, work.now);
}
