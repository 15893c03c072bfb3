import { html } from "hono/html";
import { ENGLISH } from "../../texts/words.ts";
import { faultMark, faultText } from "../components/fault.ts";
import { field, type Field } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { choices, type Choice } from "./components/choices.ts";
import { faultAt, type Sent } from "./sent-form.ts";

/** The typed values and the faults of a form. */
export type FormState = Pick<Sent, "fields" | "refusal">;

/** Beside the label of a field that may stay empty. */
export const OPTIONAL = ENGLISH.frame.optional;

/** The longest text that a field shows again, if the field has no limit of its own. */
const MOST_CHARACTERS = 2048;

/** The text of a field: as it was sent, without control characters, else as it is known. */
export function shownText(
  { fields }: Pick<FormState, "fields">,
  name: string,
  known: string | null = "",
  most = MOST_CHARACTERS,
): string {
  const text = fields.get(name);
  return text === null ? (known ?? "") : text.replace(/[\p{Cc}\p{Cs}]/gu, "").slice(0, most);
}

/** `known`: the value before the form is sent. */
type Text = Pick<Field, "label" | "maxlength"> & { known?: string | null } & Partial<
    Pick<Field, "hint" | "inputmode" | "mark" | "placeholder" | "required" | "suggestions" | "type">
  >;

/** A line of text, with its value and its fault. */
export const textField = (sent: FormState, name: string, { known, ...given }: Text): Html =>
  field({
    inputmode: given.type === "email" ? "email" : "text",
    autocomplete: "off",
    required: false,
    ...given,
    name,
    value: shownText(sent, name, known, given.maxlength),
    fault: faultAt(sent, name),
  });

type Framed = { label: string; mark?: string | undefined; hint?: string | undefined };

/** An input with its label, its hint and its fault. */
function framed(sent: FormState, name: string, { label, mark, hint }: Framed, input: (marks: Html | "") => Html): Html {
  const fault = faultAt(sent, name);
  return html`<div class="field">
<label for="${name}">${label}${mark === undefined ? "" : html` <span class="optional">${mark}</span>`}</label>
${input(faultMark(name, fault, hint))}
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultText(name, fault)}
</div>`;
}

/** A field with several lines. */
export const areaField = (sent: FormState, name: string, given: Framed & { known?: string; maxlength: number }): Html =>
  framed(
    sent,
    name,
    given,
    (marks) => html`<textarea id="${name}" name="${name}" rows="4" maxlength="${given.maxlength}" dir="auto"
 spellcheck="false" ${marks}>
${sent.fields.get(name) ?? given.known ?? ""}</textarea>`,
  );

/** A day of the calendar such as `2026-11-26`, or a day with a time of day in the Organization's zone. */
export const dateField = (
  sent: FormState,
  name: string,
  { type = "date", ...given }: Framed & { type?: "date" | "datetime-local" },
): Html =>
  framed(
    sent,
    name,
    given,
    (marks) => html`<input id="${name}" name="${name}" type="${type}" value="${shownText(sent, name)}"
 autocomplete="off" ${marks}>`,
  );

export type Option = readonly [value: string, label: string];

/** A choice of one value in a list that unfolds. `none`: the label of the empty choice; left out: there is none. */
export function selectField(
  sent: FormState,
  name: string,
  choice: Framed & { known?: string | null; none?: string; options: readonly Option[] },
): Html {
  const { known, none, options } = choice;
  const chosen = shownText(sent, name, known);
  const option = ([value, text]: Option) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ""}>${text}</option>`;
  return framed(
    sent,
    name,
    choice,
    (marks) => html`<select id="${name}" name="${name}" autocomplete="off" ${marks}>
${none === undefined ? "" : option(["", none])}${options.map(option)}
</select>`,
  );
}

/** `known`: the chosen values before the form is sent. `none`: the text if there is no value to choose. */
type Boxes = { legend: string; choices: readonly Choice[]; known?: readonly string[]; none?: Html | string };

/** A choice of any number of values, all of them in sight. */
export function checkField(sent: Sent, name: string, { known = [], ...given }: Boxes): Html {
  const chosen = sent.isSent || sent.fields.has(name) ? sent.fields.getAll(name) : known;
  return choices({ ...given, name, chosen, fault: faultAt(sent, name) });
}

/** A choice of one value, all of them in sight. Without a chosen value, the first one is chosen. */
export function radioField(sent: FormState, name: string, { known = [], ...given }: Boxes): Html {
  const wanted = sent.fields.get(name) ?? known[0];
  const chosen = given.choices.find(([value]) => value === wanted) ?? given.choices[0];
  return choices({ ...given, name, chosen: chosen ? [chosen[0]] : [], isOne: true, fault: faultAt(sent, name) });
}
