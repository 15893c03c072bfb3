import type { Context } from "../../context.ts";
import type { RefundFailureCode } from "../../domain/model/refund-failure.ts";
import type { Refund } from "../../domain/model/refund.ts";
import { Refusal } from "../../domain/refusal.ts";
import { refunds } from "../../store/refunds.ts";
import { reportSandboxRefund } from "./report-refund.ts";

/**
 * `POST /sandbox/refunds/{id}/fail`: a refund to a card fails, after its success or before Billow knows of the success.
 * The provider's book is written first, and then the failure is reported (rule I8).
 * @throws Refusal 404, 409 `refund_not_failable`
 */
export async function failAtProvider(
  ctx: Context,
  organizationId: string,
  id: string,
  { failureCode }: { failureCode: RefundFailureCode },
): Promise<Refund> {
  const refund = await refunds.find(ctx.db.read, organizationId, id);
  if (!refund) throw new Refusal("not_found");
  if (refund.to !== "card" || refund.status === "failed") throw new Refusal("refund_not_failable");
  const key = refund.origin === "provider" ? refund.providerRef! : id;
  const failed = await failRefund(ctx, organizationId, key, failureCode);
  if (!failed) throw new Refusal("refund_not_failable");
  return failed;
}

/** Null: the provider has not made this refund. */
async function failRefund(
  ctx: Context,
  organizationId: string,
  key: string,
  code: RefundFailureCode,
): Promise<Refund | null> {
  const failed = await ctx.payments.sandbox.failRefund(organizationId, key, code);
  if (!failed) return null;
  const { outside, ...refund } = failed;
  return reportSandboxRefund(ctx, organizationId, { ...refund, ref: key, key: outside ? null : key, status: "failed" });
}

/** Makes the refunds fail that went to cards whose refunds fail later. */
export async function failRefundsOfCards(ctx: Context, organizationId: string): Promise<void> {
  for (const key of await ctx.payments.sandbox.refundsToFail(organizationId))
    await failRefund(ctx, organizationId, key, "card_gone");
}
