import type { Context } from "../../context.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { AppError } from "../../errors.ts";
import { changes } from "../../store/changes.ts";
import { readSubscription } from "../../store/subscriptions.ts";
import { changeRefusal, outcomeUnknown } from "../payment/refusal.ts";
import type { SubscriptionView } from "../views.ts";

/**
 * The Subscription after a change that this payment paid for.
 * @throws AppError 402 if the change was dropped, 503 while the outcome of its charge is unknown
 */
export async function changeOutcome(ctx: Context, payment: Payment, subscriptionId: string): Promise<SubscriptionView> {
  if (payment.settledAt === null) throw outcomeUnknown();
  const { read } = ctx.db;
  const { organizationId, sourceId: id } = payment;
  const [change, shown] = await Promise.all([
    changes.find(read, organizationId, id),
    readSubscription(read, organizationId, subscriptionId),
  ]);
  if (change?.status === "dropped") throw changeRefusal(ctx, payment, change);
  if (!shown) throw new AppError("not_found");
  const { externalCustomerId, ...subscription } = shown;
  return { subscription, externalCustomerId };
}
