import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Html } from "../../layout.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { dashboardPage } from "../frame.ts";
import type { SectionName } from "../sections.ts";
import { hiddenFields, refusalNotice, type Sent } from "../sent.ts";
import { carried } from "./fields.ts";
import { catalogueHead } from "./head.ts";

/** `own`: the hidden fields of a deed without a form before. Without `own`, the form is carried along. */
type Confirmation = {
  section: SectionName;
  title: string;
  effect: Html;
  label: string;
  isDangerous?: boolean;
  back: string;
  own?: Readonly<Record<string, string>>;
};

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

/** The step before a change: the exact effect, and the button that makes the change. */
export function confirmPage(ctx: Context, sent: Sent, confirmation: Confirmation): Html {
  const { section, title, effect, label, isDangerous = false, back, own } = confirmation;
  const fields =
    own === undefined
      ? html`${carried(sent)}${hidden("confirmed", "yes")}`
      : html`${Object.entries(own).map(([name, value]) => hidden(name, value))}`;
  const again = html`<p>
<button class="link-like" type="submit" name="again" value="yes">Change the values again</button>
</p>`;
  const body = html`${refusalNotice(sent)}
${confirmPanel({
  hidden: html`${hiddenFields(sent)}${fields}`,
  effect,
  fields: own === undefined ? again : undefined,
  label,
  isDangerous,
  back,
})}`;
  return dashboardPage(ctx, sent.visit, { section, title, body, head: catalogueHead(ctx) });
}
