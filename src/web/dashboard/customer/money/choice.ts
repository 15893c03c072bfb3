import { html } from "hono/html";
import type { Html } from "../../../layout.ts";

/** `hint`: a sentence about the choice. */
type Choice = { value: string; label: string; hint?: string };

function box(type: "radio" | "checkbox", name: string, { value, label, hint }: Choice, isChosen: boolean): Html {
  const id = `${name}-${value}`;
  const told = hint === undefined ? "" : html` aria-describedby="${id}-hint"`;
  return html`<div class="role">
<input type="${type}" id="${id}" name="${name}" value="${value}"${isChosen ? html` checked` : ""}${told}>
<label for="${id}">${label}</label>
${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

/** A choice of one among several. */
export const oneOf = (name: string, legend: string, choices: readonly Choice[], chosen: string): Html =>
  html`<fieldset class="roles"><legend>${legend}</legend>
${choices.map((choice) => box("radio", name, choice, choice.value === chosen))}</fieldset>`;

/** A box to tick. */
export const tick = (name: string, choice: Choice, isChosen: boolean): Html => box("checkbox", name, choice, isChosen);
