import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { newPaymentLink, type PaymentLinkTerms } from "../model/payment-link.ts";
import type { Product } from "../model/product.ts";
import { isOffered, MOST_UNITS } from "../model/quantity.ts";
import { offersOf } from "./link-offer.ts";

const NOW = at("2026-01-01");
const SELLER = { defaultCurrency: "usd" };

const product = (more: Partial<Product> = {}): Product => ({
  organizationId: "org_1",
  id: "prd_1",
  key: "pro",
  name: "Pro",
  description: null,
  groupKey: "plans",
  interval: "month",
  intervalCount: 1,
  trialDays: null,
  trialCard: "required",
  quantityMinimum: 2,
  quantityMaximum: 50,
  unitName: null,
  prices: [
    { currency: "usd", amount: 1000 },
    { currency: "eur", amount: 900 },
  ],
  benefitIds: [],
  archived: false,
  metadata: {},
  syncAt: null,
  syncCursor: null,
  version: 1,
  eventSequence: 1,
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
});

const link = (more: Partial<PaymentLinkTerms> = {}) =>
  newPaymentLink(
    "org_1",
    {
      key: null,
      name: "Page",
      productIds: ["prd_1"],
      currency: null,
      quantity: null,
      quantityChange: null,
      discountCode: null,
      allowDiscountCodes: true,
      locale: null,
      successUrl: null,
      fields: null,
      metadata: {},
      active: true,
      ...more,
    },
    NOW,
  );

const NOTHING = { product: null, quantity: null, currency: null };
const shown = ({ offers, ignored }: ReturnType<typeof offersOf>) => [
  offers.map(({ product: { id }, quantity, price }) => `${id} ${quantity} ${price.amount} ${price.currency}`).join(),
  ignored.join(),
];

describe("the offers of a link", () => {
  test.each([
    [{}, {}, "prd_1 2 2000 usd", ""],
    [{}, { quantity: 3 }, "prd_1 3 3000 usd", ""],
    [{}, { quantity: 51 }, "prd_1 2 2000 usd", "quantity"],
    [{ quantity: 5 }, { quantity: 3 }, "prd_1 5 5000 usd", "quantity"],
    [{ quantity: 5 }, { quantity: 5 }, "prd_1 5 5000 usd", ""],
    [{ quantityChange: { minimum: 4, maximum: 6 } }, {}, "prd_1 4 4000 usd", ""],
    [{ quantityChange: { minimum: 4, maximum: 6 } }, { quantity: 6 }, "prd_1 6 6000 usd", ""],
    [{ quantityChange: { minimum: 4, maximum: 6 } }, { quantity: 7 }, "prd_1 4 4000 usd", "quantity"],
    [{ quantity: 5, quantityChange: { minimum: 1, maximum: 99 } }, { quantity: 50 }, "prd_1 50 50000 usd", ""],
    [{}, { currency: "eur" }, "prd_1 2 1800 eur", ""],
    [{}, { currency: "jpy" }, "prd_1 2 2000 usd", "currency"],
    [{ currency: "eur" }, { currency: "usd" }, "prd_1 2 1800 eur", "currency"],
    [{}, { product: "pro" }, "prd_1 2 2000 usd", ""],
    [{}, { product: "other" }, "prd_1 2 2000 usd", "product"],
  ])("%j to a visit with %j are %s, without %j", (terms, asked, offers, ignored) => {
    expect(shown(offersOf(SELLER, link(terms), [product()], { ...NOTHING, ...asked }))).toEqual([offers, ignored]);
  });

  it("are the Products for sale with a price in the currency of the link, and the asked one alone", () => {
    const all = [
      product({ id: "prd_1", archived: true }),
      product({ id: "prd_2", key: "two" }),
      product({ id: "prd_3", key: "three", prices: [{ currency: "jpy", amount: 100 }] }),
      product({ id: "prd_4", key: null }),
    ];
    const ids = (terms: Partial<PaymentLinkTerms>, name: string | null) =>
      offersOf(SELLER, link(terms), all, { ...NOTHING, product: name }).offers.map((offer) => offer.product.id);
    expect(ids({}, null)).toEqual(["prd_2", "prd_3", "prd_4"]);
    expect(ids({ currency: "usd" }, null)).toEqual(["prd_2", "prd_4"]);
    expect(ids({}, "two")).toEqual(["prd_2"]);
    expect(ids({}, "prd_4")).toEqual(["prd_4"]);
    expect(ids({}, "prd_1")).toEqual(["prd_2", "prd_3", "prd_4"]);
  });

  it("never leave the limits of the Product or of the link, whatever a visit asks for", () => {
    const whole = fc.integer({ min: 1, max: MOST_UNITS });
    const range = fc.tuple(whole, whole).map(([a, b]) => ({ minimum: Math.min(a, b), maximum: Math.max(a, b) }));
    const asked = fc.option(fc.integer({ min: -5, max: 2 * MOST_UNITS }), { nil: null });
    const fixed = fc.option(whole, { nil: null });
    fc.assert(
      fc.property(range, fc.option(range, { nil: null }), fixed, asked, (limits, quantityChange, quantity, wanted) => {
        const sold = product({ quantityMinimum: limits.minimum, quantityMaximum: limits.maximum });
        const terms = link({ quantity, quantityChange });
        const { offers } = offersOf(SELLER, terms, [sold], { ...NOTHING, quantity: wanted });
        for (const offer of offers) {
          expect(isOffered(limits, offer.quantity)).toBe(true);
          if (offer.range) expect(isOffered(offer.range, offer.quantity)).toBe(true);
          expect(offer.price.amount).toBe(offer.quantity * 1000);
        }
      }),
    );
  });
});
