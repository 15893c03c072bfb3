import { html } from "hono/html";
import type { Html } from "../layout.ts";
import { safeUrl } from "./link.ts";

const ADDRESS = /(https?:\/\/[^\s<>"'`\u0080-\uffff]+)/i;
/** The punctuation of the sentence around an address, also in Japanese. A closing bracket may belong to the address. */
const AFTER = /(?:[.,;:!?。、]|(?<=^[^(]*)\))+$/;

function linked(part: string): Html | string {
  const address = part.replace(AFTER, "");
  const url = safeUrl(address);
  if (!url) return part;
  return html`<a href="${url.href}" rel="noopener nofollow">${address}</a>${part.slice(address.length)}`;
}

/**
 * A seller's plain text with its web addresses as links. Only `http:` and `https:` become links, and the text of a link
 * is its address.
 */
export function linkedText(text: string): Html {
  return html`${text.split(ADDRESS).map((part, n) => (n % 2 === 1 ? linked(part) : part))}`;
}
