import type { BenefitGrant } from "./types.ts";
type FeatureProperties = Extract<BenefitGrant["properties"], {
    feature: string;
}>;
export type Features = Record<string, FeatureProperties["value"]>;
/**
 * One value a feature, from grants that are ordered newest first: true if any is true, the largest number, the newest text.
 * Where the kinds differ, the newest says which kind counts.
 */
export declare function mergeFeatures(grants: BenefitGrant[]): Features;
export {};
