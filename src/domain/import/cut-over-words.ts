import type { CutOverReason, UndoRefusal } from "./cut-over.ts";
import { STAY_REASONS, type StayReason } from "./stay-reasons.ts";
import { STAY_MEANINGS } from "./words.ts";

/** The reasons that only the cut-over knows, for operators. */
const OWN_MEANINGS: Record<Exclude<CutOverReason, StayReason>, string> = {
  differs: "the totals of the next invoice differ; --accept moves it",
  price: "its price was changed since the import; import it again",
  balance_currency: "the Customer's balance is in another currency",
  customer_taken: "its Customer here belongs to another Customer there",
  customer_deleted: "its Customer here was deleted",
  refused_here: "Billow refuses the Subscription as it is there now; import it again to see why",
  changed: "another command changed it; repeat the command",
  invoice_made: "an invoice was made in the middle of the cut-over, so the stop was undone",
  stopped_before: "it was still paused by an earlier attempt, and runs again; repeat the command",
};

/** Why a moved subscription can't go back, for operators. */
export const REFUSAL_MEANINGS: Record<UndoRefusal, string> = {
  ended_there: "it was canceled at Stripe, which can't be undone",
  invoiced_here: "Billow has made an invoice for it",
  changed_here: "it was changed in Billow since the cut-over",
  credit_used: "the balance that moved with it was used in Billow",
};

const isStay = (reason: CutOverReason): reason is StayReason => (STAY_REASONS as string[]).includes(reason);

export const cutOverMeaning = (reason: CutOverReason): string =>
  isStay(reason) ? STAY_MEANINGS[reason] : OWN_MEANINGS[reason];
