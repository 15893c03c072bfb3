import type { Context } from "../../context.ts";
import type { Account } from "../../domain/billing/customer-billing.ts";
import { createChangeCheckout } from "../../domain/change/change-page.ts";
import { claimedAtHand } from "../../domain/subscription/requested-subscription.ts";
import { AppError, invalid } from "../../errors.ts";
import { isId } from "../../ids.ts";
import type { CreateCheckoutParams } from "../../resources/checkout.ts";
import type { Tx } from "../../store/driver/db.ts";
import { inBilling } from "../customer-billing.ts";
import { checkoutView, type CheckoutView } from "../views.ts";

/**
 * `POST /checkouts` with a `subscriptionId`: the Checkout changes that Subscription once the Checkout is paid (rule
 * C6). The request claims the Subscription (rule C12b).
 * @throws AppError 409, 422
 */
export async function createChange(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  params: CreateCheckoutParams,
): Promise<CheckoutView> {
  const unknown = invalid("/subscriptionId", "unknown_subscription", "No such Subscription exists.");
  const id = params.subscriptionId!;
  if (!isId("sub", id)) throw unknown;
  const named = { productId: params.productId ?? undefined, productKey: params.productKey ?? undefined };
  const decide = (account: Account) => {
    return checkoutView(account, createChangeCheckout(account, claimedAtHand(account, id), { ...params, ...named }));
  };
  const key = { by: "subscription", organizationId, id } as const;
  return inBilling(ctx, tx, key, decide, { deleted: true }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? unknown : error;
  });
}
