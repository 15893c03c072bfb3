import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answersTo, isFieldNumber, labelIn, LARGEST_NUMBER, valuesOf, type CheckoutField } from "./checkout-field.ts";

const common = { label: "Label", required: false };
const text: CheckoutField = { key: "po", type: "text", maxLength: 5, ...common };
const number: CheckoutField = { key: "kg", type: "number", min: 0, max: 99.5, ...common };
const choice: CheckoutField = {
  key: "size",
  type: "choice",
  options: [
    { value: "s", label: { en: "Small", de: "Klein" } },
    { value: "l", label: "Large" },
  ],
  ...common,
};
const box: CheckoutField = { key: "terms", type: "checkbox", ...common };
const required = (field: CheckoutField): CheckoutField => ({ ...field, required: true });

describe("a value of an own field (rule C14b)", () => {
  test.each<[string, CheckoutField, unknown, object]>([
    ["a text is trimmed", text, " 4711 ", { po: "4711" }],
    ["a text has as many characters as allowed, astral ones too", text, "😀😀😀😀😀", { po: "😀😀😀😀😀" }],
    ["an empty text is no value", text, "  ", {}],
    ["null is no value", text, null, {}],
    ["a number is at its limit", number, 99.5, { kg: 99.5 }],
    ["a number of 0 is a value", number, 0, { kg: 0 }],
    ["a choice is a value of an option", choice, "l", { size: "l" }],
    ["an empty choice is no value", choice, "", {}],
    ["a box is ticked", box, true, { terms: true }],
    ["a box is left alone", box, undefined, { terms: false }],
    ["a required box is ticked", required(box), true, { terms: true }],
  ])("%s", (_, field, value, values) => {
    const read = answersTo([field], { [field.key]: value });
    expect("answers" in read && valuesOf(read.answers)).toEqual(values);
  });

  test.each<[string, CheckoutField, unknown, object]>([
    ["a text is too long", text, "123456", { fault: "too_long", limit: 5 }],
    ["a text is a number", text, 4711, { fault: "no_text" }],
    ["a text has two lines", text, "a\nb", { fault: "no_line" }],
    ["a text has half a character", text, "\ud83d", { fault: "no_line" }],
    ["a number is a text", number, "5", { fault: "no_number" }],
    ["a number is none", number, Number.NaN, { fault: "no_number" }],
    ["a number has five decimals", number, 1.00001, { fault: "no_number" }],
    ["a number is too small", number, -0.0001, { fault: "too_small", limit: 0 }],
    ["a number is too large", number, 99.5001, { fault: "too_large", limit: 99.5 }],
    ["a choice has no such option", choice, "xl", { fault: "no_option" }],
    ["a box is a text", box, "yes", { fault: "no_boolean" }],
    ["a required text is empty", required(text), " ", { fault: "required" }],
    ["a required number is missing", required(number), undefined, { fault: "required" }],
    ["a required choice is missing", required(choice), null, { fault: "required" }],
    ["a required box is not ticked", required(box), false, { fault: "required" }],
    ["a required box is left alone", required(box), undefined, { fault: "required" }],
  ])("%s", (_, field, value, fault) => {
    expect(answersTo([field], { [field.key]: value })).toEqual({ faults: [{ key: field.key, ...fault }] });
  });

  test("belongs to a field of the Checkout", () => {
    const unknown = { faults: [{ key: "constructor", fault: "unknown" }] };
    expect(answersTo([text], { constructor: "x" })).toEqual(unknown);
    expect(answersTo(null, { constructor: "x" })).toEqual(unknown);
    expect(answersTo(null, {})).toEqual({ answers: null });
  });

  test("of a key that objects inherit is missing, and not inherited", () => {
    const field = required({ ...text, key: "constructor" });
    expect(answersTo([field], {})).toEqual({ faults: [{ key: "constructor", fault: "required" }] });
  });
});

test("answers keep the labels of field and option, in the order of the fields (rule C14d)", () => {
  expect(answersTo([choice, text, box], { po: "1", size: "s" })).toEqual({
    answers: [
      { key: "size", label: "Label", value: "s", option: { en: "Small", de: "Klein" } },
      { key: "po", label: "Label", value: "1", option: null },
      { key: "terms", label: "Label", value: false, option: null },
    ],
  });
});

test.each([
  ["One", "de", "One"],
  [{ en: "One", de: "Eins" }, "de", "Eins"],
  [{ en: "One", de: "Eins" }, "ja", "One"],
  [{ fr: "Un", es: "Uno" }, "de", "Un"],
  [{ fr: "Un", es: "Uno" }, null, "Un"],
] as const)("the label %o in %s is %s", (label, language, shown) => {
  expect(labelIn(label, language)).toBe(shown);
});

test("a number with four decimals is exact up to 100,000,000,000, and one with five is not taken (rule C14b)", () => {
  const most = LARGEST_NUMBER * 10_000;
  fc.assert(
    fc.property(fc.maxSafeInteger(), (n) => {
      const written = `${n}E-4`;
      expect(isFieldNumber(Number(written))).toBe(Math.abs(n) <= most);
      if (Math.abs(n) <= most) expect(JSON.parse(JSON.stringify(Number(written)))).toBe(Number(written));
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 9 }), (n, digit) => {
      expect(isFieldNumber(Number(`${n}.0000${digit}`))).toBe(false);
    }),
  );
});
