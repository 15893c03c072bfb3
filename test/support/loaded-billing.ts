import type { LoadedBilling } from "../../src/domain/billing/customer-billing.ts";

export const byId = <Row extends { id: string }>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Leaves out the fields that differ from one read to the next, and sorts the rows. */
export const withoutEntropy = (loaded: LoadedBilling) => ({
  ...loaded,
  entropy: null,
  now: null,
  realNow: null,
  rows: Object.fromEntries(Object.entries(loaded.rows).map(([name, rows]) => [name, byId<{ id: string }>(rows)])),
});
