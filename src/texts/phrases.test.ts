import { expect, test } from "vitest";
import { taxedPrice } from "./phrases.ts";
import { wordsFor } from "./words.ts";

const VAT = { country: "DE", region: null, basisPoints: 1900, name: "VAT", inclusive: false, reverseCharge: false };

test.each([
  ["no tax", 3000, null, "US$30.00"],
  ["tax on top", 3000, VAT, "US$30.00 plus 19% VAT"],
  ["tax in the price", 3000, { ...VAT, inclusive: true }, "US$30.00"],
  ["a rate of 0", 3000, { ...VAT, basisPoints: 0 }, "US$30.00"],
  ["a price of 0", 0, VAT, "US$0.00"],
  ["a buyer who accounts for the tax", 3000, { ...VAT, reverseCharge: true }, "US$30.00"],
  ["a price without the tax that it contained", 11_900, { ...VAT, reverseCharge: true, takenOut: true }, "US$100.00"],
] as const)("a price with %s", (_, price, tax, said) => {
  expect(taxedPrice(wordsFor("en-GB"), price, "usd", tax)).toBe(said);
});
