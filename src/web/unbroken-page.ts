import { unbrokenParts } from "../texts/unbroken.ts";

/** A tag, or an element of which the text is no text of a page or can't hold other elements. */
const TAG = /(<(script|style|title|textarea|option|svg)\b[\s\S]*?<\/\2>|<(?:"[^"]*"|'[^']*'|[^"'>])*>)/;
/** `split` with the two groups of TAG: text, tag, name of the element. */
const GROUPS = 3;

const marked = (text: string): string => {
  const parts = unbrokenParts(text);
  if (parts.length === 1) return text;
  const whole = parts.map((part, n) => (n % 2 === 0 ? part : `<span class="whole">${part}</span>`)).join("");
  // One element around the text, because each part would be an item of its own in a flexible box.
  return `<span>${whole}</span>`;
};

/**
 * A page with lines that never break within a date, a number with its word, or the number of an invoice. The spaces and
 * hyphens stay the usual ones, so that a copied number can be searched for.
 */
export function unbrokenPage(page: string): string {
  const from = page.indexOf("<body");
  const pieces = page.slice(from).split(TAG);
  const text = pieces.map((piece = "", n) => (n % GROUPS === 0 ? marked(piece) : n % GROUPS === 1 ? piece : ""));
  return page.slice(0, from) + text.join("");
}
