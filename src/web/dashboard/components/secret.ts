import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** A new secret, which no other page shows. One click selects all of it; copy.js adds a button that copies it. */
export const secret = (label: string, text: string): Html => html`<p class="secret">
<code class="factor-key" aria-label="${label}">${text}</code>
<button class="button other small" type="button" data-copy="${text}" data-copied="Copied." hidden>Copy</button>
<span role="status"></span>
</p>`;
