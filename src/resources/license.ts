import * as z from "zod";
import type { BenefitGrant, LicenseKeyProperties } from "../domain/benefit/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import { isGranted, readLicenseKey, type LicenseActivation } from "../domain/benefit/license.ts";
import type { GrantBenefit } from "./benefit-grant.ts";
import { id, metadata, metadataParams, orNull, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const LicenseActivationResource = z
  .object({
    id: id("act"),
    label: z.string().nullable(),
    metadata,
    createdAt: timestamp,
  })
  .meta({ id: "LicenseActivation" });
export type LicenseActivationResource = z.infer<typeof LicenseActivationResource>;

export const LicenseResource = z
  .object({
    valid: z.boolean().meta({
      description:
        "Whether the program may run: the key is active and, where an `activationId` was sent, that activation is one of its own.",
    }),
    status: z.enum(["active", "revoked"]).meta({ description: "Exact at the moment of the answer." }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: "When access ends unless something happens first; null while it renews, and where it is revoked." }),
    activationLimit: z.int().nullable().meta({ description: "Null: no limit." }),
    activations: z.int(),
    benefit: z.object({ key: z.string().nullable(), name: z.string() }),
    activation: LicenseActivationResource.nullable().meta({ description: "The one that was made, or that `activationId` names." }),
  })
  .meta({ id: "License" });
export type LicenseResource = z.infer<typeof LicenseResource>;

/** Fields that replace an API key in the calls of a sold program: they name the license key and its Organization. */
const licensed = {
  organizationId: text(64),
  key: text(128)
    .transform(readLicenseKey)
    .meta({ description: "As it was typed: case, look-alikes (O and 0; I, L and 1) and what stands between the groups don't matter." }),
};
/** The fields in the body of every call without an API key. */
export type Licensed = { organizationId: string; key: string };

export const ValidateLicenseParams = z
  .strictObject({
    ...licensed,
    activationId: orNull(text(64)).meta({ description: "Is this activation one of the key's?" }),
  })
  .meta({ id: "ValidateLicenseParams" });
export type ValidateLicenseParams = z.infer<typeof ValidateLicenseParams>;

export const ActivateLicenseParams = z
  .strictObject({
    ...licensed,
    label: orNull(text(256)).meta({ description: "What its owner knows the device by." }),
    metadata: metadataParams.default({}),
  })
  .meta({ id: "ActivateLicenseParams" });
export type ActivateLicenseParams = z.infer<typeof ActivateLicenseParams>;

export const DeactivateLicenseParams = z.strictObject({ ...licensed, activationId: text(64) }).meta({ id: "DeactivateLicenseParams" });
export type DeactivateLicenseParams = z.infer<typeof DeactivateLicenseParams>;

export const ListLicenseActivationsQuery = z.strictObject(pageQuery("act"));
export type ListLicenseActivationsQuery = z.infer<typeof ListLicenseActivationsQuery>;

/** A grant of a license key, with the data that decides whether the grant gives access at `now`. */
export type License = BenefitGrant & { benefit: GrantBenefit & { version: number }; expiresAt: Instant | null; now: Instant };

export function presentLicenseActivation(activation: LicenseActivation): LicenseActivationResource {
  return { id: activation.id, label: activation.label, metadata: activation.metadata, createdAt: time(activation.createdAt) };
}

/** Shows no data of the Customer, since anyone may hold the program. `activation` is undefined if none was named. */
export function presentLicense(license: License, activation: LicenseActivation | null | undefined): LicenseResource {
  const active = isGranted(license, license.expiresAt, license.now);
  const expiresAt = active ? license.expiresAt : null;
  return {
    valid: active && activation !== null,
    status: active ? "active" : "revoked",
    expiresAt: time(expiresAt),
    activationLimit: (license.benefit.properties as LicenseKeyProperties).activationLimit,
    activations: license.activations,
    benefit: { key: license.benefit.key, name: license.benefit.name },
    activation: activation ? presentLicenseActivation(activation) : null,
  };
}
