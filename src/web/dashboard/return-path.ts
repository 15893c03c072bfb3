/** A path below `/dashboard` with a query. A browser reads neither another host nor `..` in these characters. */
const OWN = /^\/dashboard(?:\/[\w~-][\w.~-]*)*(?:\?[\w.~%&=+:@,-]*)?$/;
const MOST_CHARACTERS = 1_000;

/**
 * The page to which a sign-in leads back, without the prefix of PUBLIC_ORIGIN. Any text that is not a path of the
 * dashboard leads to the dashboard's first page.
 */
export function returnPath(text: string | null | undefined): string {
  const isOwn = text !== null && text !== undefined && text.length <= MOST_CHARACTERS && OWN.test(text);
  return isOwn ? text : "/dashboard";
}
