import type { IncomingMessage } from "node:http";

/**
 * Counts a header in the request, since Node's `headers` keeps only the first value or joins all. `name`: lower case.
 */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let found = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const other = rawHeaders[n] as string;
    if (other.length === name.length && other.toLowerCase() === name) found += 1;
  }
  return found;
}
