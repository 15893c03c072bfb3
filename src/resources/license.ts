import * as z from "zod";
import { activationLimitOf, type BenefitGrant, type LicenseKeyProperties } from "../domain/model/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import { isGranted, readLicenseKey, type LicenseActivation } from "../domain/model/license-key.ts";
import { plannedEnd, type GrantBenefit } from "./benefit-grant.ts";
import { id, metadata, metadataParams, orNull, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const LicenseActivationResource = z
  .object({
    id: id("act"),
    label: z.string().nullable(),
    metadata,
    lastSeenAt: timestamp.nullable().meta({
      description: "The last validation on this device, noted once a day. Null: no validation after the first day.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "LicenseActivation" });
export type LicenseActivationResource = z.infer<typeof LicenseActivationResource>;

export const LicenseResource = z
  .object({
    valid: z.boolean().meta({
      description:
        "True if the program may run. The key is active and, if an `activationId` was sent, " +
        "that activation belongs to the key.",
    }),
    status: z.enum(["active", "revoked"]).meta({ description: "Exact at the moment of the answer." }),
    expiresAt: plannedEnd,
    activationLimit: z.int().nullable().meta({ description: "Null: no limit." }),
    activations: z.int(),
    benefit: z.object({ key: z.string().nullable(), name: z.string() }),
    activation: LicenseActivationResource.nullable().meta({
      description: "The activation that was made, or that `activationId` names.",
    }),
  })
  .meta({ id: "License" });
export type LicenseResource = z.infer<typeof LicenseResource>;

/** Fields that replace an API key in the calls of a sold program: they name the license key and its Organization. */
const licensed = {
  organizationId: text(64),
  key: text(128)
    .transform(readLicenseKey)
    .meta({
      description:
        "The key as the user typed it. Case, look-alikes (O and 0; " +
        "I, L and 1) and separators between the groups don't matter.",
    }),
};
/** The fields in the body of every call without an API key. */
export type Licensed = { organizationId: string; key: string };

export const ValidateLicenseParams = z
  .strictObject({
    ...licensed,
    activationId: orNull(text(64)).meta({
      description: "An earlier activation. `valid` then also tells if it belongs to the key.",
    }),
  })
  .meta({ id: "ValidateLicenseParams" });
export type ValidateLicenseParams = z.infer<typeof ValidateLicenseParams>;

export const ActivateLicenseParams = z
  .strictObject({
    ...licensed,
    label: orNull(text(256)).meta({ description: "The owner's name for the device." }),
    metadata: metadataParams.default({}),
  })
  .meta({ id: "ActivateLicenseParams" });
export type ActivateLicenseParams = z.infer<typeof ActivateLicenseParams>;

export const DeactivateLicenseParams = z
  .strictObject({ ...licensed, activationId: text(64) })
  .meta({ id: "DeactivateLicenseParams" });
export type DeactivateLicenseParams = z.infer<typeof DeactivateLicenseParams>;

export const ListLicenseActivationsQuery = z.strictObject(pageQuery("act"));
export type ListLicenseActivationsQuery = z.infer<typeof ListLicenseActivationsQuery>;

/** A grant of a license key, with the data that decides whether the grant gives access at `now`. */
export type License = BenefitGrant & {
  benefit: GrantBenefit & { version: number };
  expiresAt: Instant | null;
  now: Instant;
};

export function presentLicenseActivation(activation: LicenseActivation): LicenseActivationResource {
  return {
    id: activation.id,
    label: activation.label,
    metadata: activation.metadata,
    lastSeenAt: time(activation.lastSeenAt),
    createdAt: time(activation.createdAt),
  };
}

/** Shows no data of the Customer, since anyone may hold the program. `activation` is undefined if none was named. */
export function presentLicense(license: License, activation: LicenseActivation | null | undefined): LicenseResource {
  const active = isGranted(license, license.expiresAt, license.now);
  const expiresAt = active ? license.expiresAt : null;
  return {
    valid: active && activation !== null,
    status: active ? "active" : "revoked",
    expiresAt: time(expiresAt),
    activationLimit: activationLimitOf(license.benefit.properties as LicenseKeyProperties, license.quantity),
    activations: license.activations,
    benefit: { key: license.benefit.key, name: license.benefit.name },
    activation: activation ? presentLicenseActivation(activation) : null,
  };
}
