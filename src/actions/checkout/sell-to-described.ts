import type { Context } from "../../context.ts";
import { requireSale } from "../../domain/model/checkout-sale.ts";
import { sellTo } from "../../domain/checkout/sell.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import type { Tx } from "../../store/driver/db.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { findDescribed, withFoundByEmail } from "../customer/create-customer.ts";
import { inResolved } from "../customer/find.ts";
import { checkoutView, type CheckoutView } from "../views.ts";
import { sellToUnknown } from "./sell-to-unknown.ts";

/** Makes a Checkout for a new purchase by a Customer that the body describes, or by an unknown buyer. */
export async function sellToDescribed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  const { customer, discountCode } = params;
  const [inTime, product, discount, described] = await Promise.all([
    readOrganization(tx, organizationId),
    findNamedProduct(tx, organizationId, params),
    discountCode === null ? null : findDiscountByCode(tx, organizationId, discountCode),
    customer && findDescribed(tx, organizationId, customer),
  ]);
  // An e-mail names no Customer that would want to pay with the balance (rule C7).
  const usesBalance = customer !== null && customer.externalId !== null;
  const offer = { sale: requireSale(product, inTime.organization, params), discount, wishes: params, usesBalance };
  if (!customer || !described) return sellToUnknown(ctx, tx, inTime, offer);
  const sold = inResolved(
    ctx,
    tx,
    inTime,
    customer,
    (account) => checkoutView(account, sellTo(account, offer)),
    described,
  );
  return sold.catch((error: unknown) => {
    throw withFoundByEmail(error, described);
  });
}
