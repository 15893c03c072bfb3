import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { newId } from "../ids.ts";
import { country, currency, finite, key, metadataParams, multiline, text } from "./fields.ts";
import { pageQuery } from "./page.ts";

type Text = { minLength?: number; maxLength?: number; pattern?: string };
type Schema = Text & { propertyNames?: Text; additionalProperties?: { anyOf: Text[] } };

const documented = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;

/** Whether JSON Schema accepts a text. Lengths are in code points. */
function lets({ minLength = 0, maxLength = Infinity, pattern = "" }: Text, value: string): boolean {
  const length = [...value].length;
  return length >= minLength && length <= maxLength && new RegExp(pattern).test(value);
}

const spaces = [..."\t\n\v\f\r \u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff"];
const odd = [
  "\u0000",
  "\u001f",
  "\u007f",
  "\u0085",
  "\u009f",
  "\u200b",
  "\u00ad",
  "é",
  "日",
  "🎉",
  "a",
  "Z",
  "0",
  "_",
  "-",
];
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...spaces, ...odd), maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("usd", "gbp", "zzz", "DE", "XX", "pro", newId("cus"), newId("sub")),
);

const { cursor } = pageQuery("cus");
const metadata = documented(metadataParams);

describe("a document describes a text exactly as the server takes it", () => {
  test.each<[name: string, schema: z.ZodType]>([
    ["a line", text(8)],
    ["several lines", multiline(8)],
    ["a cursor", cursor],
  ])("%s", (_name, schema) => {
    const said = documented(schema);
    fc.assert(
      fc.property(anyText, (value) => schema.safeParse(value).success === lets(said, value)),
      { numRuns: 2_000 },
    );
  });

  test("keys and values of metadata", () => {
    const value = metadata.additionalProperties!.anyOf[0]!;
    fc.assert(
      fc.property(anyText, (written) => {
        expect(metadataParams.safeParse({ a: written }).success).toBe(lets(value, written));
        fc.pre(written !== "__proto__");
        expect(metadataParams.safeParse({ [written]: 1 }).success).toBe(lets(metadata.propertyNames!, written));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<[name: string, schema: z.ZodType, others: string[]]>([
    ["a currency", currency, ["USD", " usd "]],
    ["a country", country, ["de", " DE "]],
    ["a key", key, [" pro "]],
  ])("%s, of which the server takes other spellings, too", (_name, schema, others) => {
    const said = documented(schema);
    fc.assert(fc.property(anyText, (value) => !lets(said, value) || schema.safeParse(value).success));
    for (const value of others) expect([lets(said, value), schema.safeParse(value).success]).toEqual([false, true]);
  });
});

test.each([
  ["a line's length is in characters, not in UTF-16 units", text(3), "🎉🎉🎉", true],
  ["and of all that was sent", text(3), " abc", false],
  ["a number that a double does not hold exactly", finite, 2 ** 53, false],
  ["the last one within", finite, 2 ** 53 - 1, true],
])("%s", (_name, schema, value, expected) => {
  expect((schema as z.ZodType).safeParse(value).success).toBe(expected);
});
