import type { Context } from "../context.ts";
import type { Invoice } from "../domain/invoice.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { cardOf, collectByHand } from "./collect-invoice.ts";
import { requireNoChallenge, withoutChallenge, workOnOpenInvoice } from "./invoice-work.ts";
import type { Bill } from "./issue-invoice.ts";
import type { Match, Origin } from "./origin.ts";
import { manualOutcome, notPaid } from "./settle-manual.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { providerOf } from "./work.ts";

/**
 * `POST /invoices/{id}/pay`: charges an open invoice at once, on the card its retries go to. It does not use up their schedule, and pays
 * no other invoice (rule D3). @throws AppError 402, 404, 409, 412, 503
 */
export async function chargeByHand(ctx: Context, origin: Origin<Bill>, id: string, match?: Match<Invoice>): Promise<Bill> {
  const attempt = () =>
    origin.begin<Payment>(ctx, async (tx) => {
      const work = await workOnOpenInvoice(ctx, tx, origin.organizationId, id, match);
      if (!providerOf(ctx, work.organization)) throw new AppError("payment_provider_missing");
      const method = await cardOf(work, work.subscription);
      if (!method) return { refusal: notPaid(ctx, work.bill.invoice, "payment_method_required") };
      requireNoChallenge(work);
      return { pending: await collectByHand(work, work.bill.invoice, method, requestOf(origin)) };
    });
  const begun = await withoutChallenge(ctx, attempt);
  if ("row" in begun) return begun.row;
  if ("refusal" in begun) throw begun.refusal;
  await carryOutPayment(ctx, origin.organizationId, begun.pending.id);
  return manualOutcome(ctx, origin.organizationId, begun.pending.id);
}

function requestOf({ requestId, idempotency }: Pick<Origin<Bill>, "requestId" | "idempotency">): Payment["request"] {
  return idempotency && { requestId, idempotency };
}
