import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Bill } from "../../domain/invoice/bills.ts";
import * as byHand from "../../domain/invoice/by-hand.ts";
import type { Invoice } from "../../domain/invoice/invoice.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { AppError } from "../../errors.ts";
import type { MarkInvoicePaidParams, VoidInvoiceParams } from "../../resources/invoice.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { payments } from "../../store/payments.ts";
import { inAccount } from "../account.ts";
import type { Match, Origin } from "../origin.ts";
import { handRefusal, notPaid, outcomeUnknown } from "../payment/refusal.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { requireNoChallenge, withoutChallenge } from "../payment/challenge.ts";

type Settled = (account: Account, id: string) => { bill: Bill } | { challenge: Payment };

/** Carries out a decision that settles an open invoice without a charge. */
async function settle(ctx: Context, { organizationId, transaction }: Origin<Bill>, id: string, decide: Settled): Promise<Bill> {
  const key = { by: "invoice", organizationId, id } as const;
  const decideAlone = (account: Account) => requireNoChallenge(decide(account, id)).bill;
  return withoutChallenge(ctx, () => transaction(ctx, (tx) => inAccount(ctx, tx, key, decideAlone, { deleted: true })));
}

/** `POST /invoices/{id}/mark-paid`: it was paid without a payment provider, by a bank transfer say. @throws AppError 404, 409, 412 */
export function markPaid(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  params: MarkInvoicePaidParams,
  match?: Match<Invoice>,
): Promise<Bill> {
  return settle(ctx, origin, id, (account) => byHand.markPaid(account, id, params, match));
}

/** `POST /invoices/{id}/void`: it is not to be paid any more; access stays (rule S5). @throws AppError 404, 409, 412 */
export function voidByHand(
  ctx: Context,
  origin: Origin<Bill>,
  id: string,
  params: VoidInvoiceParams,
  match?: Match<Invoice>,
): Promise<Bill> {
  return settle(ctx, origin, id, (account) => byHand.voidByHand(account, id, params, match));
}

/**
 * `POST /invoices/{id}/pay`: charges an open invoice at once, on the card its retries go to. It does not use up their schedule, and pays
 * no other invoice (rule D3). @throws AppError 402, 404, 409, 412, 503
 */
export async function chargeByHand(ctx: Context, origin: Origin<Bill>, id: string, match?: Match<Invoice>): Promise<Bill> {
  const { organizationId, requestId, idempotency } = origin;
  const key = { by: "invoice", organizationId, id } as const;
  const request = idempotency && { requestId, idempotency };
  const decide = (account: Account) => requireNoChallenge(byHand.chargeByHand(account, id, request, match));
  const attempt = () =>
    origin.begin<Payment>(ctx, async (tx) => {
      const charged = await inAccount(ctx, tx, key, decide, { deleted: true });
      if ("cardMissing" in charged) return { refusal: notPaid(ctx, charged.cardMissing, "payment_method_required") };
      return { pending: charged.attempt };
    });
  const begun = await withoutChallenge(ctx, attempt);
  if ("row" in begun) return begun.row;
  if ("refusal" in begun) throw begun.refusal;
  await carryOutPayment(ctx, organizationId, begun.pending.id);
  return handOutcome(ctx, organizationId, begun.pending.id);
}

/** The invoice that a charge by hand has paid. @throws AppError 402 when it did not pay, 503 while that is not known */
async function handOutcome(ctx: Context, organizationId: string, paymentId: string): Promise<Bill> {
  const { read } = ctx.db;
  const payment = await payments.find(read, organizationId, paymentId);
  if (!payment || payment.status === "pending" || payment.status === "unknown") throw outcomeUnknown();
  if (payment.status !== "succeeded") throw handRefusal(ctx, payment);
  const invoice = await invoices.find(read, organizationId, payment.sourceId);
  if (!invoice) throw new AppError("not_found");
  return { invoice, lines: await linesOf(read, organizationId, invoice.id) };
}
