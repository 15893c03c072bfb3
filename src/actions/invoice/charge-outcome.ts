import type { Context } from "../../context.ts";
import type { Bill } from "../../domain/invoice/bills.ts";
import { AppError } from "../../errors.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { payments } from "../../store/payments.ts";
import { handRefusal, outcomeUnknown } from "../payment/refusal.ts";

/**
 * The invoice that a charge by hand has paid.
 * @throws AppError 402 if the charge did not pay, 503 while its outcome is unknown
 */
export async function chargeOutcome(ctx: Context, organizationId: string, paymentId: string): Promise<Bill> {
  const { read } = ctx.db;
  const payment = await payments.find(read, organizationId, paymentId);
  if (!payment || payment.status === "pending" || payment.status === "unknown") throw outcomeUnknown();
  if (payment.status !== "succeeded") throw handRefusal(ctx, payment);
  const invoice = await invoices.find(read, organizationId, payment.sourceId);
  if (!invoice) throw new AppError("not_found");
  return { invoice, lines: await linesOf(read, organizationId, invoice.id) };
}
