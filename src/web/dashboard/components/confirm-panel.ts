import { html } from "hono/html";
import type { Html } from "../../layout.ts";
import { CONFIRMED, EDIT, hiddenFields, hiddenValues, ONCE, type Sent } from "../sent-form.ts";
import { TOKEN } from "../token-field.ts";

export type ConfirmPanel = {
  /** Hidden fields of the form, beside those of every form. */
  hidden?: Html;
  /** The exact effect, before the click. */
  effect: Html | string;
  /** Further fields. */
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
export function confirmPanel(sent: Parameters<typeof hiddenFields>[0], panel: ConfirmPanel): Html {
  const { hidden, effect, fields, label, isDangerous = false, others, back } = panel;
  return html`<form method="post" class="confirm" data-once>
${hiddenFields(sent)}${hidden ?? ""}
<div class="effect">${effect}</div>
${fields ?? ""}
<p class="actions">
<button class="button small${isDangerous ? " danger" : ""}" type="submit">${label}</button>
${others ?? ""}
<a href="${back}">Not now</a>
</p>
</form>`;
}

/**
 * The effect of the typed values, in the place of their form, with a button back to the form. The values travel in the
 * body, because an address must not bring the values of a change. `values`: the exact form of some typed values, and
 * the figures that the page shows. They replace the sent values of these names, so that a figure of an earlier page is
 * not sent again.
 */
export function effectPanel(
  sent: Sent,
  { values = {}, ...panel }: Omit<ConfirmPanel, "fields" | "hidden"> & { values?: Readonly<Record<string, string>> },
): Html {
  const isOwn = (name: string) => [ONCE, TOKEN, CONFIRMED, EDIT].includes(name) || Object.hasOwn(values, name);
  const typedValues = [...sent.fields].filter(([name]) => !isOwn(name));
  return html`<h2 id="effect">Effect</h2>
${confirmPanel(sent, {
  ...panel,
  hidden: html`${typedValues.map(([name, value]) => hiddenValues({ [name]: value }))}
${hiddenValues({ ...values, [CONFIRMED]: "yes" })}`,
  fields: html`<p>
<button class="link-like" type="submit" name="${EDIT}" value="values">Change the values again</button>
</p>`,
})}`;
}
