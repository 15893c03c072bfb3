import type { PageContext } from "../environment.ts";

/** `none` is missing: an address that was typed or came from another program, such as a scanner's browser. */
const SITES = ["cross-site", "same-site", "same-origin"];
const PREFETCHES = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * Whether a page sent a person's browser to this address: by a click on a link or a form, also over a redirect of
 * the merchant's backend. A program that fetches links does not send these headers (Fetch Metadata), and a script can't
 * set them. A browser that loads a page ahead names the purpose.
 */
export function isSentHere({ req }: PageContext): boolean {
  const isAhead = PREFETCHES.some((name) => /prefetch|prerender|preview/i.test(req.header(name) ?? ""));
  return (
    req.method === "GET" &&
    req.header("Sec-Fetch-Mode") === "navigate" &&
    req.header("Sec-Fetch-Dest") === "document" &&
    req.header("Sec-Fetch-User") === "?1" &&
    SITES.includes(req.header("Sec-Fetch-Site") ?? "") &&
    !isAhead
  );
}
