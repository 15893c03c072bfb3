import { expect, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { changedCustomer, deletedCustomer, emailKey, type Customer, type CustomerChange } from "./customer.ts";

const address = { country: "GB", line1: null, line2: null, postalCode: null, city: null, state: null };
const taxId = { type: "gb_vat", value: "GB1" };
const ada: Customer = {
  organizationId: "org_1",
  id: "cus_1",
  email: "Ada@example.com",
  emailKey: "ada@example.com",
  name: "Ada",
  companyName: "Analytical Engines Ltd",
  externalId: null,
  billingAddress: null,
  taxId: null,
  locale: null,
  metadata: { seats: 3 },
  defaultPaymentMethodId: "pm_1",
  deletedAt: null,
  version: 3,
  eventSequence: 2,
  createdAt: at("2025-01-01"),
  updatedAt: at("2025-01-02"),
};
const fixed = { refusal: "external_id_fixed" };
const countryless = { refusal: "billing_country_missing" };

test.each<[who: Partial<Customer>, change: CustomerChange, expected: object]>([
  [{}, {}, ada],
  [{}, { name: null }, { ...ada, name: null }],
  [{}, { companyName: null }, { ...ada, companyName: null }],
  [{}, { email: "ADA@Example.org" }, { ...ada, email: "ADA@Example.org", emailKey: "ada@example.org" }],
  [{}, { externalId: "a" }, { ...ada, externalId: "a" }],
  [{ externalId: "a" }, { externalId: "a" }, { ...ada, externalId: "a" }],
  [{ externalId: "a" }, { externalId: "b" }, fixed],
  [{ externalId: "a" }, { externalId: null }, fixed],
  [{}, { taxId }, countryless],
  [{}, { taxId, billingAddress: address }, { ...ada, taxId, billingAddress: address }],
  [{ billingAddress: address }, { taxId }, { ...ada, taxId, billingAddress: address }],
  [{ billingAddress: address, taxId }, { billingAddress: null }, countryless],
  [{ billingAddress: address, taxId }, { billingAddress: null, taxId: null }, ada],
])("%j changed by %j", (who, change, expected) => {
  expect(changedCustomer({ ...ada, ...who }, change)).toEqual(expected);
});

test("a deleted Customer keeps its id, its version and its times, and nothing else", () => {
  const { organizationId, id, version, eventSequence, createdAt, updatedAt } = ada;
  const deletedAt = at("2025-02-01");
  const blank = {
    email: "",
    emailKey: "",
    name: null,
    companyName: null,
    externalId: null,
    billingAddress: null,
    taxId: null,
    locale: null,
    metadata: {},
  };
  const retained = { organizationId, id, version, eventSequence, createdAt, updatedAt };
  const whole = { ...ada, externalId: "a", billingAddress: address, taxId, locale: "de" };
  expect(deletedCustomer(whole, deletedAt)).toEqual({ ...retained, ...blank, defaultPaymentMethodId: null, deletedAt });
});

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["Eva@Bücher.example", "eva@xn--bcher-kva.example"],
  ["eva@bu\u0308cher.example", "eva@xn--bcher-kva.example"],
  ["eva@XN--BCHER-KVA.example", "eva@xn--bcher-kva.example"],
  ["kim@例え.jp", "kim@xn--r8jz45g.jp"],
  ["Иван@пример.рф", "иван@xn--e1afmkfd.xn--p1ai"],
  ["eva@strauß.example", "eva@xn--strau-pqa.example"],
  ["eva@ö.xn--a", "eva@ö.xn--a"],
  ["", ""],
])("the key of %s is %s", (email, key) => {
  expect([emailKey(email), emailKey(key)]).toEqual([key, key]);
});
