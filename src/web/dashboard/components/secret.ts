import { html } from "hono/html";
import type { Html } from "../../layout.ts";
import { copyButton } from "./copyable.ts";

/** A new secret, which no other page shows. One click selects all of it; copy.js adds a button that copies it. */
export const secret = (label: string, text: string): Html => html`<p class="secret">
<code class="factor-key" aria-label="${label}">${text}</code>
${copyButton(text, "secret")}
</p>`;
