import manifest from "../package.json" with { type: "json" };

/** Billow's own version, which every answer carries. */
export const VERSION: string = manifest.version;
