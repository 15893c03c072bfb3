import type { Instant } from "../calendar.ts";
import type { ImportSource } from "../model/imported.ts";
import type { Amount } from "../money.ts";
import type { StayReason } from "./stay-reasons.ts";

/**
 * The steps of a subscription of another system (rule V5). `assessed`: only reported. `imported`: held here.
 * `stopping`: written before the first request that stops it there. `moved`: stopped there, and released here.
 * `finished`: canceled there after the first paid renewal here. `left`: given up here (rule V6), or ended there.
 */
export const IMPORT_STATES = ["assessed", "imported", "stopping", "moved", "finished", "left"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_STEPS = ["assess", "import", "cut_over", "csv"] as const;
export type ImportStep = (typeof IMPORT_STEPS)[number];

/** `account`: the account at the other system, or the name that the seller gives it. `ref`: the subscription there. */
export type ImportKey = { organizationId: string; source: ImportSource; account: string; ref: string };

/** The fields that the steps of an import set. Amounts are minor units of `currency`. */
export type ImportFields = {
  customerId: string | null;
  subscriptionId: string | null;
  /** The reasons of the last reading for which the subscription stays. */
  reasons: readonly StayReason[];
  currency: string;
  /** The amount of a month, before discounts and taxes. */
  monthly: Amount;
  nextChargeAt: Instant | null;
  /** The total of the next invoice there, before the balance; null: not compared yet. */
  expectedTotal: Amount | null;
  /** The total of the next invoice here, before the balance. */
  ownTotal: Amount | null;
  /** The causes of a difference between the two totals. */
  causes: readonly string[];
  /** Whether the seller has agreed to the difference. */
  accepted: boolean;
  /** The last reading that was used, in values of the domain. */
  snapshot: object | null;
  /** The credit that was taken over, below zero for a debt; null: the balance was not taken over. */
  balanceMoved: Amount | null;
  stoppingAt: Instant | null;
  stoppedAt: Instant | null;
  movedAt: Instant | null;
  finishedAt: Instant | null;
  checkedAt: Instant | null;
  /** The reason of an alarm, in a word; null: there is none. */
  problem: string | null;
};

/** A subscription of another system, with its place on the way to Billow. All instants are real time. */
export type ImportRow = ImportKey &
  ImportFields & { customerRef: string; state: ImportState; createdAt: Instant; updatedAt: Instant };

/** A subscription that an assessment has read. */
export type AssessedImport = Pick<
  ImportRow,
  "ref" | "customerRef" | "reasons" | "currency" | "monthly" | "nextChargeAt"
>;

/** The header of a report. `finishedAt` null: the step runs, or was cut off. `sums`: the totals of the report. */
export type ImportRun = {
  organizationId: string;
  id: string;
  source: ImportSource;
  account: string;
  step: ImportStep;
  startedAt: Instant;
  finishedAt: Instant | null;
  sums: object | null;
};
