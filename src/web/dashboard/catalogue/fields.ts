import { html } from "hono/html";
import { faultMark, faultText } from "../../components/fault.ts";
import { field, shownAgain } from "../../components/field.ts";
import type { Html } from "../../layout.ts";
import { faultAt, type Sent } from "../sent.ts";

/** The hidden field of a form that was sent. */
const SENT = "form";
export const sentMark: Html = html`<input type="hidden" name="${SENT}" value="sent">`;

export const isSent = ({ fields }: Pick<Sent, "fields">): boolean => fields.has(SENT);

/** The form with its first values, unless the form was sent. */
export const filled = (sent: Sent, first: URLSearchParams): Sent => (isSent(sent) ? sent : { ...sent, fields: first });

/** The fields of a form as hidden ones, for the page that asks for a confirmation. */
export function carried({ fields }: Sent): Html {
  const values = [...fields].filter(([name]) => !["once", "token", "confirmed"].includes(name));
  return html`${values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}`;
}

type Text = {
  label: string;
  hint?: string | undefined;
  maxlength: number;
  inputmode?: "text" | "numeric";
  mark?: string;
  placeholder?: string;
};

/** A line of text, with its value and its fault. */
export const textField = (sent: Sent, name: string, { label, hint, maxlength, inputmode, ...rest }: Text): Html =>
  field({
    name,
    label,
    hint,
    maxlength,
    inputmode: inputmode ?? "text",
    autocomplete: "off",
    required: false,
    value: shownAgain(sent.fields.get(name) ?? ""),
    fault: faultAt(sent, name),
    ...rest,
  });

/** A field with several lines. */
export function areaField(sent: Sent, name: string, { label, hint, maxlength, mark }: Text): Html {
  return html`<div class="field">
<label for="${name}">${label}${mark === undefined ? "" : html` <span class="optional">${mark}</span>`}</label>
<textarea id="${name}" name="${name}" rows="4" maxlength="${maxlength}" dir="auto"
 ${faultMark(name, faultAt(sent, name), hint)}>
${sent.fields.get(name) ?? ""}</textarea>
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultText(name, faultAt(sent, name))}
</div>`;
}

/** A date and a time of day in the Organization's zone. */
export function timeField(sent: Sent, name: string, { label, hint, mark }: Omit<Text, "maxlength">): Html {
  return html`<div class="field">
<label for="${name}">${label}${mark === undefined ? "" : html` <span class="optional">${mark}</span>`}</label>
<input id="${name}" name="${name}" type="datetime-local" value="${shownAgain(sent.fields.get(name) ?? "")}"
 ${faultMark(name, faultAt(sent, name), hint)}>
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultText(name, faultAt(sent, name))}
</div>`;
}

export type Option = readonly [value: string, label: string];

const optionOf =
  (chosen: string) =>
  ([value, label]: Option) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ""}>${label}</option>`;

type Choice = { label: Html | string; options: readonly Option[]; hint?: string };

/** A choice of one value in a list that unfolds. */
export function selectField(sent: Sent, name: string, { label, options, hint }: Choice): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}" autocomplete="off" ${faultMark(name, faultAt(sent, name), hint)}>
${options.map(optionOf(sent.fields.get(name) ?? ""))}
</select>
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultText(name, faultAt(sent, name))}
</div>`;
}

export type Described = readonly [value: string, label: Html | string, hint?: string];

function entry(name: string, type: "radio" | "checkbox", isChosen: boolean, [value, label, hint]: Described): Html {
  const id = `${name}-${value}`;
  const described = hint === undefined ? "" : html` aria-describedby="${id}-hint"`;
  return html`<div class="role">
<input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen ? html` checked` : ""}${described}>
<label for="${id}">${label}</label>
${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

/** A choice of one value, all of them in sight. Without a chosen value, the first one is chosen. */
export function radioField(sent: Sent, name: string, legend: string, options: readonly Described[]): Html {
  const given = sent.fields.get(name);
  const chosen = options.some(([value]) => value === given) ? given : options[0]![0];
  return html`<fieldset class="roles"><legend>${legend}</legend>
${options.map((option) => entry(name, "radio", option[0] === chosen, option))}
${faultText(name, faultAt(sent, name))}
</fieldset>`;
}

/** A choice of any number of values. `none`: the text if there is no value to choose. */
export function checkField(
  sent: Sent,
  name: string,
  legend: string,
  options: readonly Described[],
  none: Html | string,
): Html {
  const chosen = new Set(sent.fields.getAll(name));
  return html`<fieldset class="roles"><legend>${legend}</legend>
${options.length === 0 ? html`<p class="hint">${none}</p>` : ""}
${options.map((option) => entry(name, "checkbox", chosen.has(option[0]), option))}
${faultText(name, faultAt(sent, name))}
</fieldset>`;
}

/** The button that a key press sends: the first of its form, so that Enter makes no other button's step. */
export const enterButton: Html = html`<button class="hidden" type="submit" tabindex="-1" aria-hidden="true"></button>`;
