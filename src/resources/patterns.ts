// Patterns of the OpenAPI documents. They mean the same in ECMA-262 with and without its `u` flag, in Python's `re`
// and in RE2 (Go). So they have no \p{…}, no \u…, no look-around and no back-references. White space is written out,
// since \s differs between these engines. The patterns are strings, since the `source` of a RegExp has \u2028 for a
// line separator.

/** The white space of `trim`, without its control characters. */
const WIDE = "\\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const SPACE = `[\\x09-\\x0d ${WIDE}]`;
const VISIBLE = `[^\\x00-\\x20\\x7f-\\x9f${WIDE}]`;
const NO_CONTROL = "[^\\x00-\\x1f\\x7f-\\x9f]";
const NO_CONTROL_BUT_BREAKS = "[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";

/**
 * A visible character, then text of these characters, then white space. `character` matches white space as well, up
 * to the first white space that it excludes (`last`). So each character can be read in only one way, and every text
 * takes linear time.
 */
const visible = (character: string, last: string) => `${VISIBLE}${character}*(?:${last}${SPACE}*)?`;
const line = visible(NO_CONTROL, "[\\x09-\\x0d]");

/** A line of text without control characters, since logs and databases can't hold all of them. */
export const LINE = `^${SPACE}*${line}$`;
export const LINE_OR_EMPTY = `^${SPACE}*(?:${line})?$`;
/** Text with line breaks and tabs. */
export const LINES = `^${SPACE}*${visible(NO_CONTROL_BUT_BREAKS, "[\\x0b\\x0c]")}$`;
/** A key of metadata, which is not trimmed. */
export const NAME = `^${NO_CONTROL}+$`;

/** Exactly one of these words. */
export const oneOfWords = (words: Iterable<string>) => `^(?:${[...words].join("|")})$`;
