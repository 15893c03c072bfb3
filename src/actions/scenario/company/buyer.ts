import type { Context } from "../../../context.ts";
import { ListCheckoutsQuery } from "../../../resources/checkout.ts";
import { ListPaymentsQuery } from "../../../resources/payment.ts";
import { ListSubscriptionsQuery } from "../../../resources/subscription.ts";
import { listCheckouts, type ReadCheckout } from "../../../store/checkouts.ts";
import { listPayments } from "../../../store/payments.ts";
import { listSubscriptions, type ReadSubscription } from "../../../store/subscriptions.ts";
import { ownOrigin, type Origin } from "../../origin.ts";
import type { Buyer } from "./plan.ts";

export type World = { ctx: Context; organizationId: string };

export const own = <Row>({ organizationId }: World): Origin<Row> => ownOrigin<Row>(organizationId);

const newest = ({ externalId }: Buyer) => ({ externalCustomerId: externalId, limit: "1" });

/** The newest Subscription of a buyer; null without one. */
export async function subscriptionOf({ ctx, organizationId }: World, buyer: Buyer): Promise<ReadSubscription | null> {
  const query = ListSubscriptionsQuery.parse(newest(buyer));
  return (await listSubscriptions(ctx.db.read, organizationId, query))[0] ?? null;
}

/** The newest Checkout of a buyer; null without one. */
export async function checkoutOf({ ctx, organizationId }: World, buyer: Buyer): Promise<ReadCheckout | null> {
  const query = ListCheckoutsQuery.parse(newest(buyer));
  return (await listCheckouts(ctx.db.read, organizationId, query))[0] ?? null;
}

/** The newest payment that a buyer has made; null without one. */
export async function paymentOf({ ctx, organizationId }: World, buyer: Buyer) {
  const query = ListPaymentsQuery.parse({ ...newest(buyer), status: "succeeded" });
  return (await listPayments(ctx.db.read, organizationId, query))[0] ?? null;
}
