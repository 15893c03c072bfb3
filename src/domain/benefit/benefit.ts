import type { Instant } from "../calendar.ts";
import type { Metadata } from "../catalogue/product.ts";

export type BenefitType = "feature" | "license_key" | "download" | "custom";
/** What the operator set up, by type. `size` in bytes; `path` is relative to the downloads directory. */
export type FeatureProperties = { feature: string; value: boolean | number | string };
export type LicenseKeyProperties = { prefix: string | null; activationLimit: number | null };
export type DownloadProperties = { files: { name: string; path: string; size: number }[] };
export type CustomProperties = { note: string | null };
export type BenefitProperties = FeatureProperties | LicenseKeyProperties | DownloadProperties | CustomProperties;

/** What a Product gives access to. */
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
  /** When grants are to tell of an edit, in real time, and the last Customer whose grants did (rule B1). */
  syncAt: Instant | null;
  syncCursor: string | null;
  /** The version that last changed what grants show. */
  shownVersion: number;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** What is stored with a grant: only what is the grant's own (the licence key); the rest is read from the Benefit. */
export type GrantProperties = { key: string } | Record<string, never>;
export type GrantReason =
  | "purchased"
  | "trial_started"
  | "product_changed"
  | "benefits_edited"
  | "payment_recovered"
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
  /** The version of the Benefit that it was last told with; 0: not known. */
  benefitVersion: number;
  subscriptionId: string | null;
  invoiceId: string | null;
  status: "active" | "revoked";
  properties: GrantProperties;
  /** How many uses of a license key there are; they outlast a revocation (rule B4). */
  activations: number;
  reason: GrantReason;
  grantedAt: Instant;
  revokedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Rule B1: entitled − granted is to be made (or comes back), granted − entitled is to be revoked; what is in both keeps its row. */
export function planGrants(entitled: readonly string[], grants: readonly BenefitGrant[]) {
  const wanted = new Set(entitled);
  const held = new Map(grants.map((grant) => [grant.benefitId, grant]));
  return {
    revoke: grants.filter((grant) => grant.status === "active" && !wanted.has(grant.benefitId)),
    restore: grants.filter((grant) => grant.status === "revoked" && wanted.has(grant.benefitId)),
    make: [...wanted].filter((benefitId) => !held.has(benefitId)),
  };
}
