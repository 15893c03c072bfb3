import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { payWithDefault } from "../../domain/card/given-card.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { disownSubscription } from "../../domain/subscription/disown.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { inBilling } from "../customer-billing.ts";

type Key = Pick<Subscription, "organizationId" | "id">;

const decideOn = <T>(
  ctx: Context,
  { organizationId, id }: Key,
  decide: (billing: CustomerBilling, subscription: Subscription) => T,
): Promise<T> =>
  ctx.db.tx((tx) =>
    inBilling(ctx, tx, { by: "subscription", organizationId, id }, (billing) =>
      decide(billing, subscriptionAtHand(billing, id)),
    ),
  );

/**
 * Charges a Subscription to the Customer's default card from now on (rule C12e). `cardId`: the card that the Customer
 * has seen. `asksFor`: the price change of a new period that the Customer has seen. Returns false if another card is
 * the default card by now, or another price is that of the new period.
 * @throws Refusal 404, 409
 */
export const useDefaultCard = (
  ctx: Context,
  key: Key,
  { cardId, asksFor }: { cardId: string; asksFor: string | null },
): Promise<boolean> =>
  decideOn(ctx, key, (billing, subscription) => payWithDefault(billing, subscription, cardId, asksFor));

/**
 * Ends a Subscription that the Customer does not recognize (rule C13). Returns false for a claimed Subscription.
 * @throws Refusal 404, 409
 */
export const disown = (ctx: Context, key: Key): Promise<boolean> => decideOn(ctx, key, disownSubscription);
