import type { FoundThere } from "../../../domain/import/both-sides.ts";
import type { ForeignState } from "../../../domain/import/cut-over.ts";

/** On a subscription that Billow pauses, and on each movement of a balance: the id of the Subscription here. */
export const MARK = "billow_subscription";

export type Marked = { metadata: Record<string, string> | null };
export type SubscriptionState = Marked & {
  id: string;
  customer: string;
  status: string;
  cancel_at: number | null;
  pause_collection: { behavior: string } | null;
};

const ENDED = new Set(["canceled", "incomplete_expired"]);

/** Only a pause that makes invoices void, and that has a mark, is Billow's own. */
const stoppedFor = ({ pause_collection: pause, metadata }: SubscriptionState): string | null =>
  pause?.behavior === "void" ? (metadata?.[MARK] ?? null) : null;

/** The state of a subscription that Billow stops, or wants to stop, for the Subscription `mark`. */
export function stateOf(found: SubscriptionState, mark: string): ForeignState {
  if (ENDED.has(found.status)) return "ended";
  if (found.pause_collection === null) return found.status === "paused" ? "paused" : "running";
  return stoppedFor(found) === mark ? "stopped" : "paused";
}

export function foundThere(found: SubscriptionState): FoundThere {
  const { id: ref, customer: customerRef, status, pause_collection: pause } = found;
  const isCharged = pause === null && status !== "paused" && !ENDED.has(status);
  return { ref, customerRef, isCharged, stoppedFor: stoppedFor(found), isEnding: found.cancel_at !== null };
}
