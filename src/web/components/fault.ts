import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** The attributes of an input that tie it to its fault, for screen readers. `name`: the input's id. */
export function faultMark(name: string, fault: string | undefined): Html | "" {
  return fault === undefined ? "" : html`aria-invalid="true" aria-describedby="${name}-fault"`;
}

/** The fault itself, to stand below its input. */
export function faultText(name: string, fault: string | undefined): Html | "" {
  return fault === undefined ? "" : html`<p class="fault" id="${name}-fault">${fault}</p>`;
}
