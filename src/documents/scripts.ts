/** Characters that are written from right to left. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Signs, digits and marks. They belong to no script. */
export const NEUTRAL = /[\p{Script=Common}\p{Script=Inherited}]/u;

const SIMPLE = ["Common", "Inherited", "Latin", "Greek", "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul"];

/** Scripts that put one glyph after the other, each for one character. */
export const IN_ORDER = new RegExp(`^[${SIMPLE.map((name) => `\\p{Script=${name}}`).join("")}]*$`, "u");

const JOINERS = /[\u200c\u200d]/g;
// Invisible formatting, and the parts of an emoji that change its colour or frame. Fonts would draw a box for such a
// character, and some of these characters change the direction of the text around them.
const UNSEEN = /[[\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}\u20e3]--[\u200c\u200d]]/gv;

/** Letters of the scripts in `IN_ORDER`. */
const SIMPLE_LETTERS = SIMPLE.slice(2)
  .map((name) => `\\p{Script=${name}}`)
  .join("");
const BY_KIND = new RegExp(`[${SIMPLE_LETTERS}]+|[^${SIMPLE_LETTERS}]+`, "gu");

/**
 * The parts of a word. Letters with shapes that depend on each other are in another part than Latin letters: a font
 * shapes a part by the rules of one script.
 */
export function partsByKind(word: string): string[] {
  return IN_ORDER.test(word) ? [word] : (word.match(BY_KIND) ?? []);
}

/** Scripts in use without a font here. Myanmar is among them, because fontkit does not order its letters. */
const UNDRAWN = `Adlam Balinese Bamum Batak Buginese Canadian_Aboriginal Chakma Cham Cherokee Coptic Deseret
  Hanifi_Rohingya Javanese Kayah_Li Lepcha Limbu Lisu Mandaic Meetei_Mayek Miao Mongolian Myanmar New_Tai_Lue Nko
  Ol_Chiki Osage Osmanya Rejang Samaritan Saurashtra Sundanese Syloti_Nagri Syriac Tagalog Tai_Le Tai_Tham Tai_Viet
  Thaana Tibetan Tifinagh Vai Wancho Warang_Citi Yi`
  .split(/\s+/)
  .map((name) => ({ name: name.replaceAll("_", " "), letters: new RegExp(`\\p{Script=${name}}`, "u") }));

/** The words for characters that no font draws: `[Tibetan]`, or the code of the first one. */
export function nameOfUndrawn(text: string): string {
  const script = UNDRAWN.find(({ letters }) => letters.test(text));
  return `[${script?.name ?? `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`}]`;
}

/**
 * One line of visible, precomposed characters. Joiners stay only where letters are joined. No-break spaces stay, and no
 * line ends there.
 */
export function cleanToBreak(text: string): string {
  const seen = text
    .normalize("NFC")
    .replace(UNSEEN, "")
    .replace(/[^\S\u00A0\u202F]+/gu, " ")
    .trim();
  const joined = seen.replace(JOINERS, "");
  return IN_ORDER.test(joined) ? joined : seen;
}

/** As `cleanToBreak`, ready to be drawn: all spaces are usual ones. */
export const clean = (text: string): string => cleanToBreak(text).replace(/\s+/gu, " ");
