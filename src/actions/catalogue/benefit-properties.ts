import { basename, relative, resolve } from "node:path";
import type { Context } from "../../context.ts";
import type { Benefit, BenefitProperties } from "../../domain/model/benefit.ts";
import { AppError } from "../../errors.ts";
import { Refusal } from "../../domain/refusal.ts";
import { CreateBenefitParams, type UpdateBenefitParams } from "../../resources/benefit.ts";
import { parse } from "../../resources/faults.ts";
import { downloadsDirectory, findBelow } from "../benefit/downloads.ts";

type DownloadParams = Extract<CreateBenefitParams, { type: "download" }>["properties"];

async function filesOf(ctx: Context, organizationId: string, { files }: DownloadParams) {
  const root = downloadsDirectory(ctx, organizationId);
  return Promise.all(
    files.map(async ({ name, path }, index) => {
      const found = await findBelow(root, path);
      if (!found) {
        const target = { field: `/properties/files/${index}/path`, folder: `downloads/${organizationId}` } as const;
        throw new Refusal("file_missing", target);
      }
      return { name: name ?? basename(path), path: relative(root, resolve(root, path)), size: found.size };
    }),
  );
}

/**
 * The properties as they are stored: missing names are filled in, and files are looked up.
 * @throws Refusal `validation_failed`.
 */
export async function setUp(
  ctx: Context,
  organizationId: string,
  params: CreateBenefitParams,
): Promise<BenefitProperties> {
  switch (params.type) {
    case "feature": {
      const feature = params.properties.feature ?? params.key;
      if (feature === null) throw new Refusal("feature_missing", { field: "/properties/feature" });
      const { value, perUnit } = params.properties;
      return { feature, value, ...(perUnit && { perUnit }) };
    }
    case "download":
      return { files: await filesOf(ctx, organizationId, params.properties) };
    case "license_key": {
      const { perUnit, ...properties } = params.properties;
      return { ...properties, ...(perUnit && { perUnit }) };
    }
    case "custom":
      return params.properties;
  }
}

/** New properties follow the rules of a new Benefit of this type. */
export async function changedProperties(
  ctx: Context,
  benefit: Benefit,
  { properties }: UpdateBenefitParams,
): Promise<BenefitProperties> {
  if (properties === undefined) return benefit.properties;
  const { type, key, name } = benefit;
  const parsed = parse(CreateBenefitParams, { type, key, name, properties }, "body");
  if (parsed.faults !== null) throw new AppError("validation_failed", { errors: parsed.faults });
  return setUp(ctx, benefit.organizationId, parsed.value);
}
