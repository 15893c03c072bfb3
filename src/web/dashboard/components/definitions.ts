import { html } from "hono/html";
import type { Html } from "../../layout.ts";

export type Definition = readonly [term: Html | string, value: Html | string];

/** Terms with their values, in two columns on a wide screen. */
export function definitions(entries: readonly Definition[]): Html {
  const entry = ([term, value]: Definition) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
  return html`<dl class="definitions">${entries.map(entry)}</dl>`;
}
