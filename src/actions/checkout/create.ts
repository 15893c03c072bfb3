import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import { findNamed, partNaming } from "../../domain/catalogue/find-product.ts";
import { draftCheckout } from "../../domain/checkout/create.ts";
import { requireSale } from "../../domain/checkout/sale.ts";
import { sellTo } from "../../domain/checkout/sell.ts";
import type { Discount } from "../../domain/discount/discount.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import type { Tx } from "../../store/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { findDescribed } from "../customer/create-customer.ts";
import { inNamed, inResolved } from "../customer/find.ts";
import type { Origin } from "../origin.ts";
import type { ShownCheckout } from "../shown.ts";
import { providerOf } from "../work.ts";
import { createChange } from "./create-change.ts";
import * as outside from "./record-checkout.ts";

/** `POST /checkouts`: Product and price are fixed now (rule C3), the Customer is resolved or made in the same transaction. */
export async function createCheckout(
  ctx: Context,
  origin: Origin<ShownCheckout>,
  params: CreateCheckoutParams,
): Promise<ShownCheckout> {
  return origin.transaction(ctx, (tx) => (params.subscriptionId === null ? sell : createChange)(ctx, tx, origin.organizationId, params));
}

/** Sells something new: to a Customer that the body names or describes, or to a buyer who is to say who they are. */
async function sell(ctx: Context, tx: Tx, organizationId: string, params: CreateCheckoutParams): Promise<ShownCheckout> {
  const { customerId, externalCustomerId, customer, discountCode } = params;
  const findDiscount = async () => (discountCode === null ? null : findDiscountByCode(tx, organizationId, discountCode));
  if (customer === null && (customerId ?? externalCustomerId) !== null) {
    return sellToNamed(ctx, tx, organizationId, params, await findDiscount());
  }
  const [place, product, discount, described] = await Promise.all([
    readOrganization(tx, organizationId),
    findNamedProduct(tx, organizationId, params),
    findDiscount(),
    customer && findDescribed(tx, organizationId, customer),
  ]);
  const { organization, now } = place;
  const offer = { sale: requireSale(product, organization, params), discount, wishes: params };
  if (customer && described) return inResolved(ctx, tx, place, customer, (account) => shown(account, sellTo(account, offer)), described);
  // Of a buyer who is not known yet there is no Account: their Checkout is written by itself.
  const drafted = draftCheckout({ organization, hasProvider: providerOf(ctx, organization) !== null, now }, offer, null);
  const checkout = await outside.recordCheckout({ ctx, tx, customer: null }, drafted, "checkout.created", now);
  return { checkout, externalCustomerId: null, now };
}

/** The Product comes with the Account, in one trip. */
async function sellToNamed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams,
  discount: Discount | null,
): Promise<ShownCheckout> {
  const decide = (account: Account) => {
    const sale = requireSale(findNamed(account, params), account.organization, params);
    return shown(account, sellTo(account, { sale, discount, wishes: params }));
  };
  // A Product that can't be sold is refused before a Customer who does not exist.
  const unknown = async () => {
    const { organization } = await readOrganization(tx, organizationId);
    requireSale(await findNamedProduct(tx, organizationId, params), organization, params);
  };
  return (await inNamed(ctx, tx, organizationId, params, decide, { parts: [partNaming(params)], unknown }))!;
}

const shown = ({ customer, now }: Account, checkout: ShownCheckout["checkout"]): ShownCheckout => ({
  checkout,
  externalCustomerId: customer.externalId,
  now,
});
