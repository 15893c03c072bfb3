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

/** Lets the page of this answer have the frame with a message. */
export const allowFrame = (c: PageContext): void => c.header("Content-Security-Policy", `${POLICY}; frame-src 'self'`);

/** The frame with the message of an e-mail as HTML. `src`: the path of the message. */
export const messageFrame = (src: string): Html =>
  html`<iframe title="The e-mail as HTML" src="${src}" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;

/** The answer for the frame: the message of an e-mail as HTML. */
export function messageAnswer(c: PageContext, message: string): Response | Promise<Response> {
  c.header("Content-Security-Policy", MESSAGE_POLICY);
  c.header("X-Frame-Options", "SAMEORIGIN");
  return c.html(message);
}
