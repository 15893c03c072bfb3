import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { CutOverFacts, CutOverReason } from "../../domain/import/cut-over.ts";
import type { ImportRow } from "../../domain/import/import.ts";
import type { ImportedTerms } from "../../domain/import/imported-subscription.ts";
import type { AccountWriter, StoppedSubscription, StopReading } from "../../payments/account-writer.ts";

/**
 * The reading of a subscription that runs in the other system. `reasons`: why it stays. `terms`: the Subscription here
 * has them already; null: it stays.
 */
export type RunningReading = {
  reasons: readonly CutOverReason[];
  terms: ImportedTerms | null;
  readAt: Instant;
};

/**
 * The reading before a stop, in the snapshot of the row. `latestInvoice`: the newest invoice there, as read before the
 * terms; null: there was none.
 */
export type StopSnapshot = { terms: ImportedTerms; readAt: Instant; latestInvoice: string | null };
export const stopOf = ({ snapshot }: Pick<ImportRow, "snapshot">): StopSnapshot | null =>
  (snapshot as { stop?: StopSnapshot | null } | null)?.stop ?? null;

/** `refresh`: reads the subscription again, and brings the held one here in line; null: it has ended. @throws ReadError */
export type CutOverWorld = {
  ctx: Context;
  writer: AccountWriter;
  refresh(row: ImportRow): Promise<RunningReading | null>;
  sleep(milliseconds: number): Promise<unknown>;
};

/** All that one look has found. `taken`: with the number of Billow's movements of the balance there. */
export type Look = {
  row: ImportRow;
  reading: StopReading;
  running: RunningReading | null;
  movements: number;
  /** The stored failures that the provider has answered to writes of this run. */
  failures: number;
  facts: CutOverFacts;
};

/** The mark is the id of the Subscription here, which belongs to one row. */
export const stoppedOf = ({ ref, customerRef, subscriptionId }: ImportRow): StoppedSubscription => ({
  ref,
  customerRef,
  mark: subscriptionId!,
});
