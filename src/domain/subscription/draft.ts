import type { Account } from "../billing/customer-billing.ts";
import type { Sale } from "../model/checkout-sale.ts";
import { taxOn } from "../invoice/order.ts";
import { cardOf } from "../payment/card.ts";
import { beginSubscription } from "../model/new-subscription.ts";
import type { Subscription } from "../model/subscription.ts";
import { billedOf } from "../tax/tax.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { firstPeriod, requireAmount, requirePeriod, type AskedSubscription } from "./creation-request.ts";
import { requireFreeGroup } from "../collection/group.ts";

/**
 * Drafts a Subscription without a Checkout.
 * @throws AppError 409 `already_subscribed`, `payment_provider_missing`, 422
 */
export function draftSubscription(account: Account, { product, price }: Sale, asked: AskedSubscription): Subscription {
  const { organization, customer, now } = account;
  const period = requirePeriod(product, asked);
  requireFreeGroup(account, product.groupKey);
  const amount = requireAmount(asked.amount ?? price.amount, price.currency);
  if (amount > 0 && !account.loaded.hasProvider) throw new AppError("payment_provider_missing");
  const tax = taxOn(account, null);
  return beginSubscription({
    organizationId: organization.id,
    id: newId("sub"),
    customerId: customer.id,
    productId: product.id,
    checkoutId: null,
    groupKey: product.groupKey,
    currency: price.currency,
    amount,
    periods: firstPeriod(account, asked, period),
    paidRate: asked.trialEnd === null ? billedOf(amount, tax) : 0,
    paidTax: asked.trialEnd === null ? tax : null,
    discount: null,
    claimed: true,
    cardMissing: cardOf(account, { paymentMethodId: null, claimed: true }) === null,
    paymentMethodId: null,
    billing: null,
    metadata: asked.metadata,
    startedAt: asked.startedAt ?? now,
    simulated: organization.clockAt !== null,
    createdAt: now,
  });
}
