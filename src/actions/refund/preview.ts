import type { Context } from "../../context.ts";
import * as preview from "../../domain/refund/preview.ts";
import type { AskedRefund } from "../../domain/refund/draft.ts";
import type { PayOutBalanceParams } from "../../resources/refund.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/** The effect of a refund, computed by the decision that makes the refund. @throws Refusal as `refundInvoice` */
export function previewRefund(
  ctx: Context,
  organizationId: string,
  id: string,
  asked: AskedRefund,
): Promise<preview.RefundPreview> {
  const key = { by: "invoice", organizationId, id } as const;
  return readCustomerBilling(ctx, key, (billing) => preview.previewRefund(billing, id, asked), { deleted: true });
}

/** The effect of a payout, computed by the decision that makes the payout. @throws Refusal as `payOutBalance` */
export function previewPayout(
  ctx: Context,
  organizationId: string,
  id: string,
  params: PayOutBalanceParams,
): Promise<preview.PayoutPreview> {
  return readCustomerBilling(ctx, { organizationId, id }, (billing) => preview.previewPayout(billing, params));
}
