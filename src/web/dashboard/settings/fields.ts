import { html } from "hono/html";
import { field, type Field } from "../../components/field.ts";
import { faultMark, faultText } from "../../components/fault.ts";
import { select, type Select } from "../../components/select.ts";
import type { Html } from "../../layout.ts";
import { type Sent } from "../sent.ts";
import { wasSent } from "./form.ts";

/** A typed text as a page may show it again: without control characters. */
const clean = (text: string, most: number) => text.replace(/[\p{Cc}\p{Cs}]/gu, "").slice(0, most);

/** The text that a field shows: the typed one, else the stored one. */
export function shownText({ fields }: Pick<Sent, "fields">, name: string, stored: string | null, most = 2048): string {
  const text = fields.get(name);
  return text === null ? (stored ?? "") : clean(text, most);
}

/** The first fault of a field, or of a part of the field. */
export function faultBelow({ refusal }: Sent, name: string): string | undefined {
  const place = `/${name.replaceAll(".", "/")}`;
  return refusal?.faults.find(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))?.message;
}

type TextField = Pick<Field, "name" | "label" | "maxlength"> &
  Partial<Pick<Field, "type" | "inputmode" | "hint" | "required" | "placeholder" | "suggestions">> & {
    stored: string | null;
  };

export function textField(sent: Sent, { stored, ...given }: TextField): Html {
  return field({
    inputmode: "text",
    autocomplete: "off",
    required: false,
    ...given,
    value: shownText(sent, given.name, stored, given.maxlength),
    fault: faultBelow(sent, given.name),
  });
}

type ChoiceField = Pick<Select, "name" | "label" | "options"> & { stored: string | null; none?: string; hint?: string };

/** A choice among values. `none`: the label of the empty choice. */
export function choiceField(sent: Sent, { stored, none = "Choose", hint, ...given }: ChoiceField): Html {
  const { name } = given;
  const chosen = select({
    ...given,
    none,
    autocomplete: "off",
    required: false,
    value: shownText(sent, name, stored),
    fault: faultBelow(sent, name),
  });
  return hint === undefined ? chosen : html`<div>${chosen}<p class="hint">${hint}</p></div>`;
}

/** Whether a box is checked: as it was sent, else as it is stored. */
export const isOn = (sent: Sent, name: string, stored: boolean): boolean =>
  wasSent(sent) ? sent.fields.has(name) : stored;

/** A switch with a sentence. `value`: the sent value; `id`: for boxes that share their name. */
export function switchField(
  sent: Sent,
  given: { name: string; label: Html | string; hint: Html | string; stored: boolean },
): Html {
  const { name, label, hint, stored } = given;
  const fault = faultBelow(sent, name);
  return html`<div class="switch">
<input type="checkbox" id="${name}" name="${name}" value="yes"${isOn(sent, name, stored) ? html` checked` : ""}
 ${faultMark(name, fault, "hint")}>
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
${faultText(name, fault)}
</div>`;
}

/** Fields below a heading. */
export function group(legend: string, body: Html, lead?: Html | string): Html {
  return html`<fieldset class="settings-group">
<legend>${legend}</legend>
${lead === undefined ? "" : html`<p class="hint">${lead}</p>`}
${body}
</fieldset>`;
}
