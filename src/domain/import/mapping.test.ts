import { describe, expect, test } from "vitest";
import type { Product } from "../model/product.ts";
import type { ForeignPrice } from "./foreign.ts";
import { planCatalogue, suggestMapping, type MappedPrice, type MappingFault, type UsedPrice } from "./mapping.ts";

const price = (fields: Partial<ForeignPrice> = {}): ForeignPrice => ({
  ref: "price_1",
  product: "prod_1",
  productName: "Pro plan",
  unitLabel: null,
  currency: "usd",
  amount: 2000,
  interval: "month",
  intervalCount: 1,
  isTiered: false,
  isMetered: false,
  ...fields,
});
const product = (fields: Partial<Product> = {}) =>
  ({
    key: "pro-plan",
    interval: "month",
    intervalCount: 1,
    archived: false,
    quantityMinimum: 1,
    quantityMaximum: 1,
    prices: [{ currency: "usd", amount: 2000 }],
    ...fields,
  }) as Product;

describe("a suggested mapping", () => {
  const keys = (prices: ForeignPrice[], existing: Product[] = []) => {
    const counted = prices.map((each, n) => ({ price: each, subscriptions: prices.length - n }));
    const known = new Map(existing.map((each) => [each.key!, each]));
    return suggestMapping("acct_1", counted, known).prices.map((each) => [each.price, each.productKey]);
  };

  test("gives the prices of one product and period one key", () => {
    const euros = price({ ref: "price_2", currency: "eur" });
    const old = price({ ref: "price_3", amount: 1500 });
    const year = price({ ref: "price_4", interval: "year" });
    const quarter = price({ ref: "price_5", intervalCount: 3 });
    expect(keys([price(), euros, old, year, quarter])).toEqual([
      ["price_1", "pro-plan"],
      ["price_2", "pro-plan"],
      ["price_3", "pro-plan"],
      ["price_4", "pro-plan-year"],
      ["price_5", "pro-plan-month"],
    ]);
  });

  test("keeps products with one name apart, and takes a Product that fits", () => {
    const other = price({ ref: "price_2", product: "prod_2" });
    expect(keys([price(), other])).toEqual([
      ["price_1", "pro-plan"],
      ["price_2", "pro-plan-month"],
    ]);
    expect(keys([price()], [product()])).toEqual([["price_1", "pro-plan"]]);
    for (const unfit of [{ interval: "year" }, { archived: true }, { prices: [] }] as Partial<Product>[])
      expect(keys([price()], [product(unfit)])).toEqual([["price_1", "pro-plan-month"]]);
  });

  test("leaves prices without a whole amount for a unit out, and takes a product without a name", () => {
    const unfit = [price({ amount: null }), price({ isTiered: true }), price({ isMetered: true })];
    expect(keys(unfit)).toEqual([]);
    expect(keys([price({ productName: null })])).toEqual([["price_1", "prod_1"]]);
    expect(keys([price({ productName: "日本" })])).toEqual([["price_1", "prod_1"]]);
  });

  test("has the prices with the most subscriptions first", () => {
    const { prices } = suggestMapping(
      "acct_1",
      [
        { price: price(), subscriptions: 1 },
        { price: price({ ref: "price_2", amount: 1500 }), subscriptions: 9 },
      ],
      new Map(),
    );
    expect(prices.map((each) => each.price)).toEqual(["price_2", "price_1"]);
  });
});

describe("the plan of a catalogue", () => {
  const line = (fields: Partial<MappedPrice> = {}): MappedPrice => ({
    price: "price_1",
    name: "Pro plan",
    currency: "usd",
    amount: 2000,
    interval: "month",
    intervalCount: 1,
    subscriptions: 1,
    productKey: "pro-plan",
    ...fields,
  });
  const used = (...all: UsedPrice[]) => new Map(all.map((each) => [each.price.ref, each]));
  const one = { minimum: 1, maximum: 1 };
  const plan = (prices: MappedPrice[], inUse: ReadonlyMap<string, UsedPrice>, ...existing: Product[]) =>
    planCatalogue({ account: "acct_1", prices }, inUse, new Map(existing.map((each) => [each.key!, each])));

  const FAULTS: [MappingFault["fault"], MappedPrice[], UsedPrice[], Product[]][] = [
    ["no_line", [], [{ price: price(), quantity: one }], []],
    ["twice", [line(), line()], [{ price: price(), quantity: one }], []],
    ["other_price", [line({ amount: 1999 })], [{ price: price(), quantity: one }], []],
    ["other_price", [line({ currency: "eur" })], [{ price: price(), quantity: one }], []],
    ["other_period", [line()], [{ price: price(), quantity: one }], [product({ interval: "year" })]],
    [
      "other_period",
      [line(), line({ price: "price_2", intervalCount: 3 })],
      [
        { price: price(), quantity: one },
        { price: price({ ref: "price_2", intervalCount: 3 }), quantity: one },
      ],
      [],
    ],
    ["no_price", [line()], [{ price: price(), quantity: one }], [product({ prices: [] })]],
    ["archived", [line()], [{ price: price(), quantity: one }], [product({ archived: true })]],
    ["sold_once", [line()], [{ price: price(), quantity: one }], [product({ interval: null, intervalCount: null })]],
    ["quantity", [line()], [{ price: price(), quantity: { minimum: 1, maximum: 7 } }], [product()]],
  ];

  test.each(FAULTS)("has the fault %s", (fault, lines, inUse, existing) => {
    expect(plan(lines, used(...inUse), ...existing).faults).toMatchObject([{ fault }]);
  });

  test("takes a Product with another amount, and no line that is not in use", () => {
    const inUse = used({ price: price({ amount: 1500 }), quantity: one });
    expect(plan([line({ amount: 1500 }), line({ price: "price_9", productKey: "x" })], inUse, product())).toEqual({
      faults: [],
      made: [],
    });
  });

  test("makes a Product with all currencies, the quantities and the noun of a unit", () => {
    const lines = [
      line(),
      line({ price: "price_2", amount: 1500 }),
      line({ price: "price_3", currency: "eur", amount: 1800 }),
    ];
    const inUse = used({ price: price({ unitLabel: "seat" }), quantity: { minimum: 2, maximum: 7 } });
    expect(plan(lines, inUse).made).toEqual([
      {
        key: "pro-plan",
        name: "Pro plan",
        interval: "month",
        intervalCount: 1,
        prices: [
          { currency: "usd", amount: 2000 },
          { currency: "eur", amount: 1800 },
        ],
        quantity: { minimum: 1, maximum: 100_000 },
        unitName: { en: { one: "seat", other: "seats" } },
      },
    ]);
  });

  test("sells no fewer units than can be charged", () => {
    const cheap = used({ price: price({ amount: 20 }), quantity: { minimum: 10, maximum: 10 } });
    // 50 cents are the least charge.
    expect(plan([line({ amount: 20 })], cheap).made).toMatchObject([{ quantity: { minimum: 3, maximum: 100_000 } }]);
  });
});
