import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** The place of a list without rows: a sentence about the rows that will be here, and one next step. */
export function emptyState(text: Html | string, next?: { href: string; label: string }): Html {
  const step = next === undefined ? "" : html`<p><a href="${next.href}">${next.label}</a></p>`;
  return html`<div class="empty"><p>${text}</p>${step}</div>`;
}
