import { html } from "hono/html";
import type { Html } from "../layout.ts";

/**
 * A section of the home page: a list under a heading. `none`: the text in place of an empty list. `more`: content below
 * the list.
 */
export function section(id: string, heading: string, entries: Html[], none: Html | string, more: Html | "" = ""): Html {
  return html`<section class="paper" aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${entries.length === 0 ? (none === "" ? "" : html`<p>${none}</p>`) : html`<ul class="entries">${entries}</ul>`}
${more}
</section>`;
}
