import { html } from "hono/html";
import type { Html } from "../../../layout.ts";
import { confirmPanel, type ConfirmPanel } from "../../components/confirm-panel.ts";
import { hiddenFields, type Sent } from "../../sent.ts";
import { hiddenValues } from "./deed-page.ts";

const PREVIEW = "preview";

/** Whether the person has asked for the effect of the typed values. Until then, the page shows the form alone. */
export const isAsked = ({ fields }: Sent): boolean => fields.has(PREVIEW);

/** The button of a form whose next page shows the effect. */
export const previewButton = html`<button class="button small other" type="submit" name="${PREVIEW}" value="yes">
Preview</button>`;

/** `values`: of the form whose effect is shown. The button confirms exactly these values. */
type Shown = Omit<ConfirmPanel, "hidden"> & { values: Readonly<Record<string, string>>; hidden: Html };

/** The effect of the asked values, in the place of their form, with a link back to the form. */
export function askedPanel(sent: Sent, { values, hidden, ...panel }: Shown): Html {
  const asked = hiddenValues({ ...values, [PREVIEW]: "yes" });
  return html`<h2 id="effect">Effect</h2>
${confirmPanel({ ...panel, hidden: html`${hiddenFields(sent)}${asked}${hidden}` })}
<p class="aside"><a href="?${new URLSearchParams(values)}">Change the values</a></p>`;
}

/** The typed reason among the effects of a deed. */
export const reasonItem = (reason: string): Html[] =>
  reason === "" ? [] : [html`The reason for your records: <bdi>“${reason}”</bdi>.`];
