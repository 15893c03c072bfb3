/** The systems from which Subscriptions are imported. */
export const IMPORT_SOURCES = ["stripe", "csv"] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/**
 * The subscription of another system from which a Subscription was imported. `ref`: its id there. `isHeld`: the other
 * system charges it until the cut-over, and no work is due here (rule V1).
 */
export type ImportedFrom = { source: ImportSource; ref: string; isHeld: boolean };
