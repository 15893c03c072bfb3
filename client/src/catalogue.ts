/**
 * The names of your own catalogue. `billow types` writes a declaration that adds `productKeys` and `features`. Without
 * this declaration, a Product key is any text, and a feature has any name.
 */
// An interface, since only an interface can be extended by a declaration elsewhere.
export interface Catalogue {}

type FeatureValue = boolean | number | string;

export type ProductKey = Catalogue extends { productKeys: infer Key extends string } ? Key : string;

/** The features of a Customer. The Customer may have any part of the catalogue's features. */
export type Features = Catalogue extends { features: infer Values } ? Partial<Values> : Record<string, FeatureValue>;
