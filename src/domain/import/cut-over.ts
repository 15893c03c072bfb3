import type { Amount } from "../money.ts";
import type { ImportState } from "./import.ts";
import type { StayReason } from "./stay-reasons.ts";

/*
 * The cut-over of one subscription as a table (decision 0114). Each look takes the row here and a reading of the other
 * system, and names the next step. A step writes the row first, and then sends at most one request. So after a crash at
 * any place, and after a lost answer, the next look finds the way.
 */

/**
 * The subscription in the other system. `running`: it charges. `stopped`: Billow has paused it. `paused`: another
 * person has. `ended`: it was canceled, or is gone.
 */
export const FOREIGN_STATES = ["running", "stopped", "paused", "ended"] as const;
export type ForeignState = (typeof FOREIGN_STATES)[number];

/**
 * Why a stopped subscription runs in the other system again. `stopped_before`: it was stopped without a reading, so its
 * present state is to be read while it runs. `balance_currency`: the balance there is in another currency.
 */
export type TurnReason = "invoice_made" | "stopped_before" | "balance_currency";
/**
 * A reason of an assessment, or one that only the cut-over knows. `differs`: the next totals differ, and the seller
 * did not agree. `price`: the price there is another one than at the import. `customer_taken` and `customer_deleted`:
 * of the Customer here. `refused_here`: Billow refuses the Subscription as it is there now. `changed`: another process
 * has changed the row.
 */
export type CutOverReason = StayReason | TurnReason | OwnReason;
type OwnReason = "differs" | "price" | "customer_taken" | "customer_deleted" | HereReason;
type HereReason = "refused_here" | "changed";
/** Why an undoing is refused. */
export type UndoRefusal = "ended_there" | "invoiced_here" | "changed_here" | "credit_used";

export type CutOverGoal = "cut_over" | "finish" | "undo";

/**
 * All that a decision reads. `reasons`: why the subscription would stay, by the reading; counts only while it runs
 * there, but for `balance_currency`. `hasReading`: the row has the reading before this stop. `invoiceSince`: an invoice
 * was made there since that reading, and is not void. `balance`: the credit that the other system still has for the
 * Customer, below zero for a debt. `taken`: the credit that Billow has taken from there and not given back.
 * `isSettled`: the first renewal here is paid, or the Subscription has ended here. `refusal`: why the release can't be
 * undone; null: it can.
 */
export type CutOverFacts = {
  state: ImportState;
  there: ForeignState;
  reasons: readonly CutOverReason[];
  hasReading: boolean;
  invoiceSince: boolean;
  balance: Amount;
  taken: Amount;
  isSettled: boolean;
  refusal: UndoRefusal | null;
};

/**
 * `stop`: store the reading and `stopping`, then pause there. `begin_undo`: store `stopping` without a
 * reading, so that the way leads back. `take`: store the amount,
 * then take the balance there. `give_back`: the same the other way round. `resume`: let it run there. `back`: store
 * `imported`. `turn`: go the way back from now on. `release`, `hold` and `leave`: one transaction with the Subscription
 * and the credit here. `stop_again`: pause there. `cancel`: cancel there. `finish`: store `finished`. `end`: there is
 * no step left.
 */
export type CutOverStep =
  | { kind: "stop" | "begin_undo" | "take" | "give_back" | "resume" | "release" | "hold" | "leave" }
  | { kind: "stop_again" | "cancel" | "finish" }
  | { kind: "turn"; reason: TurnReason }
  | { kind: "back" }
  | { kind: "end"; result: CutOverResult };

/**
 * `moved`: this system charges. `waiting`: the first renewal here is not paid yet. `stays`: the other system charges.
 * `paused_there`: a person paused it there in the middle of the cut-over, so neither system charges.
 */
export type CutOverResult =
  | { name: "moved" | "finished" | "left" | "undone" | "waiting" | "not_imported" | "paused_there" }
  | { name: "stays"; reasons: readonly CutOverReason[] }
  | { name: "refused"; refusal: UndoRefusal };

type Decide = (facts: CutOverFacts) => CutOverStep;
type Row = Record<ForeignState, Decide>;
type Table = Record<ImportState, Row>;

const step =
  (kind: Exclude<CutOverStep["kind"], "turn" | "end">): Decide =>
  () =>
    ({ kind }) as CutOverStep;
const end = (result: CutOverResult): CutOverStep => ({ kind: "end", result });
const ends =
  (name: Exclude<CutOverResult["name"], "stays" | "refused">): Decide =>
  () =>
    end({ name });
const all = (decide: Decide): Row => ({ running: decide, stopped: decide, paused: decide, ended: decide });

const stays: Decide = ({ reasons }) => end({ name: "stays", reasons });
const giveBackThen =
  (next: Decide): Decide =>
  (facts) =>
    facts.taken === 0 ? next(facts) : { kind: "give_back" };

/** Only a subscription without a reason is stopped. */
const stopOrStay: Decide = (facts) => (facts.reasons.length === 0 ? { kind: "stop" } : stays(facts));

/** The subscription is stopped there. An invoice in between may be charged, so the release would charge twice. */
const releaseStopped: Decide = ({ hasReading, invoiceSince, balance, reasons }) => {
  if (!hasReading) return { kind: "turn", reason: "stopped_before" };
  if (invoiceSince) return { kind: "turn", reason: "invoice_made" };
  // Credit that was given there since the stop. As an amount of the subscription's currency it would be another sum.
  if (reasons.includes("balance_currency")) return { kind: "turn", reason: "balance_currency" };
  return balance === 0 ? { kind: "release" } : { kind: "take" };
};

/** The way back, while the Subscription here is held. Credit must be there before the next charge. */
const WAY_BACK: Row = {
  running: giveBackThen(step("back")),
  stopped: giveBackThen(step("resume")),
  paused: giveBackThen(step("back")),
  ended: step("leave"),
};

const CUT_OVER: Table = {
  assessed: all(ends("not_imported")),
  // Billow's own pause on a subscription that is not stopping is left of an earlier attempt.
  imported: { running: stopOrStay, stopped: step("begin_undo"), paused: stays, ended: step("leave") },
  stopping: {
    // The reading is taken anew, and the stop begins anew.
    running: giveBackThen(step("back")),
    stopped: releaseStopped,
    paused: ends("paused_there"),
    ended: step("leave"),
  },
  moved: { ...all(ends("moved")), running: step("stop_again") },
  finished: all(ends("finished")),
  left: all(ends("left")),
};

const cancelIfSettled: Decide = ({ isSettled }) => (isSettled ? { kind: "cancel" } : end({ name: "waiting" }));

const FINISH: Table = {
  assessed: all(ends("not_imported")),
  imported: all(ends("waiting")),
  stopping: all(ends("waiting")),
  moved: { ...all(cancelIfSettled), ended: step("finish") },
  finished: all(ends("finished")),
  left: all(ends("left")),
};

const refuse =
  (refusal: UndoRefusal): Decide =>
  () =>
    end({ name: "refused", refusal });
const holdUnlessRefused: Decide = ({ refusal }) =>
  refusal === null ? { kind: "hold" } : end({ name: "refused", refusal });

const UNDO: Table = {
  assessed: all(ends("not_imported")),
  imported: { ...all(ends("undone")), stopped: step("begin_undo"), ended: step("leave") },
  stopping: WAY_BACK,
  moved: { ...all(holdUnlessRefused), ended: refuse("ended_there") },
  finished: all(refuse("ended_there")),
  left: all(ends("left")),
};

const TABLES: Record<CutOverGoal, Table> = { cut_over: CUT_OVER, finish: FINISH, undo: UNDO };

/** The next step of one subscription. */
export function nextStep(goal: CutOverGoal, facts: CutOverFacts): CutOverStep {
  return TABLES[goal][facts.state][facts.there](facts);
}
