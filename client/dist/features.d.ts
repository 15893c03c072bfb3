import type { Features } from "./catalogue.ts";
import type { BenefitGrant } from "./types/benefit-grants.ts";
/**
 * One value for each feature, from grants that are ordered newest first: true if any is true, the largest number, or
 * the newest text. If the values of a feature differ in type, the type of the newest counts.
 */
export declare function mergeFeatures(grants: BenefitGrant[]): Features;
