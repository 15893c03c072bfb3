import { expect, test } from "vitest";
import type { Address } from "../domain/tax/address.ts";
import { addressLines } from "./address.ts";
import { wordsFor } from "./words.ts";

const EMPTY: Address = { country: "DE", line1: null, line2: null, postalCode: null, city: null, state: null };
const TOKYO = { country: "JP", line1: "神宮前1-2-3", postalCode: "150-0001", city: "渋谷区", state: "東京都" };

test.each<[locale: string, address: Partial<Address>, lines: string[]]>([
  [
    "de",
    { line1: "Am Markt 1", line2: "2. Stock", postalCode: "04109", city: "Leipzig" },
    ["Am Markt 1", "2. Stock", "04109 Leipzig", "Deutschland"],
  ],
  [
    "en-US",
    { country: "US", line1: "1 Main St", city: "Portland", state: "OR", postalCode: "97201" },
    ["1 Main St", "Portland, OR 97201", "United States"],
  ],
  [
    "en-GB",
    { country: "GB", line1: "10 Downing St", city: "London", postalCode: "SW1A 2AA" },
    ["10 Downing St", "London", "SW1A 2AA", "United Kingdom"],
  ],
  [
    "fr",
    { country: "FR", line1: "1 rue Cler", postalCode: "75007", city: "Paris" },
    ["1 rue Cler", "75007 Paris", "France"],
  ],
  [
    "es",
    { country: "ES", postalCode: "41001", city: "Sevilla", state: "Andalucía" },
    ["41001 Sevilla", "Andalucía", "España"],
  ],
  ["ja", TOKYO, ["〒150-0001", "東京都渋谷区", "神宮前1-2-3", "日本"]],
  [
    "en",
    { ...TOKYO, line1: "1-2-3 Jingumae", city: "Shibuya", state: "Tokyo" },
    ["1-2-3 Jingumae", "Shibuya, Tokyo 150-0001", "Japan"],
  ],
  ["ja", { country: "US", city: "", state: "OR" }, ["OR", "アメリカ合衆国"]],
  ["de", {}, ["Deutschland"]],
])("in %s, %j", (locale, address, lines) => {
  expect(addressLines(wordsFor(locale), { ...EMPTY, ...address })).toEqual(lines);
});
