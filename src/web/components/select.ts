import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { checksMark, type Check } from "./checks.ts";
import { faultMark, faultText } from "./fault.ts";

export type Select = {
  /** Also its id. */
  name: string;
  label: string;
  value: string;
  /** The label of the empty choice. */
  none: string;
  options: readonly { value: string; label: string }[];
  /** A token of HTML's autofill. */
  autocomplete: string;
  fault?: string | undefined;
  checks?: readonly Check[];
};

/** A labelled choice among several values, as `field` is for typed text. */
export function select({ name, label, value, none, options, autocomplete, fault, checks }: Select): Html {
  const option = (each: Select["options"][number]) =>
    html`<option value="${each.value}" ${each.value === value ? html`selected` : ""}>${each.label}</option>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}" autocomplete="${autocomplete}" required
 ${checksMark(checks)}
 ${faultMark(name, fault)}>
<option value="">${none}</option>
${options.map(option)}
</select>
${faultText(name, fault)}
</div>`;
}
