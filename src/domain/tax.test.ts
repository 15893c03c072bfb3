import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { lineTotal, taxesOf, totalsOf } from "./invoice.ts";
import { taxFor, taxOf, type TaxRate } from "./tax.ts";

const rate = (country: string, region: string | null, basisPoints: number, more: Partial<TaxRate> = {}): TaxRate => ({
  country,
  region,
  basisPoints,
  inclusive: false,
  name: "VAT",
  reverseCharge: false,
  ...more,
});
const address = (country: string, state: string | null = null) => ({
  country,
  state,
  line1: null,
  line2: null,
  postalCode: null,
  city: null,
});
const number = { type: "eu_vat", value: "FR12345678901" };

const RATES = [
  rate("DE", null, 1900),
  rate("US", "CA", 725, { name: "Sales tax" }),
  rate("US", "NY", 888, { name: "Sales tax" }),
  rate("FR", null, 2000, { reverseCharge: true }),
  rate("JP", null, 1000, { inclusive: true, name: "JCT" }),
  rate("CA", null, 500, { name: "GST" }),
  rate("CA", "Québec", 1498, { name: "GST + QST" }),
];

describe("the rate for a buyer's place (rule X3)", () => {
  test.each([
    ["a country", address("DE"), null, 1900],
    ["a region of it", address("US", "CA"), null, 725],
    ["a region, written otherwise", address("CA", " québec "), null, 1498],
    ["the rest of a country", address("CA", "ON"), null, 500],
    ["no region given", address("CA"), null, 500],
    ["a region without a rate, in a country without one", address("US", "OR"), null, null],
    ["another country", address("GB"), null, null],
    ["nowhere", null, null, null],
    ["a business of a country that doesn't reverse the charge", address("DE"), number, 1900],
  ])("%s", (_, where, taxId, basisPoints) => {
    const tax = taxFor(RATES, { address: where, taxId });
    expect(tax && [tax.basisPoints, tax.reverseCharge]).toEqual(basisPoints === null ? null : [basisPoints, false]);
  });

  it("is not charged where a business accounts for it itself, and is where a consumer buys", () => {
    const business = taxFor(RATES, { address: address("FR"), taxId: number });
    expect(business).toMatchObject({ basisPoints: 2000, reverseCharge: true });
    expect(taxOf(1000, business)).toBe(0);
    expect(taxFor(RATES, { address: address("FR"), taxId: null })).toMatchObject({ reverseCharge: false });
  });
});

describe("the tax of a line", () => {
  test.each([
    ["on top", 10_000, rate("DE", null, 1900), 1900],
    ["rounded half up", 50, rate("DE", null, 1900), 10],
    ["of a credit, the same below zero", -50, rate("DE", null, 1900), -10],
    ["inside", 11_900, rate("DE", null, 1900, { inclusive: true }), 1900],
    ["inside, rounded", 100, rate("JP", null, 1000, { inclusive: true }), 9],
    ["inside of a credit", -100, rate("JP", null, 1000, { inclusive: true }), -9],
    ["at nothing", 100, rate("DE", null, 0), 0],
    ["of nothing", 0, rate("DE", null, 1900), 0],
  ])("%s: %s", (_, net, tax, expected) => {
    expect(taxOf(net, tax)).toBe(expected);
  });

  it("of a line and of its credit are even, and what is inside never makes a total grow", () => {
    const anyRate = fc.record({ basisPoints: fc.nat(10_000), inclusive: fc.boolean() }).map((more) => rate("DE", null, 0, more));
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), anyRate, (amount, tax) => {
        const line = (of: number) => ({ amount: of, discountAmount: 0, taxAmount: taxOf(of, tax), tax });
        const totals = totalsOf([line(amount), line(-amount)], 0, 0);
        expect([totals.totalAmount, totals.taxAmount]).toEqual([0, 0]);
        if (tax.inclusive) expect(lineTotal(line(amount))).toBe(amount);
        else expect(lineTotal(line(amount))).toBe(amount + line(amount).taxAmount);
      }),
    );
  });

  it("adds up by rate, without the tax that is inside", () => {
    const [de, jp] = [RATES[0]!, RATES[4]!];
    const line = (amount: number, discountAmount: number, tax: TaxRate | null) => {
      return { amount, discountAmount, tax, taxAmount: taxOf(amount - discountAmount, tax) };
    };
    const lines = [line(10_000, 1000, de), line(-2000, 0, de), line(1100, 0, jp), line(500, 0, null)];
    expect(taxesOf(lines).map(({ name, taxableAmount, taxAmount }) => [name, taxableAmount, taxAmount])).toEqual([
      ["VAT", 7000, 1330],
      ["JCT", 1000, 100],
    ]);
    expect(totalsOf(lines, 0, 0)).toMatchObject({
      subtotalAmount: 9600,
      discountAmount: 1000,
      taxAmount: 1430,
      taxIncludedAmount: 100,
      totalAmount: 9930,
    });
  });
});
