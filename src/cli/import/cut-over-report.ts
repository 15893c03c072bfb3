import type { CutOverOutcome } from "../../actions/import/cut-over.ts";
import { csvLine } from "../../csv.ts";
import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { cutOverMeaning, REFUSAL_MEANINGS } from "../../resources/import-meanings.ts";
import type { CutOverGoal } from "../../domain/import/cut-over.ts";
import { table } from "../table.ts";
import { csvReport, jsonReport, type RowReport } from "./row-report.ts";

/** The results that need no person. */
const DONE: readonly string[] = ["moved", "finished", "left", "undone"];
const isDone = ({ result, invoiceThere }: CutOverOutcome): boolean =>
  DONE.includes(result.name) && invoiceThere === null;

/** Why a subscription did not go its way; an empty text: it did. */
function whyOf({ result, invoiceThere }: CutOverOutcome): string {
  const charged = invoiceThere === null ? "" : `Stripe has made ${invoiceThere} since: look whether it was charged`;
  switch (result.name) {
    case "stays":
      return result.reasons.map((reason) => `${reason}: ${cutOverMeaning(reason)}`).join("; ");
    case "refused":
      return `${result.refusal}: ${REFUSAL_MEANINGS[result.refusal]}`;
    case "unanswered":
    case "refused_there":
      return result.says;
    case "busy":
      return "another command works on it";
    case "waiting":
      return "its first renewal in Billow is not paid yet";
    case "not_imported":
      return "it is not imported";
    case "paused_there":
      return "a person has paused it at Stripe in the middle of the cut-over: resume it there, or undo";
    case "moved":
    case "finished":
    case "left":
    case "undone":
      return charged;
  }
}

function resourceOf(outcome: CutOverOutcome) {
  const { ref: subscription, result, invoiceThere: stripeInvoice } = outcome;
  const reasons = result.name === "stays" ? result.reasons : result.name === "refused" ? [result.refusal] : [];
  return { subscription, result: result.name, reasons, stripeInvoice, why: whyOf(outcome) || null };
}

/** The outcomes so far. Only those are kept that a person must see, and the numbers of all. */
export type CutOverTally = ReturnType<typeof cutOverTally>;

export function cutOverTally() {
  const results = new Map<string, number>();
  const outcomes: CutOverOutcome[] = [];
  return {
    results,
    /** Those that did not go their way. */
    outcomes,
    count: 0,
    add(outcome: CutOverOutcome): void {
      this.count += 1;
      results.set(outcome.result.name, (results.get(outcome.result.name) ?? 0) + 1);
      if (!isDone(outcome)) outcomes.push(outcome);
    },
  };
}

export type CutOverReportOf = { account: string; endedAt: Instant; goal: CutOverGoal };
export type CutOverFormat = RowReport<CutOverOutcome, [of: CutOverReportOf, tally: CutOverTally]>;

export const csvCutOver = (): CutOverFormat =>
  csvReport(["subscription", "result", "reasons", "stripe_invoice", "why"], (outcome) => {
    const { subscription, result, reasons, stripeInvoice, why } = resourceOf(outcome);
    return csvLine([subscription, result, reasons.join(" "), stripeInvoice, why]);
  });

export const jsonCutOver = (): CutOverFormat =>
  jsonReport(resourceOf, ({ account, endedAt }, { results }) => {
    return { account, endedAt: formatInstant(endedAt), results: Object.fromEntries(results) };
  });

/** The most subscriptions of a text. */
const MOST_ROWS = 50;
const HEADINGS: Record<CutOverGoal, string> = { cut_over: "Cut-over", finish: "Finish", undo: "Undo" };

export function textCutOver(): CutOverFormat {
  return {
    beginning: "",
    row: () => "",
    end({ account, endedAt, goal }, { results, outcomes, count }) {
      const rows = outcomes.slice(0, MOST_ROWS).map((each) => [each.ref, each.result.name, whyOf(each)]);
      return [
        `${HEADINGS[goal]} at ${account}, ended at ${formatInstant(endedAt)}. Subscriptions: ${count}.`,
        ...(results.size === 0 ? [] : ["", table(["RESULT", "SUBSCRIPTIONS"], numbersOf(results), "")]),
        ...(rows.length === 0 ? [] : ["", table(["SUBSCRIPTION", "RESULT", "WHY"], rows, "")]),
        ...(outcomes.length > MOST_ROWS ? [`${outcomes.length - MOST_ROWS} more: --format csv lists them.`] : []),
        "",
      ].join("\n");
    },
  };
}

const numbersOf = (results: ReadonlyMap<string, number>) => [...results].map(([name, n]) => [name, String(n)]);
