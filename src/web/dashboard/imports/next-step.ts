import type { ImportProblem } from "../../../domain/import/both-sides.ts";
import type { ImportRow } from "../../../domain/import/import.ts";

/** `section`: of the guide, with the command for the operator of the server; null: there is no command. */
export type NextStep = { text: string; section: "1-assess" | "2-the-mapping-and-the-import" | CutOverSection | null };
type CutOverSection = "3-cut-over" | "4-finish" | "the-alarm";

function ofImported(row: ImportRow): NextStep {
  const { accepted, expectedTotal, ownTotal } = row;
  if (expectedTotal !== null && ownTotal !== null && expectedTotal !== ownTotal && !accepted)
    return {
      text: "The totals of the next invoice differ. If the causes are right, the operator cuts over all the same.",
      section: "3-cut-over",
    };
  return {
    text: "The operator of the server cuts over. Until then the other system charges the buyer.",
    section: "3-cut-over",
  };
}

/** The next step of a subscription of Stripe. */
function ofStripe(row: ImportRow): NextStep {
  switch (row.state) {
    case "assessed":
      return row.reasons.length + row.causes.length > 0
        ? {
            text: "Stripe goes on to charge. Once the reasons are gone, the operator reads the account again.",
            section: "1-assess",
          }
        : {
            text: "The operator imports the subscription. The import holds it here, and Stripe goes on to charge.",
            section: "2-the-mapping-and-the-import",
          };
    case "imported":
      return ofImported(row);
    case "stopping":
      return {
        text: "The cut-over was interrupted, and neither side charges. The operator repeats it, and it goes on.",
        section: "3-cut-over",
      };
    case "moved":
      return {
        text:
          "Billow charges from now on. After the first paid renewal, the operator cancels the stopped " +
          "subscription at Stripe.",
        section: "4-finish",
      };
    case "finished":
      return { text: "The move is complete.", section: null };
    case "left":
      return { text: "There is no further step.", section: null };
  }
}

/** The remedy of an alarm; null: the row has none that a step of the import mends. */
function ofProblem(row: ImportRow): NextStep | null {
  switch (row.problem as ImportProblem | null) {
    case "running_there":
      return { text: "The operator stops the subscription at Stripe again.", section: "the-alarm" };
    case "stopped_there":
      return {
        text: "The operator lets the subscription run at Stripe again.",
        section: "the-alarm",
      };
    case "ends_there":
      return {
        text: "The end was planned at Stripe after the move. Ask the Customer, and plan the end in Billow, too.",
        section: null,
      };
    case "second_subscription":
      return {
        text: "Cancel one of the two subscriptions of the Customer, at Stripe or in Billow.",
        section: null,
      };
    case null:
      return null;
  }
}

/** The next step of a row, for the person who looks at it. */
export function nextStep(row: ImportRow): NextStep {
  if (row.source === "csv")
    return { text: "The Subscription runs here. Make sure that the other system charges no more.", section: null };
  return ofProblem(row) ?? ofStripe(row);
}
