import type { Context } from "../../context.ts";
import { refundInvoice as decideRefund } from "../../domain/refund/request.ts";
import type { Refund } from "../../domain/model/refund.ts";
import type { AskedRefund } from "../../domain/refund/draft.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin } from "../origin.ts";

/**
 * `POST /invoices/{id}/refunds` (rule I3). A refund to the balance is made at once. A refund to a card is recorded, and
 * the worker calls the provider later.
 * @throws Refusal 404, 409 `invoice_not_paid`, `payment_unknown`, `nothing_to_refund`, `credited`,
 * `change_in_progress`, 422
 */
export function refundInvoice(
  ctx: Context,
  { organizationId, transaction }: Origin<Refund>,
  id: string,
  asked: AskedRefund,
): Promise<Refund> {
  const key = { by: "invoice", organizationId, id } as const;
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, key, (billing) => decideRefund(billing, id, asked), { deleted: true }),
  );
}
