import { DisputePaymentParams } from "../../../resources/dispute.ts";
import { CreateRefundParams } from "../../../resources/refund.ts";
import { findProductByKey } from "../../../store/products.ts";
import { disputePayment } from "../../dispute/dispute.ts";
import { carryOutRefund } from "../../refund/carry-out.ts";
import { refundInvoice } from "../../refund/request.ts";
import { updateSubscription } from "../../subscription/change.ts";
import { setCard } from "../../sandbox/set-card.ts";
import type { Deed } from "./plan.ts";
import { own, paymentOf, subscriptionOf, type World } from "./buyer.ts";

type Of<Kind extends Deed["kind"]> = Extract<Deed, { kind: Kind }>;

export async function changePlan(world: World, { buyer, product }: Of<"change">): Promise<void> {
  const subscription = await subscriptionOf(world, buyer);
  const target = await findProductByKey(world.ctx.db.read, world.organizationId, product);
  // A repeated step finds the new Product, or the change that was scheduled.
  if (!subscription || !target || [subscription.productId, subscription.pendingChange?.productId].includes(target.id))
    return;
  await updateSubscription(world.ctx, own(world), subscription.id, { productId: target.id });
}

export async function cancel(world: World, { buyer, reason }: Of<"cancel">): Promise<void> {
  const subscription = await subscriptionOf(world, buyer);
  if (!subscription || subscription.cancelAtPeriodEnd) return;
  const params = { cancelAtPeriodEnd: true, cancellationReason: reason };
  await updateSubscription(world.ctx, own(world), subscription.id, params);
}

/** The buyer gives another card, which pays the open invoices at once. */
export async function giveNewCard(world: World, { buyer, card }: Of<"new_card">): Promise<void> {
  const customerId = (await subscriptionOf(world, buyer))?.customerId;
  if (customerId) await setCard(world.ctx, world.organizationId, customerId, { card });
}

export async function refund(world: World, { buyer, amount }: Of<"refund">): Promise<void> {
  const payment = await paymentOf(world, buyer);
  if (!payment?.invoiceId) return;
  const params = CreateRefundParams.parse({ amount, reason: "Bought by mistake", revokeGrants: true });
  const { id } = await refundInvoice(world.ctx, own(world), payment.invoiceId, params);
  await carryOutRefund(world.ctx, world.organizationId, id);
}

export async function dispute(world: World, { buyer }: Of<"dispute">): Promise<void> {
  const payment = await paymentOf(world, buyer);
  if (payment) await disputePayment(world.ctx, own(world), payment.id, DisputePaymentParams.parse({}));
}
