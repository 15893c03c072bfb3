import { html } from "hono/html";
import { faultText } from "../../components/fault.ts";
import type { Html } from "../../layout.ts";

export type Choice = readonly [value: string, label: Html | string, hint?: Html | string];

/** Several choices of one field, or one of them (`isOne`). */
export type Choices = {
  /** Also the beginning of the ids. */
  name: string;
  legend: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  isOne?: boolean;
  /** The text if there is no choice. */
  none?: Html | string;
  fault?: string | undefined;
};

/** Boxes to tick, with a legend. The fault stands below them and is tied to the group for screen readers. */
export function choices({ name, legend, choices: all, chosen, isOne = false, none, fault }: Choices): Html {
  const box = ([value, label, hint]: Choice) => {
    const id = `${name}-${value.replaceAll(".", "-")}`;
    return html`<div class="role">
<input type="${isOne ? "radio" : "checkbox"}" id="${id}" name="${name}" value="${value}"
 ${chosen.includes(value) ? html`checked` : ""} ${hint === undefined ? "" : html`aria-describedby="${id}-hint"`}>
<label for="${id}">${label}</label>
${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
  };
  return html`<fieldset class="roles" ${fault === undefined ? "" : html`aria-describedby="${name}-fault"`}>
<legend>${legend}</legend>
${all.length === 0 && none !== undefined ? html`<p class="hint">${none}</p>` : all.map(box)}
${faultText(name, fault)}
</fieldset>`;
}
