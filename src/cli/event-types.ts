import { didYouMean, nearest } from "../suggestion.ts";

/** The advice for a word that is not among `types`: the nearest types, or all types if no type is near. */
export function otherThan(word: string, types: readonly string[]): string {
  const near = nearest(word, types);
  if (near.length === 0) return `The types are ${types.join(", ")}.`;
  return `${didYouMean(near).trimStart()} The page /docs/events of your server lists all types.`;
}
