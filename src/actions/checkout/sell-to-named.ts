import type { Context } from "../../context.ts";
import type { Account } from "../../domain/billing/customer-billing.ts";
import { findNamed } from "../../domain/catalogue/find-product.ts";
import { requireSale } from "../../domain/model/checkout-sale.ts";
import { partsOfSale, sellTo } from "../../domain/checkout/sell.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import type { Tx } from "../../store/driver/db.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { inNamed } from "../customer/find.ts";
import { checkoutView, type CheckoutView } from "../views.ts";

/**
 * Makes a Checkout for a new purchase by a Customer that the body names. The Product and the books, which have the
 * balance, are read together with the Account, in one trip to the database.
 */
export async function sellToNamed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  const { discountCode } = params;
  const discount = discountCode === null ? null : await findDiscountByCode(tx, organizationId, discountCode);
  const decide = (account: Account) => {
    const sale = requireSale(findNamed(account, params), account.organization, params);
    return checkoutView(account, sellTo(account, { sale, discount, wishes: params, usesBalance: true }));
  };
  // If both the Product can't be sold and the Customer is unknown, the answer is the refusal of the Product.
  const unknown = async () => {
    const { organization } = await readOrganization(tx, organizationId);
    requireSale(await findNamedProduct(tx, organizationId, params), organization, params);
  };
  return (await inNamed(ctx, tx, organizationId, params, decide, { parts: partsOfSale(params), unknown }))!;
}
