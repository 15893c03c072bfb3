import type { IncomingMessage } from "node:http";

/**
 * Counts the occurrences of a header. Node's `headers` keeps only the first value or joins all values, so it can't
 * tell. `name`: lower case.
 */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let found = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const other = rawHeaders[n] as string;
    if (other.length === name.length && other.toLowerCase() === name) found += 1;
  }
  return found;
}
