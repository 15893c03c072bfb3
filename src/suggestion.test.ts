import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { didYouMean, nearest } from "./suggestion.ts";

const FIELDS = ["productId", "productKey", "currency", "customer", "customerId", "successUrl"];

describe("the words that a caller may have meant", () => {
  test.each<[given: string, candidates: string[], expected: string[]]>([
    ["productkey", FIELDS, ["productKey"]],
    ["product_key", FIELDS, ["productKey"]],
    ["prodcutKey", FIELDS, ["productKey"]],
    ["product", FIELDS, ["productId", "productKey"]],
    ["curency", FIELDS, ["currency"]],
    ["success-url", FIELDS, ["successUrl"]],
    ["Url", FIELDS, ["successUrl"]],
    ["colour", FIELDS, []],
    ["", FIELDS, []],
    ["por", ["pro", "team", "starter"], ["pro"]],
    ["xyz", ["pro", "team", "starter"], []],
    ["a", ["b", "c"], []],
    ["invoice.payed", ["invoice.created", "invoice.paid", "payment.failed"], ["invoice.paid"]],
    ["euro", ["eur", "usd"], ["eur"]],
    ["mont", ["day", "week", "month", "year"], ["month"]],
    ["externalId", ["customerId", "externalCustomerId", "limit"], ["externalCustomerId"]],
    ["externalCustomerId", ["email", "externalId", "id"], ["externalId"]],
    ["customerName", ["externalCustomerId", "name"], []],
    ["key", ["akey", "bkey", "ckey", "dkey"], ["akey", "bkey", "ckey"]],
  ])("%j among %j", (given, candidates, expected) => {
    expect(nearest(given, candidates)).toEqual(expected);
  });

  test("are found with one letter left out, added or in the place of its neighbour", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcdefghij"), minLength: 4, maxLength: 20 });
    const cut = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom("out", "in", "swap"), (meant, n, error) => {
        const at = n % (meant.length - 1);
        const given = {
          out: cut(meant, at),
          in: `${meant.slice(0, at)}x${meant.slice(at)}`,
          swap: `${meant.slice(0, at)}${meant[at + 1]}${meant[at]}${meant.slice(at + 2)}`,
        }[error];
        expect(nearest(given, [meant, "zzzzzzzz"])).toEqual([meant]);
      }),
    );
  });

  test("are always candidates, three at most", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (given, candidates) => {
        const found = nearest(given, candidates);
        expect(found.length).toBeLessThanOrEqual(3);
        for (const each of found) expect(candidates).toContain(each);
      }),
    );
  });

  test("are not looked for if the given word is too long to be one", () => {
    const long = "x".repeat(10_000);
    expect(nearest(long, [long])).toEqual([]);
  });
});

test.each([
  [[], ""],
  [["a"], " Did you mean `a`?"],
  [["a", "b"], " Did you mean `a` or `b`?"],
  [["a", "b", "c"], " Did you mean `a`, `b` or `c`?"],
])("the question about %j", (names, expected) => {
  expect(didYouMean(names)).toBe(expected);
});
