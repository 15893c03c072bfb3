import * as z from "zod";
import { MOST_PER_UNIT, type Benefit, type BenefitType } from "../domain/model/benefit.ts";
import {
  etag,
  finite,
  id,
  issue,
  key,
  metadata,
  metadataParams,
  multiline,
  orNull,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";

export const BENEFIT_TYPES = ["feature", "license_key", "download", "custom"] as const satisfies readonly BenefitType[];

export const featureProperties = z.object({
  feature: z.string(),
  value: z.union([z.boolean(), z.number(), z.string()]),
});
const perUnit = z
  .literal(true)
  .exactOptional()
  .meta({ description: "The number is that of one unit. Absent: the number holds for any quantity." });
export const featureSetUp = z.object({ ...featureProperties.shape, perUnit });
export const licenseKeyProperties = z.object({
  prefix: z.string().nullable(),
  activationLimit: z.int().nullable(),
  perUnit,
});
export const customProperties = z.object({ note: z.string().nullable() });
const downloadProperties = z.object({
  files: z.array(z.object({ name: z.string(), path: z.string(), size: z.int() })),
});

export const BenefitResource = z
  .object({
    id: id("bft"),
    key: z.string().nullable(),
    type: z.enum(BENEFIT_TYPES),
    name: z.string(),
    description: z.string().nullable(),
    properties: z.union([featureSetUp, licenseKeyProperties, downloadProperties, customProperties]),
    metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Benefit" });
export type BenefitResource = z.infer<typeof BenefitResource>;

const file = z.strictObject({
  path: text(512).meta({ description: "The path of the file below the server's downloads directory." }),
  name: orNull(text(128)).meta({ description: "The name that buyers see. The default is the file's own name." }),
});

const perUnitParam = z.boolean().default(false);

/**
 * The properties that an operator sets, by type. Missing fields get their defaults, also in a PATCH, which replaces
 * all properties.
 */
export const BENEFIT_PROPERTIES = {
  feature: z
    .strictObject({
      feature: orNull(text(64)).meta({ description: "The default is the Benefit's `key`." }),
      value: z.union([z.boolean(), finite, text(256)]).default(true),
      perUnit: perUnitParam.meta({ description: "True: grants show `value` × the quantity that was bought." }),
    })
    .superRefine(({ value, perUnit: isPerUnit }, check) => {
      if (!isPerUnit || (Number.isInteger(value) && Math.abs(Number(value)) <= MOST_PER_UNIT)) return;
      const message = `A value for each unit is a whole number between -${MOST_PER_UNIT} and ${MOST_PER_UNIT}.`;
      check.addIssue(issue("not_per_unit", message, ["value"]));
    }),
  license_key: z
    .strictObject({
      prefix: orNull(
        z
          .string()
          .trim()
          .toUpperCase()
          .regex(/^[A-Z0-9]{1,16}$/, "A prefix is 1 to 16 letters and digits."),
      ),
      activationLimit: orNull(z.int().min(1).max(100_000)),
      perUnit: perUnitParam.meta({ description: "True: a key has `activationLimit` × the quantity that was bought." }),
    })
    .superRefine(({ activationLimit, perUnit: isPerUnit }, check) => {
      if (isPerUnit && activationLimit === null)
        check.addIssue(issue("not_per_unit", "A limit for each unit needs a limit.", ["activationLimit"]));
    }),
  download: z.strictObject({ files: z.array(file).min(1).max(50) }),
  custom: z.strictObject({ note: orNull(multiline(5000)) }),
};

const described = {
  key: orNull(key),
  name: text(256),
  description: orNull(multiline(2000)),
  metadata: metadataParams.default({}),
};

export const CreateBenefitParams = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("feature"), ...described, properties: BENEFIT_PROPERTIES.feature.prefault({}) }),
    z.strictObject({
      type: z.literal("license_key"),
      ...described,
      properties: BENEFIT_PROPERTIES.license_key.prefault({}),
    }),
    z.strictObject({ type: z.literal("download"), ...described, properties: BENEFIT_PROPERTIES.download }),
    z.strictObject({ type: z.literal("custom"), ...described, properties: BENEFIT_PROPERTIES.custom.prefault({}) }),
  ])
  .meta({ id: "CreateBenefitParams" });
export type CreateBenefitParams = z.infer<typeof CreateBenefitParams>;

export const UpdateBenefitParams = z
  .strictObject({
    name: text(256).exactOptional(),
    description: multiline(2000).nullable().exactOptional(),
    properties: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .meta({ description: "As in the POST for this type. Replaces all properties." }),
    metadata: metadataParams.exactOptional(),
  })
  .meta({ id: "UpdateBenefitParams" });
export type UpdateBenefitParams = z.infer<typeof UpdateBenefitParams>;

export const ListBenefitsQuery = z.strictObject({
  ...pageQuery("bft"),
  key: key.optional(),
  type: z.enum(BENEFIT_TYPES).optional(),
  search: text(256).meta({ description: "A part of the name." }).optional(),
});
export type ListBenefitsQuery = z.infer<typeof ListBenefitsQuery>;

export function presentBenefit(benefit: Benefit): BenefitResource {
  return {
    id: benefit.id,
    key: benefit.key,
    type: benefit.type,
    name: benefit.name,
    description: benefit.description,
    properties: benefit.properties,
    metadata: benefit.metadata,
    createdAt: time(benefit.createdAt),
    updatedAt: time(benefit.updatedAt),
  };
}

export function benefitETag(benefit: Benefit): string {
  return etag(benefit.version);
}
