import { html } from "hono/html";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";

/** A button that copies the license key of a Benefit. copy.js shows the button where a browser lets a page copy. */
export function copyButton({ licenses }: Words, key: string, benefit: string): Html {
  return html`<button class="button other small" type="button" data-copy="${key}" data-copied="${licenses.copied}"
aria-label="${licenses.copyKey({ benefit })}" hidden>${licenses.copy}</button> <span role="status"></span>`;
}
