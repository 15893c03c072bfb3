import { expect, test } from "vitest";
import { wordsFor } from "../texts/words.ts";
import { sellerBlock } from "./billing-document.ts";

const SELLER = { name: "Acme", email: null, address: null };

test.each([
  ["ja", "jp_tax_id", "T1234567890123", "登録番号：T1234567890123"],
  ["ja", "eu_vat", "DE811569869", "税務登録番号：DE811569869"],
  ["en-GB", "jp_tax_id", "T1234567890123", "Tax ID: T1234567890123"],
])("in %s, a seller's number of the type %s has the name that its readers know", (locale, type, value, line) => {
  expect(sellerBlock(wordsFor(locale), "From", { ...SELLER, taxId: { type, value } }).lines).toEqual([line]);
});
