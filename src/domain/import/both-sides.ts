import { MINUTE } from "../calendar.ts";
import type { ImportRow } from "./import.ts";

/** A stop that takes longer raises the alarm: neither side charges. A subscription takes seconds. */
export const LATE_STOP = 10 * MINUTE;

/**
 * `running_there`: the other system charges a subscription that Billow charges. `second_subscription`: it charges
 * another subscription of the Customer. `stopped_there`: Billow's pause is on a subscription that the other system is
 * to charge, so neither does.
 */
export const IMPORT_PROBLEMS = ["running_there", "second_subscription", "stopped_there"] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

/** A row that was imported. `isEnded`: the Subscription here has ended. */
export type CheckedRow = Pick<ImportRow, "ref" | "customerRef" | "subscriptionId" | "state"> & { isEnded: boolean };

/** A subscription there that has not ended. `stoppedFor`: the Subscription here for which Billow paused it, or null. */
export type FoundThere = { ref: string; customerRef: string; isCharged: boolean; stoppedFor: string | null };

/** The problem of a row that one subscription of its Customer shows; null: none. */
export function problemBy(row: CheckedRow, found: FoundThere): ImportProblem | null {
  const isMoved = row.state === "moved" || row.state === "finished";
  if (row.state === "imported")
    return found.ref === row.ref && found.stoppedFor === row.subscriptionId ? "stopped_there" : null;
  if (!isMoved || row.isEnded || !found.isCharged) return null;
  return found.ref === row.ref ? "running_there" : "second_subscription";
}
