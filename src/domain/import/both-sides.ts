import { MINUTE } from "../calendar.ts";
import type { ImportRow } from "./import.ts";

/** A stop that takes longer raises the alarm: neither side charges. A subscription takes seconds. */
export const LATE_STOP = 10 * MINUTE;

/**
 * `running_there`: the other system charges a subscription that Billow charges. `second_subscription`: it charges
 * another subscription of the Customer. `ends_there`: its end was planned there after the move, often by the Customer,
 * and Billow charges on. `stopped_there`: Billow's pause is on a subscription that the other system is to charge, so
 * neither does.
 */
export const IMPORT_PROBLEMS = ["running_there", "second_subscription", "ends_there", "stopped_there"] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

/**
 * A row that was imported. `isEnded`: the Subscription here has ended. `isEnding`: its end is planned here, or was
 * planned there before the move.
 */
export type CheckedRow = Pick<ImportRow, "ref" | "customerRef" | "subscriptionId" | "state"> & {
  isEnded: boolean;
  isEnding: boolean;
};

/**
 * A subscription there that has not ended. `stoppedFor`: the Subscription here for which Billow paused it, or null.
 * `isEnding`: its end is planned.
 */
export type FoundThere = {
  ref: string;
  customerRef: string;
  isCharged: boolean;
  stoppedFor: string | null;
  isEnding: boolean;
};

/** The problem of a row that one subscription of its Customer shows; null: none. */
export function problemBy(row: CheckedRow, found: FoundThere): ImportProblem | null {
  const isMoved = row.state === "moved" || row.state === "finished";
  if (row.state === "imported")
    return found.ref === row.ref && found.stoppedFor === row.subscriptionId ? "stopped_there" : null;
  if (!isMoved || row.isEnded) return null;
  const isSame = found.ref === row.ref;
  if (found.isCharged) return isSame ? "running_there" : "second_subscription";
  return isSame && found.isEnding && !row.isEnding ? "ends_there" : null;
}
