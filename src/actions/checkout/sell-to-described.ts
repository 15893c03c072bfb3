import type { Context } from "../../context.ts";
import { requireSale } from "../../domain/model/checkout-sale.ts";
import { sellTo } from "../../domain/checkout/sell.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import type { Tx } from "../../store/driver/db.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readOrganization, type OrganizationInTime } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { findDescribed } from "../customer/create-customer.ts";
import { inResolved, withFoundByEmail } from "../customer/find.ts";
import { checkoutView, type CheckoutView } from "../views.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { draftCheckout, type Offer } from "../../domain/checkout/create.ts";
import { settledWith } from "../../domain/checkout/settlement.ts";
import type { CheckoutOptions } from "../../domain/model/open-checkout.ts";
import { takesPayments } from "../../domain/model/organization.ts";
import { limitsFor } from "../load-context.ts";
import { recordCheckout } from "./record-checkout.ts";

/**
 * Makes a Checkout for an unknown buyer. Without a Customer there is no `CustomerBilling`, so the Checkout's row is
 * written directly.
 */
async function sellToUnknown(
  ctx: Context,
  tx: Tx,
  { organization, now }: OrganizationInTime,
  offer: Offer,
): Promise<CheckoutView> {
  const limits = limitsFor(ctx, organization, offer.sale.price.currency);
  const drafted = draftCheckout({ organization, hasProvider: takesPayments(organization), limits, now }, offer, null);
  const shown = (row: Checkout) => settledWith(row, 0, limits);
  const checkout = await recordCheckout({ ctx, tx }, drafted, "checkout.created", now, shown);
  return { checkout: shown(checkout), externalCustomerId: null, now };
}

/** Makes a Checkout for a new purchase by a Customer that the body describes, or by an unknown buyer. */
export async function sellToDescribed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams & Pick<CheckoutOptions, "paymentLinkId">,
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
  const offer = { sale: requireSale(product, inTime.organization, params), discount, options: params, usesBalance };
  if (!customer || !described) return sellToUnknown(ctx, tx, inTime, offer);
  const sold = inResolved(
    ctx,
    tx,
    inTime,
    customer,
    (billing) => checkoutView(billing, sellTo(billing, offer)),
    described,
  );
  return sold.catch((error: unknown) => {
    throw withFoundByEmail(error, described);
  });
}
