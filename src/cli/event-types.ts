const MOST_NAMED = 3;

/** The number of characters to insert, leave out or replace to turn one word into the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [n, character] of [...one].entries()) {
    const next = [n + 1];
    for (let m = 0; m < other.length; m++)
      next.push(Math.min(next[m]! + 1, row[m + 1]! + 1, row[m]! + (character === other[m] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/**
 * The types that the user may have meant by `word`, nearest first. A type is near if it contains `word`, or if its
 * distance to `word` is at most half of its length.
 */
function nearest(word: string, types: readonly string[]): string[] {
  const typed = word.toLowerCase();
  const apart = types.map((type) => ({
    type,
    by: typed.length > 2 && type.includes(typed) ? 0 : distance(typed, type),
  }));
  const near = apart.filter(({ type, by }) => by <= type.length / 2);
  return near
    .sort((one, other) => one.by - other.by)
    .slice(0, MOST_NAMED)
    .map(({ type }) => type);
}

/** The advice for a word that is not among `types`: the nearest types, and the page with all types. */
export function otherThan(word: string, types: readonly string[]): string {
  const near = nearest(word, types);
  return `${near.length > 0 ? `Similar types: ${near.join(", ")}. ` : ""}All types are in docs/events.md.`;
}
