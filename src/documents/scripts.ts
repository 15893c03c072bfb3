/** Characters that are written from right to left. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Signs, digits and marks. They belong to no script. */
export const NEUTRAL = /[\p{Script=Common}\p{Script=Inherited}]/u;

const SIMPLE = ["Common", "Inherited", "Latin", "Greek", "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul"];

/** Scripts that put one glyph after the other, each for one character. */
export const IN_ORDER = new RegExp(`^[${SIMPLE.map((name) => `\\p{Script=${name}}`).join("")}]*$`, "u");

const JOINERS = /[\u200c\u200d]/g;
// Invisible formatting. Fonts would draw a box for such a character, and some of these characters change the direction
// of the text around them.
const UNSEEN = /[[\p{Cf}\p{Variation_Selector}]--[\u200c\u200d]]/gv;

/** One line of visible, precomposed characters. Joiners stay only where letters are joined. */
export function clean(text: string): string {
  const seen = text.normalize("NFC").replace(UNSEEN, "").replace(/\s+/gu, " ").trim();
  const joined = seen.replace(JOINERS, "");
  return IN_ORDER.test(joined) ? joined : seen;
}
