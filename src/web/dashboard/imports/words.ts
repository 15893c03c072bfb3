import type { StayReason } from "../../../domain/import/stay-reasons.ts";
import { STAY_MEANINGS } from "../../../domain/import/words.ts";
import type { ImportSource } from "../../../domain/model/imported.ts";
import { valueInWords } from "../../../domain/words.ts";
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

/** The state of a row. An assessed one can move, or stays. */
export const stateOf = ({ reasons, state }: Pick<ImportRow, "reasons" | "state">): State =>
  state !== "assessed" ? STATES[state] : reasons.length === 0 ? CAN_MOVE : STAYS;

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
export const reasonText = (reason: StayReason): string => sentence(STAY_MEANINGS[reason]);

export const COMPARED: Record<Comparison, string> = {
  equal: "Equal on both sides",
  different: "Different",
  open: "Not compared",
};

/** A word of the row, such as a cause, as the beginning of a sentence. */
export const wordText = (word: string): string => sentence(valueInWords(word));
