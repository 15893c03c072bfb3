import type { Context } from "../../context.ts";
import { consentToPrice as consent } from "../../domain/subscription/price-consent.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin } from "../origin.ts";

/**
 * The consent of a Customer to the new price of a round, by a click in the portal (rule N6). Returns false if this
 * price does not wait any more.
 * @throws Refusal 404, 409
 */
export function consentToPrice(
  ctx: Context,
  { organizationId, transaction }: Origin<boolean>,
  subscriptionId: string,
  priceChangeId: string,
): Promise<boolean> {
  const key = { by: "subscription", organizationId, id: subscriptionId } as const;
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, key, (billing) => consent(billing, subscriptionAtHand(billing, subscriptionId), priceChangeId)),
  );
}
