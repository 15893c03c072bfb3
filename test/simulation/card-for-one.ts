import { inBilling } from "../../src/actions/customer-billing.ts";
import { settleCustomer } from "../../src/actions/payment/settle-customer.ts";
import type { Context } from "../../src/context.ts";
import { liveSubscriptions } from "../../src/domain/billing/customer-billing.ts";
import { runDue } from "../../src/domain/collection/due.ts";
import { payOneWith } from "../../src/domain/card/given-card.ts";
import { recordMethod } from "../../src/domain/collection/new-card.ts";
import type { GivenCard } from "../../src/domain/model/payment-outcome.ts";

type Owner = { organizationId: string; id: string };

/** Keeps a card that the Customer gave in the portal for one Subscription alone (rule C12e). */
export async function keepForOne(ctx: Context, owner: Owner, subscriptionId: string, card: GivenCard): Promise<void> {
  await ctx.db.tx((tx) =>
    inBilling(ctx, tx, owner, (billing) => {
      const { id } = recordMethod(billing, card);
      runDue(billing);
      const one = liveSubscriptions(billing).find((each) => each.id === subscriptionId);
      if (one) payOneWith(billing, one, id);
    }),
  );
  await settleCustomer(ctx, owner.organizationId, owner.id);
}
