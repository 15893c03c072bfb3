import type { ImportProblem } from "../domain/import/both-sides.ts";
import type { CutOverReason, UndoRefusal } from "../domain/import/cut-over.ts";
import { STAY_REASONS, type StayReason } from "../domain/import/stay-reasons.ts";
import type { TotalCause } from "../domain/import/totals.ts";

/** Why a subscription stays, to stand in a list. "It" is the subscription. */
export const STAY_MEANINGS: Record<StayReason, string> = {
  several_items: "it has several items",
  tiers: "its price has tiers, or rounds the quantity to packages",
  usage: "it bills usage, or has a threshold",
  quantity: "its quantity is 0, or above 100,000",
  amount: "its amount is a fraction of the smallest unit, chosen by the buyer, or not chargeable",
  currency: "Billow does not charge its currency",
  send_invoice: "it sends an invoice, and Billow charges cards",
  incomplete: "its first payment is not made",
  paused: "it is paused",
  past_due: "it is unpaid",
  open_invoice: "it has a draft or open invoice",
  pending_items: "amounts wait for its next invoice",
  schedule: "it has a schedule or a pending update, or another subscription is scheduled",
  later_end: "its end is planned for a later period than the one in progress",
  coupon: "it has several discounts, a discount on an item, or a coupon without known terms",
  no_card: "it has no payment method",
  other_payment_method: "it charges no card",
  card_expired: "its card has expired",
  india: "its card is of an Indian bank, which wants a mandate",
  no_email: "its Customer has no e-mail address",
  second_subscription: "its Customer has several subscriptions",
  renewal_near: "it renews within 48 hours",
  other_seller: "a platform or another account takes part in the sale",
  test_clock: "its Customer has a test clock",
};

/** Why the next invoice here has another total than there, to stand in a list. */
export const CAUSE_MEANINGS: Record<TotalCause, string> = {
  no_invoice: "only one of the two systems makes a next invoice",
  price: "the prices differ",
  discount: "the discounts differ",
  tax: "the taxes differ: here they are those of the Organization's settings",
  rounding: "a discount or a tax is rounded in another way",
};

/** The reasons that only the cut-over knows, for operators. */
const OWN_MEANINGS: Record<Exclude<CutOverReason, StayReason>, string> = {
  differs: "the totals of the next invoice differ; --accept moves it",
  price: "its price was changed since the import; import it again",
  balance_currency: "the Customer's balance is in another currency",
  customer_taken: "its Customer here belongs to another Customer there",
  customer_deleted: "its Customer here was deleted",
  refused_here: "Billow refuses the Subscription or the balance as it is there now; import it again to see why",
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

/** For operators, to stand behind the id of a subscription. */
export const PROBLEM_MEANINGS: Record<ImportProblem | "stopping", string> = {
  running_there: "Stripe charges it, and so does Billow: cut over again, and look for a double charge",
  second_subscription: "its Customer has another subscription at Stripe, so both systems charge the Customer",
  ends_there: "its end was planned at Stripe after the move, and Billow charges on: plan it in Billow, too",
  stopped_there: "it is paused at Stripe by an earlier cut-over, so neither system charges: undo again",
  stopping: "its cut-over has stopped in the middle, so neither system charges: cut over again",
};

/** `problem` null: the cut-over has stopped in the middle. */
export const problemMeaning = (problem: ImportProblem | null): string => PROBLEM_MEANINGS[problem ?? "stopping"];

/** The reason of the entry that adds a moved credit to the balance, for operators. `ref`: the subscription there. */
export const movedCreditNote = ({ source, ref }: { source: string; ref: string }): string =>
  `Balance at ${source}, moved with ${ref}`;

/** The reason of the entry with the balance of a row in a table. `system`: the name of the other system. */
export const importedBalanceNote = (system: string): string => `Imported from ${system}`;

/** The reason of the entry that takes this credit away again. */
export const returnedCreditNote = ({ source, ref }: { source: string; ref: string }): string =>
  `Balance moved back to ${source} with ${ref}`;
