import type { IncomingMessage } from "node:http";

/** How often a header stands in the request: of several, Node's `headers` has the first or all in one. `name` in lower case. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let found = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const other = rawHeaders[n] as string;
    if (other.length === name.length && other.toLowerCase() === name) found += 1;
  }
  return found;
}
