import { html } from "hono/html";
import type { Html } from "../../../layout.ts";
import { confirmPanel, type ConfirmPanel } from "../../components/confirm-panel.ts";
import { hiddenFields, LOOK, type Sent } from "../../sent.ts";
import { hiddenValues } from "./deed-page.ts";

const PREVIEW = "preview";

/**
 * Whether the person has asked for the effect of the typed values, by the button "Preview" or by the panel that shows
 * the effect. Until then, and after the button "Change the values", the page shows the form alone.
 */
export const isAsked = ({ fields }: Sent): boolean =>
  fields.get(LOOK) === PREVIEW || (fields.has(PREVIEW) && !fields.has(LOOK));

/**
 * A form whose next page shows the effect. The values travel in the body, because an address must not bring the values
 * of a deed.
 */
export const askingForm = (sent: Sent, fields: Html): Html => html`<form method="post" class="narrow" novalidate>
${hiddenFields(sent)}
${fields}
<button class="button small other" type="submit" name="${LOOK}" value="${PREVIEW}">Preview</button>
</form>`;

/** `values`: of the form whose effect is shown. The button confirms exactly these values. */
type Shown = Omit<ConfirmPanel, "hidden"> & { values: Readonly<Record<string, string>>; hidden: Html };

/** The effect of the asked values, in the place of their form, with a button back to the form. */
export function askedPanel(sent: Sent, { values, hidden, ...panel }: Shown): Html {
  const asked = hiddenValues(values);
  const mark = hiddenValues({ [PREVIEW]: "yes" });
  return html`<h2 id="effect">Effect</h2>
${confirmPanel({ ...panel, hidden: html`${hiddenFields(sent)}${asked}${mark}${hidden}` })}
<form method="post" class="aside">${hiddenFields(sent)}${asked}
<button class="link-like" type="submit" name="${LOOK}" value="form">Change the values</button></form>`;
}

/** The typed reason among the effects of a deed. */
export const reasonItem = (reason: string): Html[] =>
  reason === "" ? [] : [html`The reason for your records: <bdi>“${reason}”</bdi>.`];
