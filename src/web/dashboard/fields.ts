import { html } from "hono/html";
import { ENGLISH } from "../../texts/words.ts";
import { faultMark, faultText } from "../components/fault.ts";
import { field, shownAgain } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { faultAt, type Sent } from "./sent.ts";

type Text = {
  label: string;
  /** The value before the form is sent. */
  known?: string;
  hint?: string | undefined;
  maxlength: number;
  type?: "text" | "email";
  required?: boolean;
};

const OPTIONAL = ENGLISH.frame.optional;

const labelled = (name: string, label: string, required: boolean): Html =>
  html`<label for="${name}">${label}${required ? "" : html` <span class="optional">${OPTIONAL}</span>`}</label>`;
/** The typed values and the faults of a form. */
type Shown = Pick<Sent, "fields" | "refusal">;

const below = (sent: Shown, name: string, hint: string | undefined): Html =>
  html`${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultText(name, faultAt(sent, name))}`;

/** The value of a field: as it was sent, else as it is known. */
const valueOf = ({ fields }: Shown, name: string, known = "") => fields.get(name) ?? known;

/** A line of text, with its value and its fault. */
export function textField(sent: Shown, name: string, text: Text): Html {
  const { known, required = false, type = "text", ...rest } = text;
  return field({
    name,
    ...rest,
    ...(required ? {} : { mark: OPTIONAL }),
    type,
    inputmode: type,
    autocomplete: "off",
    required,
    value: shownAgain(valueOf(sent, name, known)),
    fault: faultAt(sent, name),
  });
}

/** A field with several lines. */
export function areaField(sent: Sent, name: string, { label, known, hint, maxlength, required = false }: Text): Html {
  return html`<div class="field">
${labelled(name, label, required)}
<textarea id="${name}" name="${name}" rows="4" maxlength="${maxlength}" dir="auto" spellcheck="false"
 ${faultMark(name, faultAt(sent, name), hint)}>
${valueOf(sent, name, known)}</textarea>
${below(sent, name, hint)}
</div>`;
}

/** A day of the calendar, such as `2026-11-26`. */
export function dateField(sent: Shown, name: string, { label, hint }: Pick<Text, "label" | "hint">): Html {
  return html`<div class="field">
${labelled(name, label, false)}
<input id="${name}" name="${name}" type="date" value="${shownAgain(valueOf(sent, name))}" autocomplete="off"
 ${faultMark(name, faultAt(sent, name), hint)}>
${below(sent, name, hint)}
</div>`;
}

export type Option = readonly [value: string, label: string];

/** A choice of one value. `none`: the label of the empty choice; left out: there is none. */
export function selectField(
  sent: Sent,
  name: string,
  choice: { label: string; known?: string; hint?: string; none?: string; options: readonly Option[] },
): Html {
  const { label, known, hint, none, options } = choice;
  const chosen = valueOf(sent, name, known);
  const option = ([value, text]: Option) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ""}>${text}</option>`;
  return html`<div class="field">
${labelled(name, label, none === undefined)}
<select id="${name}" name="${name}" autocomplete="off" ${faultMark(name, faultAt(sent, name), hint)}>
${none === undefined ? "" : option(["", none])}${options.map(option)}
</select>
${below(sent, name, hint)}
</div>`;
}
