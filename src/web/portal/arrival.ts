import type { PageContext } from "../environment.ts";

const PREFETCHES = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * Whether a browser opens this address as its page, also over a redirect of the merchant's backend, and from a typed
 * address or a bookmark of the merchant. A program that fetches links does not send these headers (Fetch Metadata), and
 * a script can't set them. A browser that loads a page ahead names the purpose.
 */
export function isSentHere({ req }: PageContext): boolean {
  const isAhead = PREFETCHES.some((name) => /prefetch|prerender|preview/i.test(req.header(name) ?? ""));
  return (
    req.method === "GET" &&
    req.header("Sec-Fetch-Mode") === "navigate" &&
    req.header("Sec-Fetch-Dest") === "document" &&
    !isAhead
  );
}
