import { CreateCheckoutParams, PayCheckoutParams } from "../../resources/checkout.ts";
import { DisputePaymentParams } from "../../resources/dispute.ts";
import { CreateRefundParams } from "../../resources/refund.ts";
import { createCheckout } from "../checkout/create.ts";
import { disputePayment } from "../dispute/dispute.ts";
import { carryOutRefund } from "../refund/carry-out.ts";
import { refundInvoice } from "../refund/request.ts";
import { payCheckout } from "../sandbox/pay-checkout.ts";
import { updateSubscription } from "../subscription/change.ts";
import { own, type Sandbox } from "./world.ts";

// The operations of the company and of the recipes. Each one calls the action of a request, with the request's schema.

/** `expiresInMinutes`: also a time that is too short for a request. */
export async function openCheckout(sandbox: Sandbox, params: object, expiresInMinutes: number | null = null) {
  const checked = { ...CreateCheckoutParams.parse(params), expiresInMinutes };
  return (await createCheckout(sandbox.ctx, own(sandbox), checked)).checkout;
}

export const pay = ({ ctx, organizationId }: Sandbox, checkoutId: string, card: string) =>
  payCheckout(ctx, organizationId, checkoutId, PayCheckoutParams.parse({ card }));

export const changeSubscription = (sandbox: Sandbox, id: string, params: Parameters<typeof updateSubscription>[3]) =>
  updateSubscription(sandbox.ctx, own(sandbox), id, params);

/** Refunds an invoice at the provider, too. Returns the id of the refund. */
export async function refundAtOnce(sandbox: Sandbox, invoiceId: string, params: object): Promise<string> {
  const { ctx, organizationId } = sandbox;
  const { id } = await refundInvoice(ctx, own(sandbox), invoiceId, CreateRefundParams.parse(params));
  await carryOutRefund(ctx, organizationId, id);
  return id;
}

/** Returns the id of the dispute. */
export const openDispute = async (sandbox: Sandbox, paymentId: string, params: object) =>
  (await disputePayment(sandbox.ctx, own(sandbox), paymentId, DisputePaymentParams.parse(params))).id;
