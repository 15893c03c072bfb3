import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { checksMark, type Check } from "./checks.ts";
import { faultMark, faultText } from "./fault.ts";

export type Select = {
  /** Also its id. */
  name: string;
  label: string;
  value: string;
  /** Shown beside the label. */
  mark?: string;
  /** The label of the empty choice. */
  none: string;
  options: readonly { value: string; label: string }[];
  /** A token of HTML's autofill. */
  autocomplete: string;
  required: boolean;
  fault?: string | undefined;
  checks?: readonly Check[];
};

/** A labelled choice among several values, as `field` is for typed text. */
export function select(choice: Select): Html {
  const { name, label, value, mark, none, options, autocomplete, required, fault, checks } = choice;
  const option = (each: Select["options"][number]) =>
    html`<option value="${each.value}" ${each.value === value ? html`selected` : ""}>${each.label}</option>`;
  return html`<div class="field">
<label for="${name}">${label}${mark === undefined ? "" : html` <span class="optional">${mark}</span>`}</label>
<select id="${name}" name="${name}" autocomplete="${autocomplete}"
 ${required ? html`required` : ""}
 ${checksMark(checks)}
 ${faultMark(name, fault)}>
<option value="">${none}</option>
${options.map(option)}
</select>
${faultText(name, fault)}
</div>`;
}
