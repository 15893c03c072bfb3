import { LANGUAGES, type Language } from "../locale.ts";
import type { FieldFault } from "../refusal.ts";

/** The most own fields of a Checkout (rule C14a). */
export const MOST_FIELDS = 5;
/** The characters of a text field: the largest limit that a seller may set, and the limit if none is set. */
export const LONGEST_TEXT = 500;
export const DEFAULT_LENGTH = 200;
export const LEAST_OPTIONS = 2;
export const MOST_OPTIONS = 20;
/** Up to this size, a number with four decimal places is exact as a JSON number (rule C14b). */
export const LARGEST_NUMBER = 100_000_000_000;
const PLACES = 4;

/** One text, or a text by language with at least one language. */
export type FieldLabel = string | Partial<Record<Language, string>>;
export type FieldOption = { value: string; label: FieldLabel };
export const FIELD_TYPES = ["text", "number", "choice", "checkbox"] as const;

/** A question of the seller on a Checkout (rule C14). */
export type CheckoutField = { key: string; label: FieldLabel; required: boolean } & (
  | { type: "text"; maxLength: number }
  | { type: "number"; min: number | null; max: number | null }
  | { type: "choice"; options: FieldOption[] }
  | { type: "checkbox" }
);

export type FieldValue = string | number | boolean;
export type FieldValues = Record<string, FieldValue>;

/** A value with its label, as documents show it. `option`: the label of the chosen option; null: there are no options. */
export type FieldAnswer = { key: string; label: FieldLabel; value: FieldValue; option: FieldLabel | null };

export type FaultyField = { key: string } & FieldFault;

/** Whether a number has at most four decimal places and lies within ±100,000,000,000 (rule C14b). */
export const isFieldNumber = (value: number): boolean =>
  Number.isFinite(value) && Math.abs(value) <= LARGEST_NUMBER && Number(value.toFixed(PLACES)) === value;

/** The label in a language, else in the first one of `LANGUAGES` that the label has. */
export function labelIn(label: FieldLabel, language: Language | null): string {
  if (typeof label === "string") return label;
  const order = [...(language === null ? [] : [language]), ...LANGUAGES];
  return label[order.find((each) => label[each] !== undefined)!]!;
}

// A line of text without control characters, and without halves of characters, which a database can't hold.
const isLine = (value: string) => !/\p{Cc}/u.test(value) && value.isWellFormed();

function textFault(value: unknown, maxLength: number): FieldFault | null {
  if (typeof value !== "string") return { fault: "no_text" };
  if (!isLine(value)) return { fault: "no_line" };
  return [...value].length > maxLength ? { fault: "too_long", limit: maxLength } : null;
}

function numberFault(value: unknown, min: number | null, max: number | null): FieldFault | null {
  if (typeof value !== "number" || !isFieldNumber(value)) return { fault: "no_number" };
  if (min !== null && value < min) return { fault: "too_small", limit: min };
  return max !== null && value > max ? { fault: "too_large", limit: max } : null;
}

function faultOf(field: CheckoutField, value: unknown): FieldFault | null {
  switch (field.type) {
    case "text":
      return textFault(value, field.maxLength);
    case "number":
      return numberFault(value, field.min, field.max);
    case "choice":
      return field.options.some((option) => option.value === value) ? null : { fault: "no_option" };
    case "checkbox":
      if (typeof value !== "boolean") return { fault: "no_boolean" };
      return field.required && !value ? { fault: "required" } : null;
  }
}

/** The given value of a field, with text trimmed; undefined: no value. A check box that is left out is not ticked. */
function givenIn(field: CheckoutField, given: Readonly<Record<string, unknown>>): unknown {
  const sent = Object.hasOwn(given, field.key) ? given[field.key] : undefined;
  const value = typeof sent === "string" && field.type === "text" ? sent.trim() : sent;
  if (value === undefined || value === null || value === "") return field.type === "checkbox" ? false : undefined;
  return value;
}

const optionOf = (field: CheckoutField, value: unknown): FieldLabel | null =>
  field.type === "choice" ? (field.options.find((option) => option.value === value)?.label ?? null) : null;

/**
 * The values of a purchase with their labels, or the faults of the values in the order of the fields (rules C14b,
 * C14c). An optional field without a value has no answer. `fields` null: the Checkout has no fields.
 */
export function answersTo(
  fields: readonly CheckoutField[] | null,
  given: Readonly<Record<string, unknown>>,
): { answers: FieldAnswer[] | null } | { faults: FaultyField[] } {
  const keys = new Set(fields?.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !keys.has(key));
  const faults: FaultyField[] = unknown.map((key) => ({ key, fault: "unknown" }));
  const answers: FieldAnswer[] = [];
  for (const field of fields ?? []) {
    const { key, label, required } = field;
    const value = givenIn(field, given);
    const fault = value === undefined ? (required ? ({ fault: "required" } as const) : null) : faultOf(field, value);
    if (fault) faults.push({ key, ...fault });
    else if (value !== undefined)
      answers.push({ key, label, value: value as FieldValue, option: optionOf(field, value) });
  }
  return faults.length > 0 ? { faults } : { answers: fields && answers };
}

/** The values by the keys of their fields; null: the purchase had no fields. */
export const valuesOf = (answers: readonly FieldAnswer[] | null): FieldValues | null =>
  answers && Object.fromEntries(answers.map(({ key, value }) => [key, value]));
