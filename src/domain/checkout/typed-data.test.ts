import { expect, test } from "vitest";
import { invoiceNumber } from "../model/customer.ts";
import type { Buyer } from "../model/invoice.ts";
import { showsOnlyTyped, type TypedData } from "./typed-data.ts";

const address = { country: "DE", line1: null, line2: null, postalCode: null, city: null, state: null };
const ada: Buyer = { name: "Ada", companyName: null, email: "ada@example.com", address: null, taxId: null };
const typed: TypedData = { email: "ada@example.com", name: "Ada" };

test.each<[sequence: number, buyer: Partial<Buyer>, typed: Partial<TypedData>, expected: boolean]>([
  [1, {}, {}, true],
  [1, { email: "Ada@Example.com" }, {}, true],
  [1, { name: null }, {}, true],
  [1, { name: null }, { name: null }, true],
  [1, {}, { name: null }, false],
  [1, {}, { name: "Eve" }, false],
  [1, { email: "ada@example.org" }, {}, false],
  [1, {}, { email: null }, false],
  [1, { companyName: "Analytical Engines Ltd" }, {}, false],
  [1, { companyName: "Analytical Engines Ltd" }, { companyName: "Analytical Engines Ltd" }, true],
  [1, { address }, {}, false],
  [1, { address }, { address: { ...address } }, true],
  [1, { address }, { address: { ...address, city: "Berlin" } }, false],
  [1, { taxId: { type: "gb_vat", value: "GB1" } }, {}, false],
  [2, {}, {}, false],
  [11, {}, {}, false],
  [10_001, {}, {}, false],
])("invoice %i of %j, of a buyer that typed %j", (sequence, buyer, own, expected) => {
  const number = invoiceNumber("INV", "cus_00000000000000000000000001", sequence);
  expect(showsOnlyTyped({ buyer: { ...ada, ...buyer }, number }, { ...typed, ...own })).toBe(expected);
});

test("an invoice from before companies were kept has no company", () => {
  const { companyName: _, ...buyer } = ada;
  expect(showsOnlyTyped({ buyer, number: "INV-7K2M9QXA-0001" }, typed)).toBe(true);
});
