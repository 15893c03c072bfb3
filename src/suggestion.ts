import leven from "leven";

/** In UTF-16 units. A longer word is no typing error, and its comparison would take time. */
const LONGEST = 64;
const MOST_NAMED = 3;
/** The largest distance of a similar word. Each third of the longer word may have one error. */
const MOST_ERRORS = 3;
/** The distance of a word that contains the given one: `product` in `productKey`, `externalId` in `externalCustomerId`. */
const CONTAINS = MOST_ERRORS + 1;

/** The word without its style: `product_key`, `product-key` and `productKey` are equal. */
const plain = (word: string) => word.toLowerCase().replaceAll(/[\s._-]/g, "");

/** Whether two neighbours changed places. Levenshtein's distance counts this commonest of errors as two. */
function isSwapped(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at + 1 < one.length && `${one.slice(0, at)}${one[at + 1]}${one[at]}${one.slice(at + 2)}` === other;
}

/** The single words of a name in camel case, with hyphens, underscores or dots. */
const partsOf = (name: string) => name.split(/[\s._-]|(?<=[a-z0-9])(?=[A-Z])/).map((part) => part.toLowerCase());

/** Whether the longer name has the parts of the shorter one in their order, two at least. */
function hasParts(one: string, other: string): boolean {
  const [few, many] = [partsOf(one), partsOf(other)].sort((a, b) => a.length - b.length) as [string[], string[]];
  if (few.length < 2) return false;
  let found = 0;
  for (const part of many) if (part === few[found]) found += 1;
  return found === few.length;
}

/** Infinity: the names are not similar. */
function distance(givenName: string, candidateName: string): number {
  const [given, candidate] = [plain(givenName), plain(candidateName)];
  const most = Math.min(MOST_ERRORS, Math.floor(Math.max(given.length, candidate.length) / 3));
  const errors = isSwapped(given, candidate) ? 1 : leven(given, candidate, { maxDistance: most + 1 });
  if (errors <= most) return errors;
  const contains = (given.length > 2 && candidate.includes(given)) || hasParts(givenName, candidateName);
  return contains ? CONTAINS : Infinity;
}

/** The candidates that a caller may have meant by `given`, nearest first: three at most, or an empty list. */
export function nearest(given: string, candidates: Iterable<string>): string[] {
  if (given.length > LONGEST) return [];
  const similar = [...candidates]
    .map((candidate) => ({ candidate, errors: distance(given, candidate) }))
    .filter(({ errors }) => errors < Infinity)
    .sort((one, other) => one.errors - other.errors);
  const least = similar[0]?.errors ?? 0;
  // Only a difference of style leaves no doubt.
  const most = least === 0 ? 0 : least + 1;
  return similar
    .filter(({ errors }) => errors <= most)
    .slice(0, MOST_NAMED)
    .map(({ candidate }) => candidate);
}

/** `a`, `b` or `c`. */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** A sentence to append to a message, with a space before it. Empty if there are no names. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${alternatives(names.map((name) => `\`${name}\``))}?`;
}
