import type { ImportProblem } from "../../../domain/import/both-sides.ts";
import type { ImportRow } from "../../../domain/import/import.ts";

/** `command`: for the operator of the server, as it is typed; null: there is none. */
export type NextStep = { text: string; command: string | null };

const cutOver = ({ ref }: ImportRow, more = "") => `node bin/billow.mjs import stripe cut-over ${ref}${more} < key.txt`;

function ofImported(row: ImportRow): NextStep {
  const { accepted, expectedTotal, ownTotal } = row;
  if (expectedTotal !== null && ownTotal !== null && expectedTotal !== ownTotal && !accepted)
    return {
      text: "The totals of the next invoice differ. If the causes are right, the operator cuts over all the same.",
      command: cutOver(row, " --accept"),
    };
  return {
    text: "The operator of the server cuts over. Until then the other system charges the buyer.",
    command: cutOver(row),
  };
}

/** The next step of a subscription of Stripe. */
function ofStripe(row: ImportRow): NextStep {
  switch (row.state) {
    case "assessed":
      return row.reasons.length + row.causes.length > 0
        ? {
            text: "Stripe goes on to charge. Once the reasons are gone, the operator reads the account again.",
            command: "node bin/billow.mjs import stripe assess < key.txt",
          }
        : {
            text: "The operator imports the subscription. The import holds it here, and Stripe goes on to charge.",
            command: "node bin/billow.mjs import stripe import --mapping mapping.json < key.txt",
          };
    case "imported":
      return ofImported(row);
    case "stopping":
      return {
        text: "The cut-over was interrupted, and neither side charges. The operator repeats it, and it goes on.",
        command: cutOver(row),
      };
    case "moved":
      return {
        text:
          "Billow charges from now on. After the first paid renewal, the operator cancels the stopped " +
          "subscription at Stripe.",
        command: "node bin/billow.mjs import stripe finish < key.txt",
      };
    case "finished":
      return { text: "The move is complete.", command: null };
    case "left":
      return { text: "There is no further step.", command: null };
  }
}

/** The remedy of an alarm; null: the row has none that a step of the import mends. */
function ofProblem(row: ImportRow): NextStep | null {
  switch (row.problem as ImportProblem | null) {
    case "running_there":
      return { text: "The operator stops the subscription at Stripe again.", command: cutOver(row) };
    case "stopped_there":
      return {
        text: "The operator lets the subscription run at Stripe again.",
        command: `node bin/billow.mjs import stripe undo ${row.ref} < key.txt`,
      };
    case "ends_there":
      return {
        text: "The end was planned at Stripe after the move. Ask the Customer, and plan the end in Billow, too.",
        command: null,
      };
    case "second_subscription":
      return {
        text: "Cancel one of the two subscriptions of the Customer, at Stripe or in Billow.",
        command: null,
      };
    case null:
      return null;
  }
}

/** The next step of a row, for the person who looks at it. */
export function nextStep(row: ImportRow): NextStep {
  if (row.source === "csv")
    return { text: "The Subscription runs here. Make sure that the other system charges no more.", command: null };
  return ofProblem(row) ?? ofStripe(row);
}
