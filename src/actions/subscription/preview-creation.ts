import type { Context } from "../../context.ts";
import { requireSale } from "../../domain/model/checkout-sale.ts";
import { runDue } from "../../domain/collection/due.ts";
import { previewCreation, type CreationPreview } from "../../domain/subscription/agreed-creation.ts";
import { requirePeriod } from "../../domain/subscription/creation-request.ts";
import type { CreateSubscriptionParams } from "../../resources/subscription.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/**
 * The effect of `createSubscription` for a Customer that the params name by id, by the same decision (rule P8).
 * @throws Refusal as `createSubscription` does
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
  return readCustomerBilling(ctx, { organizationId, id: params.customerId }, (billing) => {
    runDue(billing);
    return previewCreation(billing, sale, params);
  });
}
