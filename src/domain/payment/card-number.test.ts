import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SANDBOX_CARDS } from "../../payments/sandbox-cards.ts";
import { cardNumberFault, cvcLength, earliestExpiry } from "./card-number.ts";

describe("a card number", () => {
  test.each([
    ["4242424242424242", null],
    ["378282246310005", null],
    ["6011111111111117", null],
    ["3530111333300000", null],
    ["30569309025904", null],
    ["5555555555554444", null],
    ["4242424242424241", "wrong"],
    ["4242424242424224", "wrong"],
    ["2424242424242424", "wrong"],
    ["6200000000000006", null],
    ["42424242424", "incomplete"],
    ["42424242424242424242", "incomplete"],
    ["", "incomplete"],
    ["4242 4242 4242 4242", "incomplete"],
  ])("%j: %s", (digits, fault) => expect(cardNumberFault(digits)).toBe(fault));

  it("of the sandbox has a right check digit", () => {
    expect(SANDBOX_CARDS.filter(({ number }) => cardNumberFault(number.replaceAll(" ", "")) !== null)).toEqual([]);
  });

  it("with one wrong digit is found", () => {
    const place = fc.nat({ max: 15 });
    const change = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(place, change, (at, by) => {
        const digits = [..."4000056655665556"];
        digits[at] = String((Number(digits[at]) + by) % 10);
        const mistyped = digits.join("");
        expect(cardNumberFault(mistyped)).toBe(mistyped.startsWith("62") ? null : "wrong");
      }),
    );
  });
});

test.each([
  ["4242424242424242", 3],
  ["378282246310005", 4],
  ["341111111111111", 4],
  ["36", 3],
  ["", null],
])("the code of %j has %s digits", (digits, length) => expect(cvcLength(digits)).toBe(length));

test.each([
  ["2026-11-23T12:00:00Z", 202611],
  ["2026-12-01T11:59:59Z", 202611],
  ["2026-12-01T12:00:00Z", 202612],
  ["2027-01-01T00:00:00Z", 202612],
])("at %s a card may end in %i", (now, month) => expect(earliestExpiry(Date.parse(now))).toBe(month));
