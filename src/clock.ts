/** Real time in milliseconds since 1970 in UTC. */
export function realNow(): number {
  return Date.now();
}
