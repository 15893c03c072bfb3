import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordGrant } from "../billing/record.ts";
import {
  planGrants,
  type Benefit,
  type BenefitGrant,
  type GrantProperties,
  type GrantReason,
  type LicenseKeyProperties,
} from "../model/benefit.ts";
import type { Instant } from "../calendar.ts";
import { formatLicenseKey, LICENSE_KEY_BYTES } from "../model/license-key.ts";
import type { Subscription } from "../model/subscription.ts";
import { newId } from "../../ids.ts";

type Source = { subscriptionId: string; invoiceId: null } | { subscriptionId: null; invoiceId: string };

/** The Benefits of a source, and the quantity that it was sold in (rule B5). */
type Entitlement = { benefits: readonly Benefit[]; quantity: number };

/** The reason and the instant of a change of grants, and the end of the access that the grants give. */
type Cause = { reason: GrantReason; at: Instant; expiresAt: Instant | null };

/**
 * Brings the grants of one source in line with its entitlements (rule B1), in the transaction of the change that caused
 * the difference. Revocations come first, then grants with another quantity (rule B5), then grants that come back (the
 * same row), then new grants (rule B2).
 * `retainOthers`: no grant is revoked (one-time purchases, rule B1).
 */
function sync(
  billing: CustomerBilling,
  source: Source,
  { benefits, quantity }: Entitlement,
  cause: Cause,
  retainOthers: boolean,
): void {
  const { reason, at, expiresAt } = cause;
  const plan = planGrants(
    benefits.map((benefit) => benefit.id),
    grantsOf(billing, source),
    quantity,
  );
  const granted = { status: "active" as const, quantity, reason, grantedAt: at, revokedAt: null };
  for (const grant of retainOthers ? [] : plan.revoke) {
    const shown = { benefit: benefitOf(billing, grant), expiresAt };
    recordGrant(billing, { ...grant, status: "revoked", reason, revokedAt: at }, "benefit_grant.revoked", at, shown);
  }
  for (const grant of plan.adjust) {
    const benefit = benefitOf(billing, grant);
    const adjusted = { ...grant, quantity, benefitVersion: benefit.version };
    recordGrant(billing, adjusted, "benefit_grant.updated", at, { benefit, expiresAt });
  }
  for (const grant of plan.restore) {
    const benefit = benefitOf(billing, grant);
    const back = { ...grant, ...granted, benefitVersion: benefit.version };
    recordGrant(billing, back, "benefit_grant.granted", at, { benefit, expiresAt });
  }
  const known = new Map(benefits.map((benefit) => [benefit.id, benefit]));
  for (const benefitId of plan.make) {
    const benefit = known.get(benefitId)!;
    recordGrant(billing, { ...newGrant(billing, source, benefit, at), ...granted }, "benefit_grant.granted", at, {
      benefit,
      expiresAt,
    });
  }
}

type Unstated = "status" | "quantity" | "reason" | "grantedAt" | "revokedAt";

function newGrant(
  billing: Pick<CustomerBilling, "customer" | "loaded" | "organization">,
  source: Source,
  benefit: Benefit,
  at: Instant,
): Omit<BenefitGrant, Unstated> {
  return {
    organizationId: billing.organization.id,
    id: newId("bgr"),
    customerId: billing.customer.id,
    benefitId: benefit.id,
    ...source,
    benefitVersion: benefit.version,
    properties: grantProperties(billing, benefit),
    activations: 0,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
}

function grantProperties(billing: Pick<CustomerBilling, "loaded">, { type, properties }: Benefit): GrantProperties {
  if (type !== "license_key") return {};
  return {
    key: formatLicenseKey((properties as LicenseKeyProperties).prefix, billing.loaded.entropy(LICENSE_KEY_BYTES)),
  };
}

/** Every grant of a source, active or revoked. */
function grantsOf(billing: Pick<CustomerBilling, "grants">, { subscriptionId, invoiceId }: Source): BenefitGrant[] {
  return billing.grants.where((grant) => grant.subscriptionId === subscriptionId && grant.invoiceId === invoiceId);
}

function benefitOf(billing: Pick<CustomerBilling, "benefits">, { id, benefitId }: BenefitGrant): Benefit {
  const benefit = billing.benefits.get(benefitId);
  if (!benefit) throw new Error(`the benefit of grant ${id} was not loaded`);
  return benefit;
}

/** Another Product or another quantity concerns the grants of a Subscription (rules B2, B5). */
export const isSoldOtherwise = (
  next: Pick<Subscription, "productId" | "quantity">,
  before: Pick<Subscription, "productId" | "quantity">,
): boolean => next.productId !== before.productId || next.quantity !== before.quantity;

/** A live Subscription grants its Product's Benefits, even in a trial, until the grace has passed (rules B3, D4). */
export function syncSubscriptionGrants(
  billing: CustomerBilling,
  subscription: Subscription,
  reason: GrantReason,
  at: Instant,
): void {
  const { id: subscriptionId, productId, quantity, accessEndsAt: expiresAt } = subscription;
  const isEntitled = subscription.status !== "canceled" && !subscription.grantsSuspended;
  needGrants(billing, subscriptionId, billing.subscriptions.isNew(subscriptionId), isEntitled ? productId : null);
  const benefits = isEntitled ? benefitsOf(billing, productId) : [];
  sync(billing, { subscriptionId, invoiceId: null }, { benefits, quantity }, { reason, at, expiresAt }, false);
}

/** A one-time purchase: the Product of its invoice, and the quantity. */
export type Purchase = { invoiceId: string; productId: string; quantity: number };

/** A one-time purchase gains each Benefit that is added to its Product later, and loses no grant (rule B1). */
export function syncPurchaseGrants(
  billing: CustomerBilling,
  { invoiceId, productId, quantity }: Purchase,
  reason: GrantReason,
  at: Instant,
): void {
  needGrants(billing, invoiceId, billing.invoices.isNew(invoiceId), productId);
  const entitled = { benefits: benefitsOf(billing, productId), quantity };
  sync(billing, { subscriptionId: null, invoiceId }, entitled, { reason, at, expiresAt: null }, true);
}

/** Revokes every grant of a one-time purchase. */
export function revokePurchaseGrants(
  billing: CustomerBilling,
  invoiceId: string,
  reason: GrantReason,
  at: Instant,
): void {
  needGrants(billing, invoiceId, billing.invoices.isNew(invoiceId), null);
  const none = { benefits: [], quantity: 1 };
  sync(billing, { subscriptionId: null, invoiceId }, none, { reason, at, expiresAt: null }, false);
}

/** A source that was made in this transaction has no stored grants to load. */
function needGrants(
  billing: Pick<CustomerBilling, "need">,
  sourceId: string,
  isNewSource: boolean,
  productId: string | null,
): void {
  if (!isNewSource && productId !== null)
    billing.need({ part: "grants", sourceId }, { part: "product_benefits", productId });
  else if (productId !== null) billing.need({ part: "product_benefits", productId });
  else if (!isNewSource) billing.need({ part: "grants", sourceId });
}

/**
 * The Benefits that a Product grants, in the Product's order. The Product stays locked against edits until the commit.
 */
function benefitsOf(billing: Pick<CustomerBilling, "benefits" | "products">, productId: string): Benefit[] {
  const ids = billing.products.get(productId)?.benefitIds ?? [];
  const benefits = ids.map((id) => billing.benefits.get(id)).filter((benefit) => benefit !== null);
  return benefits.filter(({ deletedAt }) => deletedAt === null);
}
