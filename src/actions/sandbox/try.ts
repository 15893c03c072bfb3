import type { Context } from "../../context.ts";
import { defaultCurrency } from "../../domain/model/product.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { CreateCheckoutParams } from "../../resources/checkout.ts";
import { ListCustomersQuery } from "../../resources/customer.ts";
import { listCustomers } from "../../store/customers.ts";
import { createCheckout } from "../checkout/create.ts";
import { createCustomerPortalSession } from "../customer/portal-sessions.ts";
import { checkoutUrl } from "../links.ts";
import { ownOrigin } from "../origin.ts";
import { findProductToTry } from "./try-links.ts";

/** Makes a Checkout in a sandbox, and answers its URL; null without a Product for sale. */
export async function tryCheckout(ctx: Context, { id, defaultCurrency: usual }: Organization): Promise<string | null> {
  const product = await findProductToTry(ctx, id);
  if (product === null) return null;
  const currency = defaultCurrency(product, usual) ?? product.prices[0]!.currency;
  const params = CreateCheckoutParams.parse({ productId: product.id, currency });
  const { checkout } = await createCheckout(ctx, ownOrigin(id), params);
  return checkoutUrl(ctx, checkout);
}

/** Makes a link that signs a sandbox's newest Customer in to the portal; null without a Customer. */
export async function tryPortal(ctx: Context, { id }: Organization): Promise<string | null> {
  const [newest] = await listCustomers(ctx.db.read, id, ListCustomersQuery.parse({ limit: "1" }));
  return newest ? (await createCustomerPortalSession(ctx, ownOrigin(id), newest.id, null)).url : null;
}
