import { html } from "hono/html";
import type { Template } from "../../texts/message.ts";
import type { Html } from "../layout.ts";

/** The URL if a browser may be sent to it, else null. Escaping alone would let `javascript:` through. */
export function safeUrl(address: string | null): URL | null {
  const url = address === null ? null : URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

/** The path and query of one of Billow's pages. A browser may reach Billow under another name than PUBLIC_ORIGIN. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** `button other`: a button of lower rank, below another one. */
export type LinkStyle = "plain" | "button" | "button other";

/** A link to the seller's site. The text of the link names the seller as its `seller`. */
export function linkTo(url: URL, text: Template<"seller">, seller: string, style: LinkStyle): Html {
  const looks = style === "plain" ? "" : html`class="${style}"`;
  const label = text.markup({ seller: html`<bdi>${seller}</bdi>` });
  return html`<a ${looks} href="${url.href}" rel="noreferrer">${label}</a>`;
}
