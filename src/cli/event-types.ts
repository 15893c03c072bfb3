import { didYouMean, nearest } from "../suggestion.ts";

/** The advice for a word that is not among `types`: the nearest types, and the page with all types. */
export function otherThan(word: string, types: readonly string[]): string {
  return `${didYouMean(nearest(word, types))} All types are in docs/events.md.`.trimStart();
}
