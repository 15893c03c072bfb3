import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { lineTotal, NO_LIMITS, taxesOf, totalsOf } from "../model/invoice.ts";
import { billedLine, billedOf, taxFor, taxOf, type LineTax, type TaxRate } from "./tax.ts";

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
const number = { type: "eu_vat", value: "FR40303265045" };

const RATES = [
  rate("DE", null, 1900),
  rate("US", "CA", 725, { name: "Sales tax" }),
  rate("US", "NY", 888, { name: "Sales tax" }),
  rate("FR", null, 2000, { reverseCharge: true }),
  rate("JP", null, 1000, { inclusive: true, name: "JCT" }),
  rate("CA", null, 500, { name: "GST" }),
  rate("CA", "Québec", 1498, { name: "GST + QST" }),
];

const SELLER = { taxRates: RATES, address: address("DE") };

describe("the rate for a buyer's place (rule X3)", () => {
  test.each([
    ["a country", address("DE"), null, 1900],
    ["a region of it", address("US", "CA"), null, 725],
    ["a region, written otherwise", address("CA", " québec "), null, 1498],
    ["a region by its code", address("CA", "QC"), null, 1498],
    ["a region by ISO 3166-2", address("CA", "ca-qc"), null, 1498],
    ["a region by its name in another language", address("CA", "Quebec"), null, 1498],
    ["a region in decomposed letters", address("CA", "Que\u0301bec"), null, 1498],
    ["a region by its name, with a rate for its code", address("US", "New York"), null, 888],
    ["the rest of a country", address("CA", "ON"), null, 500],
    ["no region given", address("CA"), null, 500],
    ["a region without a rate, in a country without one", address("US", "OR"), null, null],
    ["another country", address("GB"), null, null],
    ["nowhere", null, null, null],
    ["a business of a country that doesn't reverse the charge", address("JP"), { type: "jp_tax_id", value: "1" }, 1000],
  ])("%s", (_, where, taxId, basisPoints) => {
    const tax = taxFor(SELLER, { address: where, taxId });
    expect(tax && [tax.basisPoints, tax.reverseCharge]).toEqual(basisPoints === null ? null : [basisPoints, false]);
  });

  it("is not charged where a business accounts for it itself, and is where a consumer buys", () => {
    const business = taxFor(SELLER, { address: address("FR"), taxId: number });
    expect(business).toMatchObject({ basisPoints: 2000, reverseCharge: true });
    expect(taxOf(1000, business)).toBe(0);
    expect(taxFor(SELLER, { address: address("FR"), taxId: null })).toMatchObject({ reverseCharge: false });
  });

  test.each([
    // seller  buyer  tax id                                          the buyer accounts for the tax
    ["DE", "FR", number, true],
    ["DE", "FR", { type: "eu_vat", value: "fr 40 303 265 045" }, true],
    ["DE", "GR", { type: "eu_vat", value: "EL094259216" }, true],
    ["IE", "GB", { type: "eu_vat", value: "XI980780684" }, true],
    ["IE", "GB", { type: "gb_vat", value: "GB980780684" }, true],
    ["DE", "CH", { type: "ch_tax_id", value: "CHE-107.787.577 MWST" }, true],
    ["DE", "FR", { type: "eu_vat", value: "FR12345678901" }, false],
    ["DE", "FR", { type: "eu_vat", value: "anything" }, false],
    ["DE", "FR", { type: "eu_vat", value: "EL094259216" }, false],
    ["DE", "FR", { type: "fr_tax_id", value: "40303265045" }, false],
    ["DE", "US", { type: "us_tax_id", value: "12-3456789" }, false],
    ["DE", "FR", null, false],
    ["FR", "FR", number, false],
    [null, "FR", number, false],
  ])("a seller in %s and a buyer in %s with %j: %s", (from, to, taxId, reversed) => {
    const seller = {
      taxRates: [rate(to, null, 2000, { reverseCharge: true })],
      address: from === null ? null : address(from),
    };
    const tax = taxFor(seller, { address: address(to), taxId });
    expect([tax?.reverseCharge, taxOf(1000, tax)]).toEqual([reversed, reversed ? 0 : 200]);
  });
});

describe("a price that contains a tax which the buyer accounts for", () => {
  const inside = rate("FR", null, 2000, { inclusive: true, reverseCharge: true });
  const seller = { taxRates: [inside], address: address("DE") };
  const business = taxFor(seller, { address: address("FR"), taxId: number });
  const consumer = taxFor(seller, { address: address("FR"), taxId: null });

  it("is billed without that tax: a business pays the net of a consumer's price", () => {
    expect(business).toEqual({ ...inside, inclusive: false, takenOut: true });
    expect([billedOf(1200, business), taxOf(1000, business)]).toEqual([1000, 0]);
    expect([billedOf(1200, consumer), taxOf(1200, consumer)]).toEqual([1200, 200]);
    expect(billedLine(1200, 120, business)).toEqual({ amount: 1000, discountAmount: 100 });
    expect(billedLine(999, 333, business)).toEqual({ amount: 832, discountAmount: 277 });
  });

  it("the net and the tax add up to a consumer's price, for any price, discount and rate", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.nat(10_000), fc.nat(10_000), (price, points, basisPoints) => {
        const off = Math.floor((price * points) / 10_000);
        const taxed: LineTax = { ...inside, basisPoints, reverseCharge: false };
        const { amount, discountAmount } = billedLine(price, off, {
          ...inside,
          basisPoints,
          inclusive: false,
          takenOut: true,
        });
        expect(amount - discountAmount + taxOf(price - off, taxed)).toBe(price - off);
        expect(Math.min(amount, discountAmount, amount - discountAmount)).toBeGreaterThanOrEqual(0);
      }),
    );
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

  it("cancels out with the tax of the line's credit, and an included tax never makes a total grow", () => {
    const anyRate = fc
      .record({ basisPoints: fc.nat(10_000), inclusive: fc.boolean() })
      .map((more) => rate("DE", null, 0, more));
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), anyRate, (amount, tax) => {
        const line = (of: number) => ({ amount: of, discountAmount: 0, taxAmount: taxOf(of, tax), tax });
        const totals = totalsOf([line(amount), line(-amount)], 0, NO_LIMITS);
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
    expect(totalsOf(lines, 0, NO_LIMITS)).toMatchObject({
      subtotalAmount: 9600,
      discountAmount: 1000,
      taxAmount: 1430,
      taxIncludedAmount: 100,
      totalAmount: 9930,
    });
  });
});
