import type { Context } from "../context.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { commit, type Answer, type Call } from "./answer.ts";
import { cardOf, collectByHand } from "./collect-invoice.ts";
import { requireNoChallenge, withoutChallenge, workOnOpenInvoice } from "./invoice-work.ts";
import { manualAnswer, notPaid } from "./settle-manual.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { refusalAnswer, type Match } from "./subscription-work.ts";
import { providerOf } from "./work.ts";

/**
 * `POST /invoices/{id}/pay`: charges an open invoice at once, on the card its retries go to. It does not use up their schedule, and pays
 * no other invoice (rule D3). @throws AppError 402, 404, 409, 412, 503
 */
export async function chargeByHand(ctx: Context, call: Call, id: string, match: Match): Promise<Answer> {
  const attempt = () =>
    commit<Payment>(ctx, call, async (tx) => {
      const work = await workOnOpenInvoice(ctx, tx, call.organizationId, id, match);
      if (!providerOf(ctx, work.organization)) throw new AppError("payment_provider_missing");
      const method = await cardOf(work, work.subscription);
      if (!method) return refusalAnswer(ctx, notPaid(ctx, work.bill.invoice, "payment_method_required"), call.requestId);
      requireNoChallenge(work);
      return { pending: await collectByHand(work, work.bill.invoice, method, requestOf(call)) };
    });
  const result = await withoutChallenge(ctx, attempt);
  if (!("pending" in result)) return result;
  await carryOutPayment(ctx, call.organizationId, result.pending.id);
  return manualAnswer(ctx, call, result.pending.id);
}

function requestOf({ requestId, idempotency }: Call): Payment["request"] {
  if (!idempotency) return null;
  const { organizationId, key, method, path } = idempotency;
  return { requestId, idempotency: { organizationId, key, method, path } };
}
