import { html } from "hono/html";
import type { PageContext } from "../environment.ts";
import { POLICY } from "../guards.ts";
import type { Html } from "../layout.ts";

const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";
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
  `sandbox ${SANDBOX}`,
].join("; ");

/** Lets a page show frames of its own origin. */
export function allowFrames(c: PageContext): void {
  c.header("Content-Security-Policy", `${POLICY}; frame-src 'self'`);
}

/** The frame for an e-mail. `src`: the address that answers with `framedMessage`. */
export const messageFrame = (title: string, src: string): Html =>
  html`<iframe title="${title}" src="${src}" sandbox="${SANDBOX}"></iframe>`;

/** The HTML of an e-mail, as the content of a frame. */
export function framedMessage(c: PageContext, message: string): Response | Promise<Response> {
  c.header("Content-Security-Policy", MESSAGE_POLICY);
  c.header("X-Frame-Options", "SAMEORIGIN");
  return c.html(message);
}

/**
 * Marks one of Billow's pages as the content of a frame: it has its styles, but no script and no form. With its own
 * origin, the frame may load the styles.
 */
export function asFramedPage(c: PageContext): void {
  const policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    .replace("form-action 'self'", "form-action 'none'")
    .replace("script-src 'self'", "script-src 'none'");
  c.header("Content-Security-Policy", `${policy}; sandbox allow-same-origin`);
  c.header("X-Frame-Options", "SAMEORIGIN");
}

/** The frame for one of Billow's own pages. `src`: the address that answers after `asFramedPage`. */
export const pageFrame = (title: string, src: string): Html =>
  html`<iframe title="${title}" src="${src}" sandbox="allow-same-origin"></iframe>`;
