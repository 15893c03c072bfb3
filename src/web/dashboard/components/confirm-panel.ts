import { html } from "hono/html";
import type { Html } from "../../layout.ts";

export type ConfirmPanel = {
  /** The hidden fields of the form (`hiddenFields`). */
  hidden: Html;
  /** The exact effect, before the click. */
  effect: Html | string;
  /** Further fields, hidden or not. */
  fields?: Html | undefined;
  /** The verb and its object: "Refund 23.71 USD". */
  label: string;
  isDangerous?: boolean;
  /** Further buttons of the form, each with a `formaction`. */
  others?: Html | undefined;
  /** Where "Not now" leads. */
  back: string;
};

/** A form that says its effect and does it with one button. It is sent to the path of its page. */
export function confirmPanel({ hidden, effect, fields, label, isDangerous = false, others, back }: ConfirmPanel): Html {
  return html`<form method="post" class="confirm" data-once>
${hidden}
<div class="effect">${effect}</div>
${fields ?? ""}
<p class="deeds">
<button class="button small${isDangerous ? " danger" : ""}" type="submit">${label}</button>
${others ?? ""}
<a href="${back}">Not now</a>
</p>
</form>`;
}
