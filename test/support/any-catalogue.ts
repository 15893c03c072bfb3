import fc from "fast-check";
import type { Product } from "../../src/domain/model/product.ts";
import type { TaxRate } from "../../src/domain/tax/tax.ts";
import { productWith } from "./customer-billing.ts";

export const CURRENCIES = ["usd", "eur"] as const;

/** The catalogue. Each Product has a price in usd and one in eur. */
const PLANS = {
  small: { groupKey: "plans", interval: "month", intervalCount: 1 },
  large: { groupKey: "plans", interval: "month", intervalCount: 1 },
  year: { groupKey: "plans", interval: "year", intervalCount: 1 },
  weeks: { groupKey: "plans", interval: "week", intervalCount: 4 },
  free: { groupKey: "plans", interval: "month", intervalCount: 1 },
  archived: { groupKey: "plans", interval: "month", intervalCount: 1, archived: true },
  taken: { groupKey: "taken", interval: "month", intervalCount: 1 },
  paying: { groupKey: "paying", interval: "month", intervalCount: 1 },
  elsewhere: { groupKey: "elsewhere", interval: "month", intervalCount: 3 },
  alone: { groupKey: null, interval: "month", intervalCount: 1 },
  once: { groupKey: null, interval: null, intervalCount: null },
} as const;
export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as Plan[];
export const recurring = PLAN_NAMES.filter((name) => name !== "once");

const anyPrice = fc.constantFrom(50, 60, 999, 1000, 1999, 30_000);
export const anyCatalogue = fc
  .array(fc.tuple(anyPrice, anyPrice), { minLength: PLAN_NAMES.length, maxLength: PLAN_NAMES.length })
  .map((prices) => PLAN_NAMES.map((name, n) => planOf(name, prices[n]!)));

function planOf(name: Plan, [usd, eur]: [number, number]): Product {
  const prices = CURRENCIES.map((currency) => ({
    currency,
    amount: name === "free" ? 0 : currency === "usd" ? usd : eur,
  }));
  return productWith([name === "large" ? "bft_2" : "bft_1"], {
    id: `prd_${name}`,
    key: name,
    name,
    prices,
    quantityMaximum: 10,
    ...PLANS[name],
  });
}

/** An address with only a country. */
export const addressIn = (country: string) => ({
  country,
  line1: null,
  line2: null,
  postalCode: null,
  city: null,
  state: null,
});
const rateWith = (more: Partial<TaxRate>): TaxRate => {
  const vat = { country: "DE", region: null, basisPoints: 1900, name: "VAT" };
  return { ...vat, inclusive: false, reverseCharge: false, ...more };
};
export const anyRates = fc.constantFrom<TaxRate[]>(
  [],
  [rateWith({})],
  [rateWith({ inclusive: true })],
  [rateWith({ reverseCharge: true })],
  [rateWith({ inclusive: true, reverseCharge: true })],
);
