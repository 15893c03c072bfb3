import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** The attributes of an input that tie it to its hint and its fault, for screen readers. `name`: the input's id. */
export function faultMark(name: string, fault: string | undefined, hint?: string): Html | "" {
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(fault === undefined ? [] : [`${name}-fault`]),
  ];
  if (described.length === 0) return "";
  return html`${fault === undefined ? "" : html`aria-invalid="true"`} aria-describedby="${described.join(" ")}"`;
}

/** The fault itself, to stand below its input. */
export function faultText(name: string, fault: string | undefined): Html | "" {
  return fault === undefined ? "" : html`<p class="fault" id="${name}-fault">${fault}</p>`;
}
