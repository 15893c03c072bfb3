/** A license key of which only the last characters can be read. A prefix that the seller chose says no secret. */
export function maskedKey(key: string): string {
  return `••••${key.slice(-4)}`;
}
