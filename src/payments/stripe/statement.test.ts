import fc from "fast-check";
import { expect, test } from "vitest";
import { statementSuffix } from "./statement.ts";

test.each([
  ["Acme", "Acme"],
  ["Café Zürich", "Cafe Zuric"],
  ["Müller & Söhne GmbH", "Muller & S"],
  ['<b>"Acme"*</b>\'\\', "bAcme/b"],
  ["  Long   spaces here", "Long space"],
  ["12345", undefined],
  ["東京", undefined],
  ["東京 Tokyo", "Tokyo"],
  ["", undefined],
  ["Ten chars and more", "Ten chars"],
])("the suffix for %j is %j", (name, suffix) => expect(statementSuffix(name)).toBe(suffix));

test("the suffix is a suffix that Stripe takes, for any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const suffix = statementSuffix(name);
      if (suffix === undefined) return;
      expect(suffix.length).toBeLessThanOrEqual(10);
      expect(suffix).toMatch(/^[\x20-\x7e]*[a-z][\x20-\x7e]*$/i);
      expect(suffix).not.toMatch(/[<>\\'"*]/);
      expect(suffix.trim()).toBe(suffix);
    }),
  );
});
