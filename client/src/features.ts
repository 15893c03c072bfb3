import type { Features } from "./catalogue.ts";
import type { BenefitGrant } from "./types/benefit-grants.ts";

type FeatureProperties = Extract<BenefitGrant["properties"], { feature: string }>;

/**
 * One value for each feature, from grants that are ordered newest first: true if any is true, the largest number, or
 * the newest text. If the values of a feature differ in type, the type of the newest counts.
 */
export function mergeFeatures(grants: BenefitGrant[]): Features {
  const merged = new Map<string, FeatureProperties["value"]>();
  for (const { properties } of grants) {
    if (!("feature" in properties)) continue;
    const { feature, value } = properties;
    const newer = merged.get(feature);
    if (newer === undefined) merged.set(feature, value);
    else if (typeof newer === "boolean" && typeof value === "boolean") merged.set(feature, newer || value);
    else if (typeof newer === "number" && typeof value === "number") merged.set(feature, Math.max(newer, value));
  }
  return Object.fromEntries(merged);
}
