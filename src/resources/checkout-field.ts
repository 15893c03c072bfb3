import * as z from "zod";
import { LANGUAGES } from "../domain/locale.ts";
import {
  DEFAULT_LENGTH,
  isFieldNumber,
  LARGEST_NUMBER,
  LEAST_OPTIONS,
  LONGEST_TEXT,
  MOST_FIELDS,
  MOST_OPTIONS,
  valuesOf,
  type CheckoutField,
  type FieldAnswer,
  type FieldValues,
} from "../domain/model/checkout-field.ts";
import type { Fault } from "../errors.ts";
import type { RefusalValues } from "../domain/refusal.ts";
import { pointerOf } from "./faults.ts";
import { fault, issue, text } from "./fields.ts";

const KEY = /^[a-z][a-z0-9_-]{0,63}$/;
const fieldKey = z
  .string()
  .trim()
  .regex(KEY, "A key is 1 to 64 of a-z, 0-9, _ and -, and begins with a letter.")
  .meta({ description: "Your own name of the field. The key names the value in `fieldValues`." });

const byLanguage = <Text extends z.ZodType<string>>(label: Text) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, label.exactOptional()])) as Record<
    (typeof LANGUAGES)[number],
    z.ZodExactOptional<Text>
  >;

const LABEL =
  "One text, or a text by the language of the page. A language that is left out is shown in English, else in the " +
  "first of de, fr, es and ja that is given.";

/** A label in an answer. */
const label = z.union([z.string(), z.object(byLanguage(z.string()))]).meta({ id: "FieldLabel", description: LABEL });
/** A label in a request. */
const labelParams = z
  .union([
    text(200),
    z
      .strictObject(byLanguage(text(200)))
      .refine((labels) => Object.keys(labels).length > 0, fault("nothing_to_say", "Give the label in a language."))
      .meta({ minProperties: 1 }),
  ])
  .meta({ id: "FieldLabelParams", description: LABEL });

const required = z.boolean().default(false).meta({
  description: "True: the buyer can't order without a value. A required check box has to be ticked.",
});

const OF_NUMBER = "At most four decimal places, within ±100,000,000,000.";
const number = z
  .number()
  .min(-LARGEST_NUMBER)
  .max(LARGEST_NUMBER)
  .refine(
    (value) => Math.abs(value) > LARGEST_NUMBER || isFieldNumber(value),
    fault("too_precise", "This must have at most four decimal places."),
  )
  .meta({ description: OF_NUMBER });

const options = z
  .array(z.strictObject({ value: text(64), label: labelParams }))
  .min(LEAST_OPTIONS)
  .max(MOST_OPTIONS)
  .superRefine((given, check) => {
    for (const [index, { value }] of given.entries())
      if (given.findIndex((option) => option.value === value) < index)
        check.addIssue(issue("duplicate", "Another option has this value.", [index, "value"]));
  });

const common = { key: fieldKey, label: labelParams, required };
const fieldParams = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("choice"), ...common, options }),
    z.strictObject({
      type: z.literal("text"),
      ...common,
      maxLength: z.int().min(1).max(LONGEST_TEXT).default(DEFAULT_LENGTH),
    }),
    z
      .strictObject({
        type: z.literal("number"),
        ...common,
        min: number.nullable().default(null),
        max: number.nullable().default(null),
      })
      .superRefine(({ min, max }, check) => {
        if (min !== null && max !== null && max < min)
          check.addIssue(issue("below_minimum", "This must not be less than `min`.", ["max"]));
      }),
    z.strictObject({ type: z.literal("checkbox"), ...common }),
  ])
  .meta({ id: "CheckoutFieldParams" });

/** The own fields of a request, read as `CheckoutField`s: at most five, with different keys (rule C14a). */
export const fieldsParams = z
  .array(fieldParams)
  .min(1)
  .max(MOST_FIELDS)
  .superRefine((given, check) => {
    for (const [index, { key }] of given.entries())
      if (given.findIndex((field) => field.key === key) < index)
        check.addIssue(issue("duplicate", "Another field has this key.", [index, "key"]));
  })
  .meta({
    description:
      "Your own questions to the buyer on the page. The values are in `fieldValues` of the Checkout, the " +
      "Subscription and the Invoices, which print them with their labels.",
  });

const shown = { key: z.string(), label, required: z.boolean() };
/** The own fields in an answer. */
export const checkoutFields = z
  .array(
    z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("choice"), ...shown, options: z.array(z.object({ value: z.string(), label })) }),
        z.object({ type: z.literal("text"), ...shown, maxLength: z.int() }),
        z.object({
          type: z.literal("number"),
          ...shown,
          min: z.number().nullable(),
          max: z.number().nullable(),
        }),
        z.object({ type: z.literal("checkbox"), ...shown }),
      ])
      .meta({ id: "CheckoutField" }),
  )
  .nullable()
  .meta({ description: "Your own questions to the buyer on the page. Null: there are none." });

const value = z.union([z.string(), z.number(), z.boolean()]);

/** The values in an answer. */
export const fieldValues = z
  .record(z.string(), value)
  .nullable()
  .meta({
    description:
      "The buyer's values of your own fields, by key. An optional field without a value is left out. Null: the " +
      "purchase has no fields, or is not submitted.",
  });

/** The values in a request. The fields of the Checkout decide about them (rule C14b). */
export const fieldValuesParams = z
  .record(z.string().max(64), z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]))
  .meta({ description: "The values of the Checkout's own fields, by key." });

export const presentFields = (fields: CheckoutField[] | null): z.infer<typeof checkoutFields> => fields;
export const presentValues = (answers: readonly FieldAnswer[] | null): FieldValues | null => valuesOf(answers);

type FaultyField = RefusalValues["fields_faulty"]["faults"][number];

/** The code and the message of a value that does not fit its field. */
function wordsOf(faulty: FaultyField): [code: string, message: string] {
  switch (faulty.fault) {
    case "unknown":
      return ["unknown_field", "The Checkout has no own field with this key."];
    case "required":
      return ["required", "This Checkout needs a value of this field."];
    case "no_text":
      return ["invalid_type", "This must be text."];
    case "no_line":
      return ["invalid_format", "Control characters are not allowed."];
    case "no_number":
      return ["invalid_number", `This must be a number. ${OF_NUMBER}`];
    case "no_option":
      return ["invalid_value", "This must be the `value` of one of the field's options."];
    case "no_boolean":
      return ["invalid_type", "This must be true or false."];
    case "too_long":
      return ["too_long", `This must have at most ${faulty.limit} characters.`];
    case "too_small":
      return ["too_small", `This must be at least ${faulty.limit}.`];
    case "too_large":
      return ["too_large", `This must be at most ${faulty.limit}.`];
  }
}

/** The fault of an own field at the place of its value in the request. */
export function fieldFault(faulty: FaultyField): Fault {
  const [code, message] = wordsOf(faulty);
  return { in: "body", pointer: pointerOf(["fieldValues", faulty.key], "body"), code, message };
}
