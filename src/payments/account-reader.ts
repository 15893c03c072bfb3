import type { FoundThere } from "../domain/import/both-sides.ts";
import type { ForeignCustomer, ForeignSubscription, UpcomingInvoice } from "../domain/import/foreign.ts";

/**
 * The account of a key that reads. `missing`: the permissions that the key lacks, in the provider's words. `isFull`:
 * the key may do everything, though reading is enough.
 */
export type ReadableAccount = { account: string; missing: readonly string[]; isFull: boolean };

/** The provider refuses the key, or gave no answer after all repetitions. The message is free of the key. */
export class ReadError extends Error {}

/** `subscription` is one of the subscriptions of `customer`. */
export type ReadSubscription = { customer: ForeignCustomer; subscription: ForeignSubscription };

/** Reads the Customers and subscriptions of a provider's own billing. Makes no change at the provider. */
export type AccountReader = {
  /**
   * Asks about the key, and tries each permission. `previews`: the permission for `upcoming`, too, which other readings
   * do not need. @throws ReadError
   */
  open(options?: { previews?: boolean }): Promise<ReadableAccount>;
  /**
   * All Customers of the account with their subscriptions that have not ended, one page in memory at a time. Open
   * invoices, pending items and coupons are read before, and stay in memory. @throws ReadError
   */
  customers(): AsyncGenerator<ForeignCustomer>;
  /**
   * Reads one subscription again with its Customer and all that a decision needs; null: the subscription has ended, or
   * does not exist. The name of its product is left out. @throws ReadError
   */
  subscription(ref: string): Promise<ReadSubscription | null>;
  /** Previews the next invoice of a subscription; null: there will be none. @throws ReadError */
  upcoming(ref: string): Promise<UpcomingInvoice | null>;
  /** All subscriptions that have not ended, a page at a time, for the check of both sides. @throws ReadError */
  standing(): AsyncGenerator<readonly FoundThere[]>;
};
