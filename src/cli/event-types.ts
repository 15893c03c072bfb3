import { didYouMean, nearest } from "../suggestion.ts";

/** The advice for a word that is not among `types`: the nearest types, and the pages with all types: of a server and of the source. */
export function otherThan(word: string, types: readonly string[]): string {
  return `${didYouMean(nearest(word, types))} The page /docs/events of your server lists all types.`.trimStart();
}
