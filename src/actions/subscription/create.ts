import type { Context } from "../../context.ts";
import { requireSale } from "../../domain/checkout/sale.ts";
import { runDue } from "../../domain/due.ts";
import { requirePeriod } from "../../domain/subscription/asked.ts";
import { createSubscription as decideCreation } from "../../domain/subscription/create.ts";
import { firstDue, previewCreation, type CreationPreview } from "../../domain/subscription/preview-creation.ts";
import { AppError } from "../../errors.ts";
import type { CreateSubscriptionParams } from "../../resources/subscription.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { readAccount } from "../account.ts";
import { inNamed } from "../customer/find.ts";
import type { Origin } from "../origin.ts";
import type { ShownSubscription } from "../shown.ts";

/**
 * `POST /subscriptions`: makes a Subscription without a Checkout. `agreedDue`: a person agreed to this amount due now,
 * and another amount is 412.
 * @throws AppError 409 `already_subscribed`, `payment_provider_missing`, 412, 422
 */
export async function createSubscription(
  ctx: Context,
  { organizationId, transaction }: Origin<ShownSubscription>,
  params: CreateSubscriptionParams,
  agreedDue: number | null = null,
): Promise<ShownSubscription> {
  return transaction(ctx, async (tx) => {
    const { organization } = await readOrganization(tx, organizationId);
    const sale = requireSale(await findNamedProduct(tx, organizationId, params), organization, params);
    requirePeriod(sale.product, params);
    const shown = await inNamed(ctx, tx, organizationId, params, (account) => {
      runDue(account);
      const subscription = decideCreation(account, sale, params);
      if (agreedDue !== null && firstDue(account, subscription) !== agreedDue)
        throw new AppError("precondition_failed");
      return { subscription, externalCustomerId: account.customer.externalId };
    });
    return shown!;
  });
}

/**
 * The effect of `createSubscription` for a Customer that the params name by id, by the same decision (rule P8).
 * @throws AppError as `createSubscription` does
 */
export async function previewSubscription(
  ctx: Context,
  organizationId: string,
  params: CreateSubscriptionParams & { customerId: string },
): Promise<CreationPreview> {
  const { read } = ctx.db;
  const { organization } = await readOrganization(read, organizationId);
  const sale = requireSale(await findNamedProduct(read, organizationId, params), organization, params);
  requirePeriod(sale.product, params);
  return readAccount(ctx, { organizationId, id: params.customerId }, (account) => {
    runDue(account);
    return previewCreation(account, sale, params);
  });
}
