import { isUtf8 } from "node:buffer";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import type { PageContext, PageEnvironment } from "./environment.ts";

/** Nothing but what this origin serves: no inline style or script, no third party, no frame around it. */
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

const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["Content-Security-Policy", POLICY],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()"],
  // The address of a page is what authorises it: it goes to nobody.
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["X-Robots-Tag", "noindex"],
];

const YEAR_SECONDS = 31_536_000;

/** Headers of every page, whatever came of it; a page that needs others has set them by itself. */
export function protect(publicOrigin: string) {
  const transport = publicOrigin.startsWith("https:") ? ([["Strict-Transport-Security", `max-age=${YEAR_SECONDS}`]] as const) : [];
  return createMiddleware<PageEnvironment>(async (c, next) => {
    await next();
    for (const [name, value] of [...HEADERS, ...transport]) if (!c.res.headers.has(name)) c.header(name, value);
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  });
}

/**
 * Whether the request comes from a page of ours, as far as the browser tells. It says `Origin: null` of our own forms, since no
 * referrer is to be sent, so that only older browsers are asked for their Origin. The address stays the real guard: it can't be guessed.
 * That of the portal can, but its cookie does not come along with another site's form (SameSite).
 */
function isOurs(c: PageContext, origin: string): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  const from = c.req.header("Origin");
  return from === undefined || from === "null" || from === origin;
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
 * What a form sent. Of one that is too long the rest is read and thrown away, since a browser shows no answer to what it can't send.
 * @throws HTTPException 400 for one that breaks off or is not percent-encoded UTF-8, 413, or 415 for anything that is not a form
 */
export async function readForm(c: PageContext): Promise<URLSearchParams> {
  const type = (c.req.header("Content-Type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new HTTPException(415);
  const bytes = await readBody(c);
  if (!isUtf8(bytes)) throw new HTTPException(400);
  const text = bytes.toString();
  try {
    // What is not UTF-8 would become U+FFFD: somebody's name or address, but not as they wrote it.
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
const MOST_ATTEMPTS = 30;

/**
 * Counts the attempts of each client address, or of whatever else, 30 a minute unless told otherwise: cards and codes are tried out by
 * the thousand. In the memory of one process; it makes that slow, the Checkout's own limit ends it for cards.
 */
export class Attempts {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #since = performance.now();

  constructor(most = MOST_ATTEMPTS) {
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
}
