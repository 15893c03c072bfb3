import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import { recordCheckout } from "../../domain/account/record.ts";
import { newCheckout } from "../../domain/checkout/create.ts";
import { requireSale } from "../../domain/checkout/sale.ts";
import { requireDiscount } from "../../domain/discount/code.ts";
import { runDue } from "../../domain/due.ts";
import { requireFreeGroup } from "../../domain/subscription/group.ts";
import { isTrialUsed } from "../../domain/subscription/used-trial.ts";
import { AppError } from "../../errors.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import type { Tx } from "../../store/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findNamedProduct } from "../../store/products.ts";
import { inNamed } from "../customer/find.ts";
import type { Origin } from "../origin.ts";
import type { ShownCheckout } from "../shown.ts";
import * as outside from "../record.ts";
import { providerOf } from "../work.ts";
import { createChange } from "./create-change.ts";

/** `POST /checkouts`: Product and price are fixed now (rule C3), the Customer is resolved or made in the same transaction. */
export async function createCheckout(
  ctx: Context,
  origin: Origin<ShownCheckout>,
  params: CreateCheckoutParams,
): Promise<ShownCheckout> {
  return origin.transaction(ctx, (tx) => (params.subscriptionId === null ? sell : createChange)(ctx, tx, origin.organizationId, params));
}

/** Sells something new. Of a buyer who is not known yet there is no Account: their Checkout is written by itself. */
async function sell(ctx: Context, tx: Tx, organizationId: string, params: CreateCheckoutParams): Promise<ShownCheckout> {
  const { discountCode } = params;
  const [{ organization, now: seen }, found, discount] = await Promise.all([
    readOrganization(tx, organizationId),
    findNamedProduct(tx, organizationId, params),
    discountCode === null ? null : findDiscountByCode(tx, organizationId, discountCode),
  ]);
  const sale = requireSale(found, organization, params);
  const draft = (account: Account | null) => {
    const now = account?.now ?? seen;
    const usedTrial = account !== null && isTrialUsed(account, sale.product.groupKey);
    const held = discountCode === null ? null : requireDiscount(discount, sale, organization.timeZone, now);
    const checkout = newCheckout(organization, { ...sale, discount: held, usedTrial }, params, account?.customer ?? null, now);
    if (checkout.amount > 0 && !providerOf(ctx, organization)) throw new AppError("payment_provider_missing");
    return checkout;
  };
  const named = await inNamed(ctx, tx, organizationId, params, seen, (account) => {
    runDue(account);
    requireFreeGroup(account, sale.product.groupKey);
    const checkout = recordCheckout(account, draft(account), "checkout.created", account.now);
    return { checkout, externalCustomerId: account.customer.externalId, now: account.now };
  });
  if (named) return named;
  const checkout = await outside.recordCheckout({ ctx, tx, customer: null }, draft(null), "checkout.created", seen);
  return { checkout, externalCustomerId: null, now: seen };
}
