import fc from "fast-check";
import { expect, test } from "vitest";
import { metadataText, readMetadata } from "./metadata.ts";

test.each([
  ["plan = gold", { plan: "gold" }],
  ["  seats = 12 \r\n\r\n vip=true", { seats: 12, vip: true }],
  ['code = "007"', { code: "007" }],
  ['"a=b" = x = y', { "a=b": "x = y" }],
  ["empty =", { empty: "" }],
])("%j is read", (typed, metadata) => {
  expect(readMetadata(typed)).toEqual({ metadata });
});

test("a line without a name or a value is refused", () => {
  for (const typed of ["plan", "plan: gold"])
    expect(readMetadata(`a = 1\n${typed}`)).toEqual({ fault: `Write “${typed}” as: name = value` });
});

test("a long line is read without trying all shares of its white space", () => {
  const gap = " ".repeat(16_000);
  expect(readMetadata(`${gap}plan${gap}gold`)).toHaveProperty("fault");
  expect(readMetadata(`${gap}plan${gap}=${gap}gold${gap}`)).toEqual({ metadata: { plan: "gold" } });
  expect(readMetadata(`"a${gap}`)).toHaveProperty("fault");
});

test("written metadata is read back", () => {
  const key = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }).filter((text) => text !== "__proto__");
  const value = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), (metadata) => {
      const positive = Object.fromEntries(Object.entries(metadata).map(([k, v]) => [k, Object.is(v, -0) ? 0 : v]));
      expect(readMetadata(metadataText(positive))).toEqual({ metadata: positive });
    }),
  );
});
