import type { PageContext } from "./environment.ts";
import { POLICY } from "./guards.ts";
import { html } from "hono/html";
import type { Html } from "./layout.ts";

/**
 * The policy of a mail program: styles of its own and the merchant's logo, but no script, and no access to Billow's
 * pages.
 */
const MESSAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-popups allow-popups-to-escape-sandbox",
].join("; ");

/** Lets the page of this answer have frames with content of its own origin. */
export const allowFrame = (c: PageContext): void => c.header("Content-Security-Policy", `${POLICY}; frame-src 'self'`);

/** The frame with the message of an e-mail as HTML. `src`: the path of the message. */
export const messageFrame = (src: string, title = "The e-mail as HTML"): Html =>
  html`<iframe title="${title}" src="${src}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;

/** The answer for the frame: the message of an e-mail as HTML. */
export function messageAnswer(c: PageContext, message: string): Response | Promise<Response> {
  c.header("Content-Security-Policy", MESSAGE_POLICY);
  c.header("X-Frame-Options", "SAMEORIGIN");
  return c.html(message);
}

/**
 * Marks one of Billow's pages as the content of a frame: the page has its styles, but no script and no form. The page
 * keeps its origin, because a page without an origin may not load the styles.
 */
export function asFramedPage(c: PageContext): void {
  const policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    .replace("form-action 'self'", "form-action 'none'")
    .replace("script-src 'self'", "script-src 'none'");
  c.header("Content-Security-Policy", `${policy}; sandbox allow-same-origin`);
  c.header("X-Frame-Options", "SAMEORIGIN");
}

/** The frame for one of Billow's own pages. `src`: the path of a page that is marked by `asFramedPage`. */
export const pageFrame = (src: string, title: string): Html =>
  html`<iframe title="${title}" src="${src}" sandbox="allow-same-origin"></iframe>`;
