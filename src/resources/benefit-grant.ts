import * as z from "zod";
import {
  activationLimitOf,
  valueOf,
  type Benefit,
  type BenefitGrant,
  type BenefitProperties,
  type CustomProperties,
  type DownloadProperties,
  type FeatureProperties,
  type GrantReason,
  type LicenseKeyProperties,
} from "../domain/model/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import { BENEFIT_TYPES, customProperties, featureProperties, featureSetUp, licenseKeyProperties } from "./benefit.ts";
import { id, metadata, ONE_CUSTOMER, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";
import { quantity } from "./quantity.ts";

const REASONS = [
  "purchased",
  "trial_started",
  "product_changed",
  "benefits_edited",
  "payment_recovered",
  "subscription_paused",
  "subscription_resumed",
  "subscription_ended",
  "payment_failed",
  "refunded",
  "customer_deleted",
] as const satisfies readonly GrantReason[];

const downloadSetUp = z.object({ files: z.array(z.object({ name: z.string(), size: z.int() })) });
const licenseKey = z.object({ key: z.string(), activationLimit: z.int().nullable(), activations: z.int() });
const download = z.object({ files: z.array(z.object({ name: z.string(), size: z.int(), url: z.string() })) });

const GrantedBenefit = z
  .object({
    id: id("bft"),
    key: z.string().nullable(),
    type: z.enum(BENEFIT_TYPES),
    name: z.string(),
    description: z.string().nullable(),
    properties: z.union([featureSetUp, licenseKeyProperties, downloadSetUp, customProperties]),
    metadata,
  })
  .meta({ id: "GrantedBenefit" });
type GrantedBenefit = z.infer<typeof GrantedBenefit>;

export const BenefitGrantResource = z
  .object({
    id: id("bgr"),
    customerId: id("cus"),
    externalCustomerId: z.string().nullable(),
    benefitId: id("bft"),
    subscriptionId: id("sub").nullable().meta({
      description:
        "The Subscription that the grant belongs to. A grant of a one-time purchase has an `invoiceId` instead.",
    }),
    invoiceId: id("inv").nullable(),
    quantity: quantity.meta({ description: "The quantity of the Subscription or of the one-time purchase." }),
    benefit: GrantedBenefit,
    properties: z.union([licenseKey, download, featureProperties, customProperties]).meta({
      description:
        "The shape depends on `benefit.type`. A number of one unit (`benefit.properties.perUnit`) is multiplied by " +
        "the quantity.",
    }),
    grantedAt: timestamp,
    expiresAt: timestamp
      .nullable()
      .meta({ description: "The planned end of the access. Null while the access renews." }),
    createdAt: timestamp,
  })
  .meta({ id: "BenefitGrant" });
export type BenefitGrantResource = z.infer<typeof BenefitGrantResource>;

/** The end of an access that may be revoked. */
export const plannedEnd = timestamp
  .nullable()
  .meta({ description: "The planned end of the access. Null while the access renews, and after a revocation." });

export const ManagedBenefitGrantResource = z
  .object({
    ...BenefitGrantResource.shape,
    expiresAt: plannedEnd,
    status: z.enum(["active", "revoked"]),
    revokedAt: timestamp.nullable(),
    reason: z.enum(REASONS).meta({ description: "The reason for the status." }),
  })
  .meta({ id: "ManagedBenefitGrant" });
export type ManagedBenefitGrantResource = z.infer<typeof ManagedBenefitGrantResource>;

const filters = { benefitId: text(64).optional(), type: z.enum(BENEFIT_TYPES).optional() };

export const ListBenefitGrantsQuery = z
  .strictObject({
    customerId: text(64).optional(),
    externalCustomerId: text(255).optional(),
    ...filters,
    ...pageQuery("bgr"),
  })
  .refine((query) => (query.customerId === undefined) !== (query.externalCustomerId === undefined), ONE_CUSTOMER);
export type ListBenefitGrantsQuery = z.infer<typeof ListBenefitGrantsQuery>;

export const ListManagedBenefitGrantsQuery = z.strictObject({
  ...pageQuery("bgr"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  subscriptionId: text(64).optional(),
  invoiceId: text(64).optional(),
  ...filters,
  status: z.enum(["active", "revoked"]).optional(),
});
export type ListManagedBenefitGrantsQuery = z.infer<typeof ListManagedBenefitGrantsQuery>;

/** The fields of a Benefit that its grants show. */
export type GrantBenefit = Pick<Benefit, "id" | "key" | "type" | "name" | "description" | "properties" | "metadata">;

export type GrantDetails = {
  externalCustomerId: string | null;
  /** The Subscription's `accessEndsAt`; null for a one-time purchase. */
  expiresAt: Instant | null;
  /** The URL at which the Benefit's file of this index is downloaded. */
  downloadUrl: (fileIndex: number) => string;
};

/** The Benefit's properties without the server paths of its files, which concern only the operator. */
function setUp(benefit: GrantBenefit): GrantedBenefit["properties"] {
  if (benefit.type !== "download") return benefit.properties as Exclude<BenefitProperties, DownloadProperties>;
  return { files: (benefit.properties as DownloadProperties).files.map(({ name, size }) => ({ name, size })) };
}

/**
 * All data of a Benefit that its grants show, except the links to files. The grant's `properties` show no further
 * data of the Benefit.
 */
export function presentGrantedBenefit(benefit: GrantBenefit): GrantedBenefit {
  return {
    id: benefit.id,
    key: benefit.key,
    type: benefit.type,
    name: benefit.name,
    description: benefit.description,
    properties: setUp(benefit),
    metadata: benefit.metadata,
  };
}

function grantProperties(
  grant: Pick<BenefitGrant, "properties" | "activations" | "quantity">,
  benefit: GrantBenefit,
  downloadUrl: GrantDetails["downloadUrl"],
): BenefitGrantResource["properties"] {
  switch (benefit.type) {
    case "feature": {
      const properties = benefit.properties as FeatureProperties;
      return { feature: properties.feature, value: valueOf(properties, grant.quantity) };
    }
    case "license_key": {
      const activationLimit = activationLimitOf(benefit.properties as LicenseKeyProperties, grant.quantity);
      return { key: (grant.properties as { key: string }).key, activationLimit, activations: grant.activations };
    }
    case "download": {
      const { files } = benefit.properties as DownloadProperties;
      return { files: files.map(({ name, size }, index) => ({ name, size, url: downloadUrl(index) })) };
    }
    case "custom":
      return { note: (benefit.properties as CustomProperties).note };
  }
}

export function presentBenefitGrant(
  grant: BenefitGrant,
  benefit: GrantBenefit,
  details: GrantDetails,
): BenefitGrantResource {
  return {
    id: grant.id,
    customerId: grant.customerId,
    externalCustomerId: details.externalCustomerId,
    benefitId: grant.benefitId,
    subscriptionId: grant.subscriptionId,
    invoiceId: grant.invoiceId,
    quantity: grant.quantity,
    benefit: presentGrantedBenefit(benefit),
    properties: grantProperties(grant, benefit, details.downloadUrl),
    grantedAt: time(grant.grantedAt),
    expiresAt: time(details.expiresAt),
    createdAt: time(grant.createdAt),
  };
}

/** The JSON of a download's grant, with links to the files instead of their server paths. */
export function withDownloads(body: string, downloadUrl: GrantDetails["downloadUrl"]): string {
  const grant = JSON.parse(body) as BenefitGrantResource & { benefit: GrantBenefit };
  const properties = grantProperties({ properties: {}, activations: 0, quantity: 1 }, grant.benefit, downloadUrl);
  return JSON.stringify({ ...grant, benefit: { ...grant.benefit, properties: setUp(grant.benefit) }, properties });
}

/** A grant as the management surface and the events show it. */
export function presentManagedBenefitGrant(
  grant: BenefitGrant,
  benefit: GrantBenefit,
  details: GrantDetails,
): ManagedBenefitGrantResource {
  const shared = presentBenefitGrant(grant, benefit, details);
  const expiresAt = grant.status === "active" ? shared.expiresAt : null;
  return { ...shared, expiresAt, status: grant.status, revokedAt: time(grant.revokedAt), reason: grant.reason };
}
