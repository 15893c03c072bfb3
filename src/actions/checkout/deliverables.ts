import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { showsOnlyTyped, type TypedData } from "../../domain/checkout/typed-data.ts";
import { isGranted } from "../../domain/model/license-key.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import { presentBenefitGrant, type BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { listGrants, type ReadGrant } from "../../store/benefit-grants.ts";
import type { ReadCheckout } from "../../store/checkouts.ts";
import { invoices } from "../../store/invoices.ts";
import { downloadUrl } from "../links.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { subscriptions } from "../../store/subscriptions.ts";

/** Whether each Benefit of the Product belongs to the purchase, now or soon (rule B1). */
async function isEntitled(ctx: Context, checkout: Checkout, grants: readonly ReadGrant[]): Promise<boolean> {
  const { organizationId, subscriptionId, productId } = checkout;
  if (subscriptionId === null) return grants.every(({ status }) => status === "active");
  const subscription = await subscriptions.find(ctx.db.read, organizationId, subscriptionId);
  if (!subscription || subscription.status === "canceled") return false;
  return !subscription.grantsSuspended && subscription.productId === productId;
}

/**
 * The Benefits of the Product that the purchase is still to get, for example after an edit of the Product. `grants`:
 * all grants of the purchase, active or revoked (rule C9e).
 */
async function awaitedBenefits(
  ctx: Context,
  checkout: Checkout,
  benefits: readonly Benefit[],
  grants: readonly ReadGrant[],
): Promise<Benefit[]> {
  const made = new Set(grants.map(({ benefitId }) => benefitId));
  const missing = benefits.filter(({ id }) => !made.has(id));
  return missing.length > 0 && (await isEntitled(ctx, checkout, grants)) ? missing : [];
}

/** The deliverables of one purchase (rule C9a). */
export type Deliverables = {
  grants: BenefitGrantResource[];
  /** The Benefits of the Product that are still to be granted. */
  awaited: Benefit[];
  /** Null if there is no invoice, or if the invoice shows data of the Customer that the buyer did not give. */
  invoice: Invoice | null;
};

/** A Product has fewer Benefits than this. */
const MOST_GRANTS = 100;

/** All grants of the Subscription or the one-time purchase, active or revoked. */
async function readGrants(ctx: Context, checkout: ReadCheckout): Promise<ReadGrant[]> {
  const { organizationId, subscriptionId, invoiceId } = checkout;
  if (subscriptionId === null && invoiceId === null) return [];
  const source = subscriptionId === null ? { invoiceId: invoiceId! } : { subscriptionId };
  return listGrants(ctx.db.read, organizationId, { ...source, customerId: checkout.customerId!, limit: MOST_GRANTS });
}

/**
 * Reads the deliverables of a completed Checkout. `benefits`: those of the Product, in their order. `typed`: the data
 * that the buyer typed; null: the buyer is the Customer.
 */
export async function readDeliverables(
  ctx: Context,
  checkout: ReadCheckout,
  benefits: readonly Benefit[],
  typed: TypedData | null,
): Promise<Deliverables> {
  const { organizationId, invoiceId, now } = checkout;
  const [rows, invoice] = await Promise.all([
    readGrants(ctx, checkout),
    invoiceId === null ? null : invoices.find(ctx.db.read, organizationId, invoiceId),
  ]);
  const indexOf = ({ benefitId }: ReadGrant) => benefits.findIndex(({ id }) => id === benefitId);
  const granted = rows.filter((grant) => isGranted(grant, grant.expiresAt, now));
  const grants = granted
    .sort((one, other) => indexOf(one) - indexOf(other))
    .map((grant) => {
      const link = (file: number) => downloadUrl(ctx, organizationId, grant.id, file, realNow());
      return presentBenefitGrant(grant, grant.benefit, { ...grant, downloadUrl: link });
    });
  const awaited = await awaitedBenefits(ctx, checkout, benefits, rows);
  return { grants, awaited, invoice: invoice && (!typed || showsOnlyTyped(invoice, typed)) ? invoice : null };
}
