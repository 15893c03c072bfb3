/**
 * Stripe shows at most 22 characters: the account's prefix (10 at most), `* ` and the suffix. So 10 characters fit
 * beside any prefix, and the suffix stays the same if the seller changes the prefix.
 */
const MOST_CHARACTERS = 10;

/**
 * The suffix of a card statement for a seller's name; undefined if no letter remains. Stripe takes Latin letters, at
 * least one, and none of `<>\'"*`.
 */
export function statementSuffix(name: string): string | undefined {
  const latin = name
    .normalize("NFKD")
    .replaceAll(/[^\x20-\x7e]|[<>\\'"*]/g, "")
    .replaceAll(/ +/g, " ")
    .trim();
  const suffix = latin.slice(0, MOST_CHARACTERS).trim();
  return /[a-z]/i.test(suffix) ? suffix : undefined;
}
