const MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December";
/** Texts that stay on one line: negative amounts, dates of the five languages, numbers with a word, numbers of invoices, and "e-mail". */
const UNBROKEN = new RegExp(
  `(${[
    String.raw`−[\p{L}\p{Sc}]*[\u00A0\u202F]?\d[\d.,\u00A0\u202F]*[\p{L}\p{Sc}]*`,
    String.raw`(?<![\d.,])\b\d{1,3}(?:er|\.)? (?:de )?\p{L}{2,12}(?: (?:de )?\d{4}\b)?`,
    String.raw`\b(?:${MONTHS}) \d{1,2}(?:, \d{4})?\b`,
    String.raw`(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?`,
    String.raw`\b[A-Z]{2,4}-[A-Z\d]{8}-\d{4,}\b`,
    String.raw`\b[Ee][-\u2011][Mm]ails?\b`,
  ].join("|")})`,
  "u",
);

/** A text in parts, of which each second one stays on one line. */
export const unbrokenParts = (text: string): string[] => text.split(UNBROKEN);
