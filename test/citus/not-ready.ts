/** Statements that Citus refuses. */
export const REFUSED: readonly RegExp[] = [];

/** Statements of one Organization, or of a batch, that ask several shards, or one shard in several steps. */
export const OF_SEVERAL: readonly RegExp[] = [];
