import type { BenefitGrant } from "./types.ts";
type FeatureProperties = Extract<BenefitGrant["properties"], {
    feature: string;
}>;
export type Features = Record<string, FeatureProperties["value"]>;
/**
 * One value for each feature, from grants that are ordered newest first: true if any is true, the largest number, or
 * the newest text. If the values of a feature differ in type, the type of the newest counts.
 */
export declare function mergeFeatures(grants: BenefitGrant[]): Features;
export {};
