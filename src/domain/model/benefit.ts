import type { Instant } from "../calendar.ts";
import { MAX_AMOUNT } from "../money.ts";
import type { Metadata } from "./product.ts";
import { MOST_UNITS } from "./quantity.ts";

export type BenefitType = "feature" | "license_key" | "download" | "custom";
/**
 * The properties that the operator set up, by type. `size`: bytes. `path`: relative to the downloads directory.
 * `perUnit`: the number is that of one unit (rule B5); absent for a number that holds for any quantity.
 */
export type FeatureProperties = { feature: string; value: boolean | number | string; perUnit?: true };
export type LicenseKeyProperties = { prefix: string | null; activationLimit: number | null; perUnit?: true };
export type DownloadProperties = { files: { name: string; path: string; size: number }[] };
export type CustomProperties = { note: string | null };
export type BenefitProperties = FeatureProperties | LicenseKeyProperties | DownloadProperties | CustomProperties;

/** The largest value of a unit, so that the value of the most units is an amount as in rule M1 (rule B5). */
export const MOST_PER_UNIT = Math.floor(MAX_AMOUNT / MOST_UNITS);

/** The value of a feature for a quantity (rule B5). */
export const valueOf = ({ value, perUnit }: Omit<FeatureProperties, "feature">, quantity: number) =>
  perUnit && typeof value === "number" ? value * quantity : value;

/** The most devices of a license key for a quantity; null: no limit (rules B4, B5). */
export const activationLimitOf = (
  { activationLimit, perUnit }: Omit<LicenseKeyProperties, "prefix">,
  quantity: number,
): number | null => (activationLimit !== null && perUnit ? activationLimit * quantity : activationLimit);

/** Something that a Product grants: a feature, a license key, a download or a note (rule B4). */
export type Benefit = {
  organizationId: string;
  id: string;
  key: string | null;
  type: BenefitType;
  name: string;
  description: string | null;
  properties: BenefitProperties;
  metadata: Metadata;
  deletedAt: Instant | null;
  /**
   * `syncAt`: the instant, in real time, at which a worker is to report an edit on the grants. `syncCursor`: the last
   * Customer that the worker has done (rule B1).
   */
  syncAt: Instant | null;
  syncCursor: string | null;
  /** The last version that changed the data shown by grants. */
  shownVersion: number;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The data that a grant stores itself: only a license key. All other properties are read from the Benefit. */
export type GrantProperties = { key: string } | Record<string, never>;
export type GrantReason =
  | "purchased"
  | "trial_started"
  | "product_changed"
  | "benefits_edited"
  | "payment_recovered"
  | "subscription_paused"
  | "subscription_resumed"
  | "subscription_ended"
  | "payment_failed"
  | "refunded"
  | "customer_deleted";

/** A Benefit given to a Customer for one source: a Subscription or the invoice of a one-time purchase (rule B2). */
export type BenefitGrant = {
  organizationId: string;
  id: string;
  customerId: string;
  benefitId: string;
  /** The version of the Benefit that the grant's last event showed; 0: unknown. */
  benefitVersion: number;
  subscriptionId: string | null;
  invoiceId: string | null;
  /** The quantity of the Subscription or of the purchase; of a revoked grant, the last one (rule B5). */
  quantity: number;
  status: "active" | "revoked";
  properties: GrantProperties;
  /** The number of activations of a license key. Activations outlast a revocation (rule B4). */
  activations: number;
  reason: GrantReason;
  grantedAt: Instant;
  revokedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/**
 * Compares entitlements and grants (rule B1). An entitlement without an active grant makes a grant or restores one.
 * An active grant without an entitlement is revoked. An active grant with another quantity is adjusted (rule B5). All
 * other grants stay as they are.
 */
export function planGrants(entitled: readonly string[], grants: readonly BenefitGrant[], quantity: number) {
  const wanted = new Set(entitled);
  const held = new Map(grants.map((grant) => [grant.benefitId, grant]));
  return {
    revoke: grants.filter((grant) => grant.status === "active" && !wanted.has(grant.benefitId)),
    adjust: grants.filter(
      (grant) => grant.status === "active" && wanted.has(grant.benefitId) && grant.quantity !== quantity,
    ),
    restore: grants.filter((grant) => grant.status === "revoked" && wanted.has(grant.benefitId)),
    make: [...wanted].filter((benefitId) => !held.has(benefitId)),
  };
}
