import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/**
 * A message above the content. `done`: the change that was just made, which a screen reader says. `fault`: a refusal,
 * which a screen reader says at once. `warning` and `hint` are a part of the page.
 */
export function notice(kind: "done" | "fault" | "warning" | "hint", text: Html | string): Html {
  if (kind === "done") return html`<div class="notice done" role="status"><p>${text}</p></div>`;
  if (kind === "fault") return html`<div class="notice" role="alert"><p>${text}</p></div>`;
  return html`<div class="notice ${kind}"><p>${text}</p></div>`;
}
