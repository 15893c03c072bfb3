import { hash, randomBytes } from "node:crypto";
import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { disputable, disputedOf } from "../../domain/model/dispute.ts";
import { SANDBOX } from "../../domain/model/payment-outcome.ts";
import { isCharge } from "../../domain/model/payment.ts";
import type { Refund } from "../../domain/model/refund.ts";
import { Refusal } from "../../domain/refusal.ts";
import { payments } from "../../store/payments.ts";
import { readCustomerBilling } from "../customer-billing.ts";
import { reportSandboxRefund } from "./report-refund.ts";

/** The part of a charge that the provider can still refund: neither refunded to the card nor disputed. */
function refundableAt(billing: CustomerBilling, paymentId: string): number {
  billing.need({ part: "payment", id: paymentId }, { part: "refunds_of", paymentId });
  const of = <Row extends { paymentId: string | null }>(row: Row) => row.paymentId === paymentId;
  const left = disputable(billing.payments.get(paymentId)!, billing.refunds.where(of));
  return Math.max(left - disputedOf(billing.disputes.where(of)), 0);
}

/**
 * The provider's own id of a refund in its dashboard. One request makes one refund, however often the request is sent.
 */
const refOf = (request: string | null) =>
  `re_${request === null ? randomBytes(16).toString("hex") : hash("sha256", request).slice(0, 32)}`;

type Asked = { amount: number | null; request: string | null };

/**
 * `POST /sandbox/payments/{id}/refund`: makes a refund in the provider's dashboard, outside of Billow. The provider's
 * book is written first, and then the refund is reported (rule I9). `request`: the Idempotency-Key of the request.
 * @throws Refusal 404, 409 `payment_not_refundable` with the `available` amount
 */
export async function refundAtProvider(
  ctx: Context,
  organizationId: string,
  paymentId: string,
  { amount: asked, request }: Asked,
): Promise<Refund> {
  const { sandbox } = ctx.payments;
  const payment = await payments.find(ctx.db.read, organizationId, paymentId);
  if (!payment || !isCharge(payment) || payment.provider !== SANDBOX) throw new Refusal("not_found");
  const ref = refOf(request && `${paymentId} ${request}`);
  const key = { by: "payment", organizationId, id: paymentId } as const;
  const available = await readCustomerBilling(ctx, key, (billing) => refundableAt(billing, paymentId), {
    deleted: true,
  });
  const amount = asked ?? available;
  const refund =
    (await sandbox.outsideRefund(organizationId, ref)) ??
    (amount > 0 && amount <= available
      ? await sandbox.refundOutside({ organizationId, key: ref, chargeKey: payment.providerKey, amount })
      : null);
  if (!refund)
    throw new Refusal("payment_not_refundable", { available: { currency: payment.currency, amount: available } });
  return reportSandboxRefund(ctx, organizationId, {
    ...refund,
    ref,
    key: null,
    status: "succeeded",
    failureCode: null,
  });
}
