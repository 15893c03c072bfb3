import { LARGEST_NUMBER, labelIn, type FieldAnswer, type FieldLabel } from "../domain/model/checkout-field.ts";
import { languageOf } from "./language.ts";
import type { Words } from "./words.ts";

/** A number of an own field as the reader writes it, without groups of digits: `1234.5`, `1234,5`. */
export const fieldNumber = ({ locale }: Words, value: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: false, numberingSystem: "latn" }).format(
    value,
  );

/** The sign before the decimals in the reader's language. */
const decimalMark = (words: Words): string => (fieldNumber(words, 1.5).includes(",") ? "," : ".");

/**
 * The number that a reader typed, with a point or a comma before the decimals; NaN: no number. Before three digits,
 * only the reader's own mark begins decimals: the other one groups thousands, and `1.234` is another number in German.
 */
export function typedFieldNumber(words: Words, typed: string): number {
  const plain = typed
    .normalize("NFKC")
    .trim()
    .replace(/^[\u2212\u2013]/, "-");
  const [, whole, mark, decimals] = /^([+-]?\d{1,12})(?:([.,])(\d{1,4}))?$/.exec(plain) ?? [];
  if (whole === undefined || (decimals?.length === 3 && mark !== decimalMark(words))) return Number.NaN;
  const value = Number(decimals === undefined ? whole : `${whole}.${decimals}`);
  return Math.abs(value) > LARGEST_NUMBER ? Number.NaN : value;
}

/** A label within a sentence or before its value: without the full stop or the colon at its end. */
export const namedIn = (words: Words, label: FieldLabel): string => {
  const text = labelIn(label, languageOf(words.locale));
  return text.replace(/[\s.:。：]+$/u, "") || text;
};

/** The label and the value of an own field, as pages and documents show them (rule C14d). */
export function answerIn(words: Words, { label, value, option }: FieldAnswer): { label: string; value: string } {
  const language = languageOf(words.locale);
  const { yes, no } = words.ownField;
  const shown =
    option !== null
      ? labelIn(option, language)
      : typeof value === "number"
        ? fieldNumber(words, value)
        : typeof value === "boolean"
          ? value
            ? yes
            : no
          : value;
  return { label: namedIn(words, label), value: shown };
}

/** The same as a line of a document. The answer to a question follows without a colon. */
export function answerLine(words: Words, answer: FieldAnswer): string {
  const { label, value } = answerIn(words, answer);
  return /[?？]$/u.test(label) ? `${label} ${value}` : words.ownField.line({ label, value });
}
