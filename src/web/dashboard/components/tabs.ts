import { html } from "hono/html";
import type { Html } from "../../layout.ts";

export type Tab = { href: string; label: string; isCurrent: boolean };

/** Links to the parts of one subject. `label` names the subject for screen readers. */
export function tabs(label: string, entries: readonly Tab[]): Html {
  const entry = ({ href, label: text, isCurrent }: Tab) =>
    html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ""}>${text}</a></li>`;
  return html`<nav class="tabs" aria-label="${label}"><ul>${entries.map(entry)}</ul></nav>`;
}
