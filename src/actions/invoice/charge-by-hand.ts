import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Bill } from "../../domain/invoice/bills.ts";
import { chargeByHand as decideCharge } from "../../domain/collection/by-hand.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { Refusal } from "../../domain/refusal.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { payments } from "../../store/payments.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { requireNoChallenge, withoutChallenge } from "../payment/challenge.ts";
import { notPaid, handRefusal, outcomeUnknown } from "../payment/refusal.ts";

/**
 * `POST /invoices/{id}/pay`: charges an open invoice at once, to the card that its retries would charge. The charge
 * does not count as one of the scheduled retries, and pays no other invoice (rule D3). `agreedCard`: as for the
 * decision.
 * @throws Refusal 402, 404, 409, 412, 503
 */
export async function chargeByHand(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  checkVersion?: VersionCheck<Invoice>,
  agreedCard: string | null = null,
): Promise<Bill> {
  const { organizationId, requestId, idempotency } = origin;
  const key = { by: "invoice", organizationId, id } as const;
  const request = idempotency && { requestId, idempotency };
  const decide = (billing: CustomerBilling) =>
    requireNoChallenge(decideCharge(billing, id, request, checkVersion, agreedCard));
  const attempt = () =>
    origin.begin<Payment>(ctx, async (tx) => {
      const charged = await inBilling(ctx, tx, key, decide, { deleted: true });
      if ("cardMissing" in charged) return { refusal: notPaid(ctx, charged.cardMissing, "payment_method_required") };
      return { pending: charged.attempt };
    });
  const begun = await withoutChallenge(ctx, attempt);
  if ("row" in begun) return begun.row;
  if ("refusal" in begun) throw begun.refusal;
  await sendPayment(ctx, organizationId, begun.pending.id);
  return chargeOutcome(ctx, organizationId, begun.pending.id);
}

/**
 * The invoice that a charge by hand has paid.
 * @throws Refusal 402 if the charge did not pay, 503 while its outcome is unknown
 */
async function chargeOutcome(ctx: Context, organizationId: string, paymentId: string): Promise<Bill> {
  const { read } = ctx.db;
  const payment = await payments.find(read, organizationId, paymentId);
  if (!payment || payment.status === "pending" || payment.status === "unknown") throw outcomeUnknown();
  if (payment.status !== "succeeded") throw handRefusal(ctx, payment);
  const invoice = await invoices.find(read, organizationId, payment.sourceId);
  if (!invoice) throw new Refusal("not_found");
  return { invoice, lines: await linesOf(read, organizationId, invoice.id) };
}
