// Patterns that stand in the OpenAPI documents. They mean the same in ECMA-262 with and without its `u` flag, in Python's `re` and in RE2
// (Go), so they have neither \p{…} nor \u…, neither look-around nor back-references. \s is written out, since each of them has its own.
// They are texts, since the `source` of a RegExp has \u2028 for a line separator.

/** White space as `trim` knows it, but for its control characters. */
const WIDE = "\\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const SPACE = `[\\x09-\\x0d ${WIDE}]`;
const VISIBLE = `[^\\x00-\\x20\\x7f-\\x9f${WIDE}]`;
const NO_CONTROL = "[^\\x00-\\x1f\\x7f-\\x9f]";
const NO_CONTROL_BUT_BREAKS = "[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";

/**
 * Text of these characters, the first one visible, with space around. Of the space behind it only that which begins with another
 * character is told apart, `last`: each character can be read in one way alone, so that no text takes more than linear time.
 */
const visible = (character: string, last: string) => `${VISIBLE}${character}*(?:${last}${SPACE}*)?`;
const line = visible(NO_CONTROL, "[\\x09-\\x0d]");

/** A line: a log and a database can't hold each control character. */
export const LINE = `^${SPACE}*${line}$`;
export const LINE_OR_EMPTY = `^${SPACE}*(?:${line})?$`;
/** Line breaks and tabs are fine. */
export const LINES = `^${SPACE}*${visible(NO_CONTROL_BUT_BREAKS, "[\\x0b\\x0c]")}$`;
/** The key of metadata, which is taken as it is. */
export const NAME = `^${NO_CONTROL}+$`;

/** One of these words and nothing else. */
export const oneOfWords = (words: Iterable<string>) => `^(?:${[...words].join("|")})$`;
