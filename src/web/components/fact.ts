import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** A name and its value. The value may be in any script. */
export function fact(name: Html | string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;
}
