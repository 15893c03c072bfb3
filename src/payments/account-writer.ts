import type { Amount } from "../domain/money.ts";
import type { ForeignState } from "../domain/import/cut-over.ts";

/** The account of a key that stops subscriptions. `missing`: the permissions that it lacks, in the provider's words. */
export type WritableAccount = { account: string; missing: readonly string[] };

/**
 * A subscription of the other system. `mark`: names the Subscription here, on a pause and on a movement of the balance,
 * so that both are known as Billow's own.
 */
export type StoppedSubscription = { ref: string; customerRef: string; mark: string };

/**
 * `invoices`: those that were made after the invoice `since` and are not void, newest first. `latestInvoice`: the
 * newest one of all, the mark for a later `since`. `balance`: the Customer's credit there, below zero for a debt.
 * `currency`: of the balance; null: the Customer has never had one.
 */
export type StopReading = {
  there: ForeignState;
  latestInvoice: string | null;
  invoices: readonly string[];
  balance: Amount;
  currency: string | null;
};

/**
 * The request may or may not have been carried out, or the provider is busy. `isStored`: the provider will give the
 * same answer to a repetition with the same key. The message is free of the key.
 */
export class WriteUnanswered extends Error {
  readonly isStored: boolean;
  constructor(message: string, isStored: boolean, cause: unknown) {
    super(message, { cause });
    this.isStored = isStored;
  }
}
/** The provider refuses. `isOfKey`: it refuses the key, and so each request. The message is free of the key. */
export class WriteRefused extends Error {
  readonly isOfKey: boolean;
  constructor(message: string, isOfKey: boolean, cause: unknown) {
    super(message, { cause });
    this.isOfKey = isOfKey;
  }
}

/**
 * Stops subscriptions of a provider's own billing. A call that writes is one request, which is never repeated here, and
 * ends within 30 seconds. `key`: a repetition with the same key within a day has no second effect.
 * @throws WriteUnanswered, WriteRefused
 */
export type AccountWriter = {
  /** Asks about the key, and tries each permission. */
  open(): Promise<WritableAccount>;
  /** `since`: an invoice of an earlier reading; null: the subscription had none. */
  readStop(of: StoppedSubscription, since: string | null): Promise<StopReading>;
  /** The sum that Billow's own movements have taken of the balance and not given back, and their number. */
  readTaken(of: StoppedSubscription): Promise<{ amount: Amount; count: number }>;
  /** Pauses the subscription, so that it charges no invoice. */
  pause(of: StoppedSubscription, key: string): Promise<void>;
  resume(of: StoppedSubscription, key: string): Promise<void>;
  /** Cancels the subscription, without an invoice and without a credit. */
  cancel(of: StoppedSubscription): Promise<void>;
  /** Takes `amount` of the Customer's credit there; below zero gives credit. */
  takeBalance(of: StoppedSubscription, amount: Amount, currency: string, key: string): Promise<void>;
};
