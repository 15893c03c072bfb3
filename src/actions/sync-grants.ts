import { randomBytes } from "node:crypto";
import {
  planGrants,
  type Benefit,
  type BenefitGrant,
  type GrantProperties,
  type GrantReason,
  type LicenseKeyProperties,
} from "../domain/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import { formatLicenseKey, LICENSE_KEY_BYTES } from "../domain/license.ts";
import type { Subscription } from "../domain/subscription.ts";
import { realNow } from "../clock.ts";
import { newId } from "../ids.ts";
import { presentManagedBenefitGrant } from "../resources/benefit-grant.ts";
import { grantsOf } from "../store/benefit-grants.ts";
import { benefits, benefitsToGrant } from "../store/benefits.ts";
import { holdProduct } from "../store/products.ts";
import { downloadUrl } from "./links.ts";
import { recordGrant } from "./record.ts";
import type { Work } from "./work.ts";

type Source = { subscriptionId: string; invoiceId: null } | { subscriptionId: null; invoiceId: string };

function grantProperties({ type, properties }: Benefit): GrantProperties {
  if (type !== "license_key") return {};
  return { key: formatLicenseKey((properties as LicenseKeyProperties).prefix, randomBytes(LICENSE_KEY_BYTES)) };
}

/**
 * Makes the grants of one source what it is entitled to (rule B1), in the transaction of whatever caused it: revocations first, then
 * what comes back (the same row), then what is new (rule B2). `keepOthers`: nothing is revoked (one-time purchases, rule B1).
 */
async function sync(
  work: Work,
  source: Source,
  entitled: readonly Benefit[],
  expiresAt: Instant | null,
  reason: GrantReason,
  at: Instant,
  keepOthers: boolean,
) {
  const { tx, organization, customer, ctx } = work;
  const grants = await grantsOf(tx, organization.id, customer.id, source.subscriptionId ?? source.invoiceId);
  const plan = planGrants(
    entitled.map((benefit) => benefit.id),
    grants,
  );
  const known = new Map(entitled.map((benefit) => [benefit.id, benefit]));
  const present = async (grant: BenefitGrant) => {
    const benefit = known.get(grant.benefitId) ?? (await benefits.find(tx, organization.id, grant.benefitId));
    if (!benefit) throw new Error(`grant ${grant.id} is of no benefit`);
    const link = (file: number) => downloadUrl(ctx, organization.id, grant.id, file, realNow());
    return presentManagedBenefitGrant(grant, benefit, { externalCustomerId: customer.externalId, expiresAt, downloadUrl: link });
  };
  const granted = { status: "active" as const, reason, grantedAt: at, revokedAt: null };
  for (const grant of keepOthers ? [] : plan.revoke) {
    await recordGrant(work, { ...grant, status: "revoked", reason, revokedAt: at }, "benefit_grant.revoked", at, present);
  }
  for (const grant of plan.restore) {
    const benefitVersion = known.get(grant.benefitId)!.version;
    await recordGrant(work, { ...grant, ...granted, benefitVersion }, "benefit_grant.granted", at, present);
  }
  for (const benefitId of plan.make) {
    const benefit = known.get(benefitId)!;
    const ids = { organizationId: organization.id, id: newId("bgr"), customerId: customer.id, benefitId, ...source };
    const common = { ...ids, benefitVersion: benefit.version };
    const properties = grantProperties(benefit);
    const counted = { activations: 0, version: 0, eventSequence: 0 };
    const grant: BenefitGrant = { ...common, ...granted, ...counted, properties, createdAt: at, updatedAt: at };
    await recordGrant(work, grant, "benefit_grant.granted", at, present);
  }
}

/** A live Subscription grants its Product's Benefits, in a trial too, but not once the grace has passed (rules B3, D4). */
export async function syncSubscriptionGrants(work: Work, subscription: Subscription, reason: GrantReason, at: Instant): Promise<void> {
  const entitled = subscription.status !== "canceled" && !subscription.grantsSuspended;
  const source = { subscriptionId: subscription.id, invoiceId: null };
  await sync(work, source, entitled ? await benefitsOf(work, subscription.productId) : [], subscription.accessEndsAt, reason, at, false);
}

/** A one-time purchase gains what is added to its Product later, and loses nothing (rule B1). */
export async function syncPurchaseGrants(
  work: Work,
  invoiceId: string,
  productId: string,
  reason: GrantReason,
  at: Instant,
): Promise<void> {
  await sync(work, { subscriptionId: null, invoiceId }, await benefitsOf(work, productId), null, reason, at, true);
}

/** A one-time purchase gives nothing any more. */
export async function revokePurchaseGrants(work: Work, invoiceId: string, reason: GrantReason, at: Instant): Promise<void> {
  await sync(work, { subscriptionId: null, invoiceId }, [], null, reason, at, false);
}

async function benefitsOf(work: Work, productId: string): Promise<Benefit[]> {
  // Held until this commits: an edit of the Product's benefits comes after, and then goes through this source too.
  const product = await holdProduct(work.tx, work.organization.id, productId, work.customer.id);
  return benefitsToGrant(work.tx, work.organization.id, product?.benefitIds ?? []);
}
