import type { ForeignCustomer } from "../domain/import/foreign.ts";

/**
 * The account of a key that reads. `missing`: the permissions that the key lacks, in the provider's words. `isFull`:
 * the key may do everything, though reading is enough.
 */
export type ReadableAccount = { account: string; missing: readonly string[]; isFull: boolean };

/** The provider refuses the key, or gave no answer after all repetitions. The message is free of the key. */
export class ReadError extends Error {}

/** Reads the Customers and subscriptions of a provider's own billing. Makes no change at the provider. */
export type AccountReader = {
  /** Asks about the key, and tries each permission. @throws ReadError */
  open(): Promise<ReadableAccount>;
  /**
   * All Customers of the account with their subscriptions that have not ended, one page in memory at a time. Open
   * invoices, pending items and coupons are read before, and stay in memory. @throws ReadError
   */
  customers(): AsyncGenerator<ForeignCustomer>;
};
