import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** The address if a browser may be sent there, else null. Escaping alone would let `javascript:` through. */
export function safeUrl(address: string | null): URL | null {
  const url = address === null ? null : URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

/** The path of one of our pages, with its query: a browser may know us under another name than PUBLIC_ORIGIN. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** A link out of our pages. Its text names the host. */
export function linkTo(url: URL, verb: string, style: "button" | "plain"): Html {
  const looks = style === "button" ? html`class="button"` : "";
  return html`<a ${looks} href="${url.href}" rel="noreferrer">${verb} <bdi>${url.host}</bdi></a>`;
}
