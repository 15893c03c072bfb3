import type { Html } from "../../layout.ts";
import { notice } from "../components/notice.ts";

/** A hint beside figures from events. `isComplete`: whether all events of Subscriptions are counted. */
export const countingHint = (isComplete: boolean): Html | "" =>
  isComplete
    ? ""
    : notice("hint", "Some changes are still being counted, so MRR and Subscriptions may be incomplete for a moment.");
