import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** A list with a row for each resource. On a narrow screen the list scrolls within its frame, by keyboard too. */
export function table(caption: string, headings: readonly string[], rows: readonly Html[]): Html {
  const heading = (text: string) => (text === "" ? html`<td></td>` : html`<th scope="col">${text}</th>`);
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="list">
<caption class="hidden">${caption}</caption>
<thead><tr>${headings.map(heading)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}
