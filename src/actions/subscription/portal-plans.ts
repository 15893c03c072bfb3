import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { periodOf, priceIn, type Product } from "../../domain/model/product.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { portalOffers } from "../../domain/model/portal-settings.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { isId } from "../../ids.ts";
import { findBenefits } from "../../store/benefits.ts";
import { changes } from "../../store/changes.ts";
import { listOfGroups, products } from "../../store/products.ts";
import { checkoutUrl } from "../links.ts";

/** A Product to which a Customer may change in the portal, with its price in the Subscription's currency. */
export type Plan = { product: Product; amount: number; benefits: Benefit[] };

/** Whether the Product is of the Subscription's group, in which a Customer has one live Subscription (rule C4). */
const isOfGroup = ({ groupKey }: Subscription, product: Product): boolean =>
  groupKey !== null && product.groupKey === groupKey && periodOf(product) !== null;

function plansAmong(organization: Organization, subscription: Subscription, all: readonly Product[]) {
  return all.flatMap((product) => {
    const amount = priceIn(product, subscription.currency);
    const isOther = product.id !== subscription.productId && isOfGroup(subscription, product) && !product.archived;
    return isOther && amount !== null && portalOffers(organization, product.id) ? [{ product, amount }] : [];
  });
}

/** The other plans of a Subscription, with their Benefits (rule P11). */
export async function listPlans(ctx: Context, organization: Organization, subscription: Subscription): Promise<Plan[]> {
  const { groupKey } = subscription;
  if (groupKey === null) return [];
  const plans = plansAmong(organization, subscription, await listOfGroups(ctx.db.read, organization.id, [groupKey]));
  const ids = [...new Set(plans.flatMap(({ product }) => product.benefitIds))];
  const benefits = new Map((await findBenefits(ctx.db.read, organization.id, ids)).map((each) => [each.id, each]));
  return plans.map((plan) => ({
    ...plan,
    benefits: plan.product.benefitIds.flatMap((id) => benefits.get(id) ?? []),
  }));
}

/** The ids of those of a Customer's Subscriptions that have another plan to change to. */
export async function findChangeable(
  ctx: Context,
  organization: Organization,
  subscriptions: readonly Subscription[],
): Promise<Set<string>> {
  const groups = [...new Set(subscriptions.flatMap(({ groupKey }) => groupKey ?? []))];
  if (groups.length === 0) return new Set();
  const all = await listOfGroups(ctx.db.read, organization.id, groups);
  const changeable = subscriptions.filter((each) => plansAmong(organization, each, all).length > 0);
  return new Set(changeable.map(({ id }) => id));
}

/**
 * The Product of an address in the portal; null if a Customer can't change this Subscription to it there. A Product
 * that was archived, or that has lost its price, is found: the change is then refused in words.
 */
export async function findPlan(
  ctx: Context,
  organization: Organization,
  subscription: Subscription,
  productId: string,
): Promise<Product | null> {
  const product = isId("prd", productId) ? await products.find(ctx.db.read, organization.id, productId) : null;
  if (!product) return null;
  if (product.id === subscription.productId) return product;
  return isOfGroup(subscription, product) && portalOffers(organization, product.id) ? product : null;
}

/** The URL of the Checkout's page on which a change of the Subscription is being paid; null: there is none. */
export async function findUnderWay(ctx: Context, { organizationId, changeId }: Subscription): Promise<string | null> {
  const change = changeId === null ? null : await changes.find(ctx.db.read, organizationId, changeId);
  return change?.checkoutId ? checkoutUrl(ctx, { organizationId, id: change.checkoutId }) : null;
}
