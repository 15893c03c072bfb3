import { ListPaymentsQuery } from "../../../resources/payment.ts";
import { ListSubscriptionsQuery } from "../../../resources/subscription.ts";
import { listPayments } from "../../../store/payments.ts";
import { listSubscriptions, type ReadSubscription } from "../../../store/subscriptions.ts";
import type { Sandbox } from "../world.ts";
import type { Buyer } from "./plan.ts";

/** The filter of a list for the newest row of a buyer. */
export const newest = ({ externalId }: Buyer) => ({ externalCustomerId: externalId, limit: "1" });

/** The newest Subscription of a buyer; null without one. */
export async function subscriptionOf({ ctx, organizationId }: Sandbox, buyer: Buyer): Promise<ReadSubscription | null> {
  const query = ListSubscriptionsQuery.parse(newest(buyer));
  return (await listSubscriptions(ctx.db.read, organizationId, query))[0] ?? null;
}

/** The newest payment that a buyer has made; null without one. */
export async function paymentOf({ ctx, organizationId }: Sandbox, buyer: Buyer) {
  const query = ListPaymentsQuery.parse({ ...newest(buyer), status: "succeeded" });
  return (await listPayments(ctx.db.read, organizationId, query))[0] ?? null;
}
