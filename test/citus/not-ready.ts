/** Statements that Citus refuses. */
export const REFUSED: readonly RegExp[] = [
  // A batch of any Organizations: the Organization comes from an array or a record.
  /^accounts\.(lock_many|lock_free_many|live_of_many)_/,
  /^accounts\.(open_items|product_benefits|checkout|open_checkouts|discount|first_paid)_of_many_/,
  /^catch_up\.hold_all$/,
  /^events\.record_all$/,
  /^payments\.(hold|lease)$/,
  /^sandbox_cards\.behaviors$/,
];

/** Statements of one Organization, or of a batch, that ask several shards, or one shard in several steps. */
export const OF_SEVERAL: readonly RegExp[] = [
  // A batch of any Organizations.
  /^accounts\.(read_many|\w+_of_many)_/,
  /\.(update_all_0|delete_all)$/,
  /^customers\.count_documents$/,
  /^discounts\.count_all$/,
  /^refunds\.hold$/,
  /^sandbox_charges\.find_all$/,
];
