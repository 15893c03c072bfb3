import { html } from "hono/html";
import type { Organization } from "../../../domain/model/organization.ts";
import { MOST_PAUSE_MONTHS, MOST_PAUSES_A_YEAR, type PortalPause } from "../../../domain/model/portal-settings.ts";
import type { Html } from "../../layout.ts";
import { selectField, textField } from "../fields.ts";
import { typedNumber } from "../form-values.ts";
import { typed, type Sent } from "../sent-form.ts";
import { group, switchField } from "./fields.ts";

const PAUSE = "portal.pause";
/** Not `portal.pause`: the switch would show the faults of all other fields again. */
const SWITCH = "portal.pausing";
const LONGEST = `${PAUSE}.longestMonths`;
const PER_YEAR = `${PAUSE}.perYear`;
const ACCESS = `${PAUSE}.access`;

/** The fields that show their own faults. */
export const PAUSE_FIELDS = [LONGEST, PER_YEAR, ACCESS] as const;

const ACCESS_OPTIONS = [
  ["revoke", "No access during the pause"],
  ["keep", "The access stays"],
] as const;
/** The typed values before the seller allows pauses for the first time. */
const SUGGESTED: PortalPause = { longestMonths: 3, perYear: 1, access: "revoke" };

/** The fields of the pauses that Customers may make (rule S8l). */
export function pauseFields(sent: Sent, { portalPause }: Organization): Html {
  const { longestMonths, perYear, access } = portalPause ?? SUGGESTED;
  const number = (name: string, label: string, known: number, most: number) =>
    textField(sent, name, {
      label,
      maxlength: 2,
      inputmode: "numeric",
      known: String(known),
      hint: `From 1 to ${most}.`,
    });
  return group(
    "Pauses",
    html`${switchField(sent, SWITCH, {
      label: "Pause",
      hint: "A Customer can pause from the end of the period on. The page of a cancellation offers the pause as well.",
      known: portalPause !== null,
    })}
${number(LONGEST, "Longest pause, in months", longestMonths, MOST_PAUSE_MONTHS)}
${number(PER_YEAR, "Pauses within 365 days", perYear, MOST_PAUSES_A_YEAR)}
${selectField(sent, ACCESS, { label: "Access", options: ACCESS_OPTIONS, known: access })}`,
  );
}

/** The typed pauses as the API takes them; null: none are allowed. */
export function readPauses(sent: Sent) {
  if (!sent.fields.has(SWITCH)) return null;
  return {
    longestMonths: typedNumber(sent, LONGEST),
    perYear: typedNumber(sent, PER_YEAR),
    access: typed(sent, ACCESS),
  };
}
