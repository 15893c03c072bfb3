import type { Context } from "../../context.ts";
import { createChangeCheckout } from "../../domain/change/change-page.ts";
import { isRefusal, Refusal } from "../../domain/refusal.ts";
import { claimedAtHand } from "../../domain/subscription/requested-subscription.ts";
import { isId } from "../../ids.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin } from "../origin.ts";
import { type CheckoutView, checkoutView } from "../views.ts";
import { sellToDescribed } from "./sell-to-described.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { findNamed } from "../../domain/catalogue/find-product.ts";
import { requireSale } from "../../domain/model/checkout-sale.ts";
import { partsOfSale, sellTo } from "../../domain/checkout/sell.ts";
import type { Tx } from "../../store/driver/db.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { inNamed } from "../customer/find.ts";

/**
 * Makes a Checkout for a new purchase by a Customer that the body names. The Product and the open items, which have the
 * balance, are read together with the billing, in one trip to the database.
 */
async function sellToNamed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  const { discountCode } = params;
  const discount = discountCode === null ? null : await findDiscountByCode(tx, organizationId, discountCode);
  const decide = (billing: CustomerBilling) => {
    const sale = requireSale(findNamed(billing, params), billing.organization, params);
    return checkoutView(billing, sellTo(billing, { sale, discount, options: params, usesBalance: true }));
  };
  // If both the Product can't be sold and the Customer is unknown, the answer is the refusal of the Product.
  const unknown = async () => {
    const { organization } = await readOrganization(tx, organizationId);
    requireSale(await findNamedProduct(tx, organizationId, params), organization, params);
  };
  return (await inNamed(ctx, tx, organizationId, params, decide, { parts: partsOfSale(params), unknown }))!;
}

/**
 * `POST /checkouts` with a `subscriptionId`: the Checkout changes that Subscription once the Checkout is paid
 * (rule C6). The request claims the Subscription (rule C12b).
 * @throws Refusal 409, 422
 */
async function createChange(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  const unknown = new Refusal("unknown_subscription", { field: "/subscriptionId" });
  const id = params.subscriptionId!;
  if (!isId("sub", id)) throw unknown;
  const named = { productId: params.productId ?? undefined, productKey: params.productKey ?? undefined };
  const decide = (billing: CustomerBilling) => {
    return checkoutView(billing, createChangeCheckout(billing, claimedAtHand(billing, id), { ...params, ...named }));
  };
  const key = { by: "subscription", organizationId, id } as const;
  return inBilling(ctx, tx, key, decide, { deleted: true }).catch((error: unknown) => {
    throw isRefusal(error, "not_found") ? unknown : error;
  });
}

/**
 * `POST /checkouts`: fixes Product and price now (rule C3a), and resolves or makes the Customer in the same
 * transaction.
 */
export async function createCheckout(
  ctx: Context,
  origin: Origin<CheckoutView>,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  return origin.transaction(ctx, (tx) => wayOf(params)(ctx, tx, origin.organizationId, params));
}

/** A Checkout changes a Subscription, sells to a Customer that the body names, or sells to another buyer. */
function wayOf({ subscriptionId, customerId, externalCustomerId, customer }: CreateCheckoutParams): typeof sellToNamed {
  if (subscriptionId !== null) return createChange;
  return customer === null && (customerId ?? externalCustomerId) !== null ? sellToNamed : sellToDescribed;
}
