import { expect, test } from "vitest";
import type { LineTax } from "../domain/tax/tax.ts";
import { taxNoteOf } from "./tax-note.ts";

const TAX: LineTax = {
  country: "FR",
  region: null,
  name: "VAT",
  basisPoints: 2000,
  inclusive: true,
  reverseCharge: false,
};
const REVERSE_CHARGE = "Reverse charge: the tax is to be accounted for by the recipient.";

test.each<[string, (LineTax | null)[], string | null]>([
  ["no tax", [null], null],
  ["the tax of a consumer", [TAX, null], null],
  ["the tax of a business abroad", [{ ...TAX, inclusive: false, reverseCharge: true }], REVERSE_CHARGE],
  [
    "a price that contained the tax of a business abroad",
    [null, { ...TAX, inclusive: false, reverseCharge: true, takenOut: true }],
    `Prices exclude tax. ${REVERSE_CHARGE}`,
  ],
])("the note on %s", (_, taxes, note) => {
  expect(taxNoteOf(taxes)).toBe(note);
});
