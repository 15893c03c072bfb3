import { html } from "hono/html";

/** Texts that stay on one line: dates of the five languages, numbers of invoices, and the word "e-mail". */
const WHOLE = new RegExp(
  `(${[
    String.raw`\b\d{1,2}(?:er|\.)? (?:de )?\p{L}{3,10} (?:de )?\d{4}\b`,
    String.raw`\p{L}{3,10} \d{1,2}, \d{4}\b`,
    String.raw`\d{4}年\d{1,2}月(?:\d{1,2}日)?`,
    String.raw`\b[A-Z]{2,4}-[A-Z\d]{8}-\d{4,}\b`,
    String.raw`\b[Ee]-[Mm]ails?\b`,
  ].join("|")})`,
  "u",
);

/**
 * The text as HTML, with lines that never break within a date. The spaces and hyphens stay the usual ones, so that a
 * copied number can be searched for.
 */
export const unbroken = (text: string) =>
  text.split(WHOLE).map((part, n) => (n % 2 === 0 ? part : html`<span style="white-space: nowrap">${part}</span>`));
