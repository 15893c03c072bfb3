import { isUtf8 } from "node:buffer";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import type { PageContext, PageEnvironment } from "./environment.ts";

/**
 * A page may load only content of its own origin: no inline style or script, no third party, no frame around the
 * page.
 */
export const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/**
 * The policy of a page with a form that leads to a page of the provider at this origin. Chromium applies `form-action`
 * to the redirect after a form, too.
 */
export const policyLeadingTo = (origin: string) => POLICY.replace("form-action 'self'", `form-action 'self' ${origin}`);

/** The header has no word for "any site", so a page for any site lacks the header. */
const FRAME_OPTIONS = "X-Frame-Options";

/** The policy of a page without forms that any site may show in a frame. */
export const FRAMED_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors *",
  "require-trusted-types-for 'script'",
].join("; ");

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["Content-Security-Policy", POLICY],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()"],
  // The URL of a page grants access to the page, so other sites must not learn the URL.
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
  [FRAME_OPTIONS, "DENY"],
  ["X-Robots-Tag", "noindex"],
];

const YEAR_SECONDS = 31_536_000;

/** The headers of every page, also of an error. A page that needs other headers has set them itself. */
export function protect(publicOrigin: string) {
  const transport = publicOrigin.startsWith("https:")
    ? ([["Strict-Transport-Security", `max-age=${YEAR_SECONDS}`]] as const)
    : [];
  return createMiddleware<PageEnvironment>(async (c, next) => {
    await next();
    const isFramed = c.res.headers.get("Content-Security-Policy") === FRAMED_POLICY;
    for (const [name, value] of [...HEADERS, ...transport])
      if (!c.res.headers.has(name) && !(isFramed && name === FRAME_OPTIONS)) c.header(name, value);
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  });
}

/**
 * Whether the request comes from one of Billow's pages, as far as the browser tells. `Origin: null` is the origin of a
 * page in a sandboxed frame or in a file. Billow's own forms send `Origin: null` too, since pages send no referrer, but
 * browsers since 2023 tell the site in `Sec-Fetch-Site`. A program sends neither of the two. The real guard is the
 * page's URL, which can't be guessed. The portal's URL can be guessed, but a browser does not send the portal's cookie
 * with another site's form (SameSite).
 */
function isOurs(c: PageContext, origin: string): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const from = c.req.header("Origin");
  return from === undefined || from === origin;
}

/** @throws HTTPException 403 for a form that another site sent. */
export function refuseForeignForms(publicOrigin: string) {
  const { origin } = new URL(publicOrigin);
  return createMiddleware<PageEnvironment>(async (c, next) => {
    if (c.req.method === "POST" && !isOurs(c, origin)) throw new HTTPException(403);
    await next();
  });
}

const MOST_FORM_BYTES = 16 * 1024;

/**
 * Reads a form. If the form is too long, the rest is read and thrown away: a browser that can't send all of it shows
 * no answer.
 * @throws HTTPException 400 for a form that breaks off or is not percent-encoded UTF-8, 413 for one that is too long,
 * or 415 for anything that is not a form
 */
export async function readForm(c: PageContext): Promise<URLSearchParams> {
  const type = (c.req.header("Content-Type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new HTTPException(415);
  const bytes = await readBody(c);
  if (!isUtf8(bytes)) throw new HTTPException(400);
  const text = bytes.toString();
  try {
    // Refuses percent-encoded text that is not UTF-8. Otherwise U+FFFD would replace letters of a name or an address.
    decodeURIComponent(text);
  } catch {
    throw new HTTPException(400);
  }
  return new URLSearchParams(text);
}

async function readBody(c: PageContext): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length;
      if (size <= MOST_FORM_BYTES) chunks.push(chunk);
    }
  } catch (cause) {
    throw new HTTPException(400, { cause });
  }
  if (size > MOST_FORM_BYTES) throw new HTTPException(413);
  return Buffer.concat(chunks);
}

const WINDOW_MILLISECONDS = 60_000;
const MOST_REQUESTS = 30;

/**
 * Limits the requests of each client address, or of another key, to 30 a minute by default. Attackers try out cards and
 * codes by the thousand, and this limit slows them down. Each process counts for itself. For cards, the Checkout's own
 * limit ends such attempts.
 */
export class RequestLimit {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #since = performance.now();

  constructor(most = MOST_REQUESTS) {
    this.#most = most;
  }

  /** @throws HTTPException 429 */
  count(address: string): void {
    const now = performance.now();
    if (now - this.#since >= WINDOW_MILLISECONDS) {
      this.#counts.clear();
      this.#since = now;
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    if (count > this.#most) throw new HTTPException(429);
  }

  /** Takes one request back, which turned out to be harmless. */
  forgive(address: string): void {
    const count = this.#counts.get(address) ?? 0;
    if (count > 0) this.#counts.set(address, count - 1);
  }
}
