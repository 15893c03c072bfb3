import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** The button with which copy.js copies the text. Without the script, the text beside it can be selected. */
export const copyButton = (text: string, noun: string): Html => html`<button class="button other small" type="button"
 data-copy="${text}" data-copied="Copied." aria-label="Copy the ${noun}" hidden>Copy</button>
<span role="status"></span>`;

/** A link to hand on, shown in full. `noun`: names the link for a screen reader. `href`: the link from this page. */
export const copyableLink = (url: string, noun: string, href = url): Html =>
  html`<span class="copyable"><a href="${href}">${url}</a> ${copyButton(url, noun)}</span>`;

/** An address or a key to hand on, which leads to no page. */
export const copyableText = (text: string, noun: string): Html =>
  html`<span class="copyable"><code>${text}</code> ${copyButton(text, noun)}</span>`;
