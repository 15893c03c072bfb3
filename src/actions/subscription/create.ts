import type { Context } from "../../context.ts";
import { requireSale } from "../../domain/model/checkout-sale.ts";
import { runDue } from "../../domain/collection/due.ts";
import { requirePeriod } from "../../domain/subscription/creation-request.ts";
import type { Agreed } from "../../domain/model/agreement.ts";
import { createAgreed, type CreationFigures } from "../../domain/subscription/agreed-creation.ts";
import type { CreateSubscriptionParams } from "../../resources/subscription.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { inNamed } from "../customer/find.ts";
import type { Origin } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";

/**
 * `POST /subscriptions`: makes a Subscription without a Checkout. `agreed`: as for `createAgreed`.
 * @throws Refusal 409 `already_subscribed`, `payment_provider_missing`, 412, 422
 */
export async function createSubscription(
  ctx: Context,
  { organizationId, transaction }: Origin<SubscriptionView>,
  params: CreateSubscriptionParams,
  agreed: Agreed<CreationFigures> | null = null,
): Promise<SubscriptionView> {
  return transaction(ctx, async (tx) => {
    const { organization } = await readOrganization(tx, organizationId);
    const sale = requireSale(await findNamedProduct(tx, organizationId, params), organization, params);
    requirePeriod(sale.product, params);
    const shown = await inNamed(ctx, tx, organizationId, params, (billing) => {
      runDue(billing);
      const subscription = createAgreed(billing, sale, params, agreed);
      return { subscription, externalCustomerId: billing.customer.externalId };
    });
    return shown!;
  });
}
