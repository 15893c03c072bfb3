import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** A body as text. Long bodies scroll within their frame, by keyboard too. */
export const payload = (label: string, text: string): Html =>
  html`<pre class="payload" role="region" aria-label="${label}" tabindex="0">${text}</pre>`;
