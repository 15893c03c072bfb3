import { expect, test } from "vitest";
import type { Address } from "./address.ts";
import { addressLines } from "./address-lines.ts";

const NOTHING = { line1: null, line2: null, postalCode: null, city: null, state: null };

test.each<[Partial<Address> & { country: string }, lines: string[]]>([
  [
    { country: "US", line1: "1 Market St", line2: "Floor 2", city: "San Francisco", state: "CA", postalCode: "94105" },
    ["1 Market St", "Floor 2", "San Francisco, CA 94105"],
  ],
  [{ country: "US", state: "CA" }, ["CA"]],
  [{ country: "US", city: "Reno", postalCode: "89501" }, ["Reno 89501"]],
  [{ country: "DE", line1: "Torstr. 1", postalCode: "10119", city: "Berlin" }, ["Torstr. 1", "10119 Berlin"]],
  [{ country: "DE", city: "München", state: "Bayern" }, ["München", "Bayern"]],
  [{ country: "DE" }, []],
  [{ country: "CH", postalCode: "8001", city: "Zürich", state: "ZH" }, ["8001 Zürich", "ZH"]],
  [{ country: "GB", line1: "1 Mall", city: "London", postalCode: "SW1A 1AA" }, ["1 Mall", "London", "SW1A 1AA"]],
  [
    { country: "JP", line1: "渋谷区渋谷1-2-3", line2: "4F", postalCode: "150-0002", state: "東京都" },
    ["〒150-0002", "東京都渋谷区渋谷1-2-3", "4F"],
  ],
  [
    { country: "JP", line1: "1-2-3 Shibuya", city: "Shibuya-ku", postalCode: "150-0002", state: "Tokyo" },
    ["1-2-3 Shibuya", "Shibuya-ku", "Tokyo", "150-0002"],
  ],
  [{ country: "JP", line1: "渋谷1", city: "渋谷区", state: "東京都" }, ["東京都渋谷区渋谷1"]],
  [
    { country: "HK", line1: "1 Queen's Rd", city: "Central", state: "Hong Kong Island" },
    ["1 Queen's Rd", "Central", "Hong Kong Island"],
  ],
  [
    { country: "SG", line1: "1 Raffles Pl", city: "Singapore", postalCode: "048616" },
    ["1 Raffles Pl", "Singapore", "048616"],
  ],
  [
    { country: "BR", line1: "Rua A", city: "São Paulo", state: "SP", postalCode: "01000-000" },
    ["Rua A", "São Paulo-SP", "01000-000"],
  ],
  [{ country: "QA", line1: "Street 1", city: "Doha", postalCode: "122" }, ["Street 1", "Doha", "122"]],
])("an address is written as in its country: %j", (address, lines) => {
  expect(addressLines({ ...NOTHING, ...address })).toEqual(lines);
});
