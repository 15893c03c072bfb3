import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** `field`: the id of the input that it is about. */
export type Problem = { field?: string; text: string };

/** What has to be looked at before anything else: read out at once, focused even without a script. */
export function notice(title: string, problems: readonly Problem[]): Html {
  const entry = ({ field, text }: Problem) => html`<li>${field === undefined ? text : html`<a href="#${field}">${text}</a>`}</li>`;
  return html`<div class="notice" role="alert" tabindex="-1" autofocus aria-labelledby="notice-title">
<h2 id="notice-title">${title}</h2>
<ul>${problems.map(entry)}</ul>
</div>`;
}
