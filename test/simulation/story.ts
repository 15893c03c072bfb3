import {
  DAY,
  type Action,
  type CardName,
  type History,
  type Interval,
  type PlannedProduct,
  type Settings,
  type Step,
} from "./history.ts";

// Histories that are written by hand.

const START = Date.UTC(2025, 0, 1);

/** An action of the first Customer, `day` days after 1 January 2025. */
export function on(day: number, action: Action): Step {
  return {
    at: START + day * DAY,
    stride: "jump",
    customer: 0,
    faults: { way: null, request: null },
    repeat: false,
    ...action,
  };
}

export function product(amount: number, interval: Interval, more: Partial<PlannedProduct> = {}): PlannedProduct {
  const every = { interval, count: 1 };
  return {
    group: "plans",
    every,
    trialDays: null,
    trialCard: "required",
    prices: { usd: amount },
    benefits: [0],
    ...more,
  };
}

export function story(
  days: number,
  products: PlannedProduct[],
  steps: Step[],
  settings: Partial<Settings> = {},
): History {
  const usual: Settings = {
    zone: "UTC",
    retryDays: [3, 7, 14, 21],
    graceDays: 7,
    behavior: "invoice_now",
    taxRates: [],
    country: null,
  };
  const buyers = [{ location: null, atPage: false }];
  const common = { seed: 0, start: START, end: START + days * DAY, buyers, discounts: [] };
  return { ...common, settings: { ...usual, ...settings }, products, steps };
}

export const buy = (number: number, card: CardName | null): Action => ({
  do: "buy",
  product: number,
  currency: "usd",
  card,
  typed: false,
  discount: null,
});
