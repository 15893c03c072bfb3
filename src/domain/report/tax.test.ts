import { expect, test } from "vitest";
import { declaredOf } from "./tax.ts";

const NOTHING = { net: 0, tax: 0 };

test.each([
  ["an invoice", { invoiced: { net: 100, tax: 19 }, voided: NOTHING, credited: NOTHING }, { net: 100, tax: 19 }],
  [
    "an invoice with a credit note of a half",
    { invoiced: { net: 100, tax: 19 }, voided: NOTHING, credited: { net: 50, tax: 10 } },
    { net: 50, tax: 9 },
  ],
  [
    "a credit note for an invoice of an earlier month",
    { invoiced: NOTHING, voided: NOTHING, credited: { net: 50, tax: 10 } },
    { net: -50, tax: -10 },
  ],
  [
    "an invoice that became void",
    { invoiced: { net: 100, tax: 19 }, voided: { net: 100, tax: 19 }, credited: NOTHING },
    NOTHING,
  ],
])("declares the amounts of %s", (_, row, wanted) => {
  expect(declaredOf(row)).toEqual(wanted);
});
