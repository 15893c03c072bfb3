import { html } from "hono/html";
import { faultMark, faultText } from "../../components/fault.ts";
import type { Html } from "../../layout.ts";
import { faultAt, type Sent } from "../sent-form.ts";

/** A switch with a sentence. */
export function switchField(
  sent: Sent,
  name: string,
  { label, hint, known }: { label: string; hint: Html | string; known: boolean },
): Html {
  const fault = faultAt(sent, name);
  const isOn = sent.isSent ? sent.fields.has(name) : known;
  return html`<div class="switch">
<input type="checkbox" id="${name}" name="${name}" value="yes"${isOn ? html` checked` : ""}
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
