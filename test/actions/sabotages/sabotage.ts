/**
 * The name of a sabotage, its statements, and the names of the ids that the rule must report. `:name` is the id of
 * that name.
 */
export type Sabotage = [name: string, statements: string, says: string[]];

export const HOUR = "interval '1 hour'";
export const REAL_TIME =
  "UPDATE organizations SET clock_at = NULL WHERE id = :organization; UPDATE subscriptions SET simulated = false; " +
  "UPDATE payment_methods SET simulated = false";
