import type { CutOverReason } from "../../../domain/import/cut-over.ts";
import type { ImportSource } from "../../../domain/model/imported.ts";
import { valueInWords } from "../../../domain/words.ts";
import { CAUSE_MEANINGS, cutOverMeaning, PROBLEM_MEANINGS } from "../../../resources/import-meanings.ts";
import type { Comparison } from "../../../store/imports.ts";
import type { ImportRow, ImportState, ImportStep } from "../../../domain/import/import.ts";
import type { Tone } from "../components/badge.ts";

type State = readonly [tone: Tone, label: string];

/** The tone and the label of each state of a subscription in an import. */
export const STATES: Record<ImportState, State> = {
  assessed: ["quiet", "Assessed"],
  imported: ["busy", "Held here"],
  stopping: ["bad", "Stopping"],
  moved: ["good", "Moved"],
  finished: ["good", "Finished"],
  left: ["quiet", "Left"],
};

export const CAN_MOVE: State = ["busy", "Can move"];
export const STAYS: State = ["quiet", "Stays"];

/** The state of a row. An assessed one can move, or stays: for a reason, or for a cause that an import has met. */
export function stateOf({ causes, reasons, state }: Pick<ImportRow, "causes" | "reasons" | "state">): State {
  if (state !== "assessed") return STATES[state];
  return reasons.length === 0 && causes.length === 0 ? CAN_MOVE : STAYS;
}

/** The side that charges the buyer in each state. */
export const CHARGED_BY: Record<ImportState, string> = {
  assessed: "The other system charges the buyer. Billow has no Subscription.",
  imported: "The other system charges the buyer. The Subscription here is held.",
  stopping: "Neither side charges the buyer.",
  moved: "Billow charges the buyer. The subscription in the other system is stopped, and not canceled yet.",
  finished: "Billow charges the buyer. The subscription in the other system has ended.",
  left: "The import of this subscription has ended. Billow does not charge the buyer for it.",
};

export const STEPS: Record<ImportStep, string> = {
  assess: "Assess",
  import: "Import",
  cut_over: "Cut over",
  csv: "Import from CSV",
};

export const SOURCES: Record<ImportSource, string> = { stripe: "Stripe", csv: "CSV" };

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A reason to stay as the beginning of a sentence. */
export const reasonText = (reason: CutOverReason): string => sentence(cutOverMeaning(reason));

/** An alarm as the beginning of a sentence. */
export const problemText = (problem: string): string =>
  Object.hasOwn(PROBLEM_MEANINGS, problem)
    ? sentence(PROBLEM_MEANINGS[problem as keyof typeof PROBLEM_MEANINGS])
    : sentence(valueInWords(problem));

/** The causes of a difference, and those for which a subscription that can move was not imported. */
const CAUSES: Readonly<Record<string, string>> = {
  ...CAUSE_MEANINGS,
  no_email: "its Customer's e-mail address is none that Billow takes",
  customer_taken: "another Customer here has the external id",
  customer_deleted: "its Customer was deleted here",
  refused: "a rule of Billow is against it; the report of the import has the words",
};

/** A cause as the beginning of a sentence. */
export const causeText = (cause: string): string => sentence(CAUSES[cause] ?? valueInWords(cause));

export const COMPARED: Record<Comparison, string> = {
  equal: "Equal on both sides",
  different: "Different",
  open: "Not compared",
};
