import type { Context } from "../context.ts";
import { formatInstant } from "../domain/calendar.ts";
import type { ChangePreviewResource } from "../resources/change-preview.ts";
import { presentLineDraft } from "../resources/invoice.ts";
import type { CancelSubscriptionParams } from "../resources/subscription.ts";
import { balanceIn } from "../store/balances.ts";
import type { Answer, Call } from "./answer.ts";
import { carryOutCancelNow } from "./cancel-now.ts";
import { previewOnSubscription } from "./preview-change.ts";
import type { SubscriptionWork } from "./subscription-work.ts";

/** The effect of `cancel-now`: the Subscription is ended in a dry run (rule P8). @throws AppError 404, 409 */
export async function previewCancelNow(ctx: Context, call: Call, id: string, params: CancelSubscriptionParams): Promise<Answer> {
  return previewOnSubscription(ctx, call, id, (work) => previewEnd(work, params));
}

/** `balanceChange` includes what open invoices that become void give back. */
async function previewEnd(work: SubscriptionWork, params: CancelSubscriptionParams): Promise<ChangePreviewResource> {
  const { tx, organization, customer, subscription } = work;
  const balance = () => balanceIn(tx, organization.id, customer.id, subscription.currency);
  const before = await balance();
  const bill = await carryOutCancelNow(work, params);
  return {
    lines: bill?.lines.map(presentLineDraft) ?? [],
    chargeAmount: bill?.invoice.status === "open" ? bill.invoice.amountDue : 0,
    balanceChange: (await balance()) - before,
    effectiveAt: formatInstant(work.now),
    nextInvoice: null,
  };
}
