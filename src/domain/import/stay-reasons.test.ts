import { describe, expect, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { instant } from "../calendar.ts";
import { assessCustomer, newAssessment } from "./assessment.ts";
import type { ForeignCustomer, ForeignItem, ForeignPrice, ForeignSubscription } from "./foreign.ts";
import { priceOf, STAY_REASONS, stayReasons, type StayReason } from "./stay-reasons.ts";

const NOW = at("2026-03-10");
const DAY = 86_400_000;

const item = (price: Partial<ForeignPrice> = {}, others: Partial<ForeignItem> = {}): ForeignItem => ({
  price: {
    ref: "price_1",
    product: "prod_1",
    productName: "Team",
    unitLabel: null,
    currency: "usd",
    amount: 2000,
    interval: "month",
    intervalCount: 1,
    isTiered: false,
    isMetered: false,
    ...price,
  },
  quantity: 1,
  isDiscounted: false,
  ...others,
});

const card = {
  type: "card",
  ref: "pm_1",
  fingerprint: "f1",
  brand: "visa",
  last4: "4242",
  expYear: 2034,
  expMonth: 12,
  country: "US",
} as const;
const discount = {
  ref: "SPRING",
  terms: { basisPoints: 2500 },
  duration: "forever",
  months: null,
  startedAt: at("2026-03-01"),
  endsAt: null,
} as const;

const subscription = (changes: Partial<ForeignSubscription> = {}): ForeignSubscription => ({
  ref: "sub_1",
  status: "active",
  currency: "usd",
  items: [item()],
  collection: "automatic",
  payment: card,
  discounts: [],
  taxes: "none",
  startedAt: at("2026-01-25"),
  anchorAt: at("2026-01-25"),
  periodStart: at("2026-02-25"),
  periodEnd: at("2026-03-25"),
  metadata: {},
  latestInvoice: null,
  nextChargeAt: at("2026-03-25"),
  trialEndsAt: null,
  endsAt: null,
  isPaused: false,
  hasSchedule: false,
  hasOpenInvoice: false,
  hasPendingItems: false,
  hasThreshold: false,
  hasOtherSeller: false,
  isTest: false,
  ...changes,
});

const customer = (...subscriptions: ForeignSubscription[]): ForeignCustomer => ({
  ref: "cus_1",
  email: "ada@example.com",
  details: { name: "Ada", companyName: null, address: null, taxIds: [], locales: [], metadata: {} },
  payment: null,
  balance: 0,
  taxIds: 0,
  subscriptions,
});

const LIMITS = { least: 50, most: 99_999_999, step: 1 };
const circumstances = {
  now: NOW,
  chargeable: (currency: string) => (currency === "xxx" ? null : { ...LIMITS, step: currency === "kwd" ? 10 : 1 }),
};
const reasonsOf = (found: ForeignSubscription, ...others: ForeignSubscription[]) =>
  stayReasons(customer(found, ...others), found, circumstances);

const STAYS: [name: string, reasons: StayReason[], changes: Partial<ForeignSubscription>][] = [
  ["two items", ["several_items"], { items: [item(), item({ ref: "price_2" })] }],
  ["no item", ["several_items"], { items: [] }],
  ["a tiered price", ["tiers"], { items: [item({ amount: null, isTiered: true })] }],
  ["packages of units", ["tiers"], { items: [item({ isTiered: true })] }],
  ["usage", ["usage"], { items: [item({ isMetered: true }, { quantity: 0 })] }],
  ["usage in tiers", ["tiers", "usage"], { items: [item({ amount: null, isTiered: true, isMetered: true })] }],
  ["a threshold", ["usage"], { hasThreshold: true }],
  ["no units", ["quantity"], { items: [item({}, { quantity: 0 })] }],
  ["more units than a sale has", ["quantity"], { items: [item({ amount: 1 }, { quantity: 100_001 })] }],
  ["half a cent", ["amount"], { items: [item({ amount: null })] }],
  ["less than the minimum charge", ["amount"], { items: [item({ amount: 49 })] }],
  ["more than the largest charge", ["amount"], { items: [item({ amount: 10_000_000 }, { quantity: 10 })] }],
  ["finer than the provider's step", ["amount"], { currency: "kwd", items: [item({ currency: "kwd", amount: 2001 })] }],
  ["another currency", ["currency"], { currency: "xxx", items: [item({ currency: "xxx" })] }],
  ["an invoice in place of a charge", ["send_invoice"], { collection: "invoice" }],
  ["a first payment that is missing", ["incomplete"], { status: "incomplete" }],
  ["a status of later days", ["incomplete"], { status: "unknown" }],
  ["a paused collection", ["paused"], { isPaused: true }],
  ["a trial that ended without a card", ["paused", "no_card"], { status: "paused", payment: null }],
  ["an unpaid renewal", ["past_due"], { status: "past_due" }],
  ["unpaid renewals", ["past_due"], { status: "unpaid" }],
  ["an unpaid renewal with its invoice", ["past_due", "open_invoice"], { status: "past_due", hasOpenInvoice: true }],
  ["a draft", ["open_invoice"], { hasOpenInvoice: true }],
  ["items for the next invoice", ["pending_items"], { hasPendingItems: true }],
  ["a schedule", ["schedule"], { hasSchedule: true }],
  ["an end in the period after the next", ["later_end"], { endsAt: at("2026-04-25") }],
  [
    "an end after the first paid period of a trial",
    ["later_end"],
    { status: "trialing", trialEndsAt: at("2026-03-25"), endsAt: at("2026-04-25") },
  ],
  ["two discounts", ["coupon"], { discounts: [discount, { ...discount, ref: "SUMMER" }] }],
  ["a coupon that was deleted", ["coupon"], { discounts: [{ ...discount, terms: null }] }],
  [
    "an amount off in another currency",
    ["coupon"],
    { discounts: [{ ...discount, terms: { amount: 500, currency: "eur" } }] },
  ],
  ["months without an end", ["coupon"], { discounts: [{ ...discount, duration: "repeating", months: 3 }] }],
  [
    "an unknown number of months",
    ["coupon"],
    { discounts: [{ ...discount, duration: "repeating", endsAt: at("2026-06-01") }] },
  ],
  ["a discount on an item", ["coupon"], { items: [item({}, { isDiscounted: true })] }],
  ["no payment method", ["no_card"], { payment: null }],
  ["a direct debit", ["other_payment_method"], { payment: { type: "other", name: "sepa_debit" } }],
  ["a card of last month", ["card_expired"], { payment: { ...card, expYear: 2026, expMonth: 2 } }],
  ["a card of an Indian bank", ["india"], { payment: { ...card, country: "IN" } }],
  ["a renewal in 47 hours", ["renewal_near"], { nextChargeAt: instant(NOW + 2 * DAY - 1) }],
  ["a renewal that is late", ["renewal_near"], { nextChargeAt: instant(NOW - 1) }],
  ["a platform", ["other_seller"], { hasOtherSeller: true }],
  ["a test clock", ["test_clock"], { isTest: true }],
];

describe("a subscription stays", () => {
  test.each(STAYS)("with %s: %j", (_, reasons, changes) => {
    expect(reasonsOf(subscription(changes))).toEqual(reasons);
  });

  test("beside another subscription of its Customer, and so does the other one", () => {
    const [one, other] = [subscription(), subscription({ ref: "sub_2" })];
    expect([reasonsOf(one, other), reasonsOf(other, one)]).toEqual([["second_subscription"], ["second_subscription"]]);
  });

  test.each([null, ""])("with a Customer whose e-mail address is %j", (email) => {
    const found = subscription();
    expect(stayReasons({ ...customer(found), email }, found, circumstances)).toEqual(["no_email"]);
  });

  test("for each reason that there is", () => {
    const tested = new Set([...STAYS.flatMap(([, reasons]) => reasons), "no_email", "second_subscription"]);
    expect([...tested].sort()).toEqual([...STAY_REASONS].sort());
  });
});

test.each<[name: string, changes: Partial<ForeignSubscription>]>([
  ["a monthly price", {}],
  ["units", { items: [item({}, { quantity: 7 })] }],
  ["a price of 0", { items: [item({ amount: 0 })] }],
  ["a price for two weeks", { items: [item({ interval: "week", intervalCount: 2 })] }],
  ["a trial", { status: "trialing", trialEndsAt: at("2026-03-25") }],
  ["a planned end", { endsAt: at("2026-03-25") }],
  ["25 % off for ever", { discounts: [discount] }],
  ["an amount off once", { discounts: [{ ...discount, terms: { amount: 500, currency: "usd" }, duration: "once" }] }],
  [
    "months that are left",
    { discounts: [{ ...discount, duration: "repeating", months: 3, endsAt: at("2026-06-01") }] },
  ],
  ["a discount that has ended", { discounts: [discount, { ...discount, terms: null, endsAt: NOW }] }],
  ["tax rates", { taxes: "rates" }],
  ["a card of this month", { payment: { ...card, expYear: 2026, expMonth: 3 } }],
  ["a card of an unknown bank", { payment: { ...card, country: null } }],
  ["a renewal in 48 hours", { nextChargeAt: instant(NOW + 2 * DAY) }],
])("a subscription with %s moves", (_, changes) => {
  expect(reasonsOf(subscription(changes))).toEqual([]);
});

describe("the sums", () => {
  const assess = (...customers: ForeignCustomer[]) => {
    const sums = newAssessment();
    const rows = customers.flatMap((each) => assessCustomer(sums, each, circumstances));
    return { sums, rows };
  };

  test("count Customers, subscriptions and money of a month by currency", () => {
    const { sums } = assess(
      { ...customer(), balance: -500, taxIds: 2 },
      customer(subscription({ items: [item({}, { quantity: 3 })], discounts: [discount], taxes: "automatic" })),
      customer(subscription({ items: [item({ ref: "price_year", amount: 24_000, interval: "year" })] })),
      customer(subscription({ status: "trialing", trialEndsAt: at("2026-03-25"), endsAt: at("2026-03-25") })),
      customer(subscription({ isPaused: true, hasOpenInvoice: true })),
      customer(subscription({ currency: "eur", items: [item({ currency: "eur", amount: 100, interval: "day" })] })),
      customer(subscription({ items: [item({ isMetered: true }), item({ ref: "price_base" })] })),
    );
    expect(sums.customers).toEqual({ total: 7, subscribed: 6, withBalance: 1, withTaxId: 1 });
    expect(sums.subscriptions).toEqual({
      total: 6,
      moves: 4,
      stays: 2,
      trials: 1,
      endings: 1,
      discounted: 1,
      taxed: 1,
    });
    expect(Object.fromEntries(sums.money)).toEqual({
      // 3 × 20.00, 240.00 / 12 and 20.00; 20.00 and, beside usage, 20.00
      usd: { moves: { subscriptions: 3, monthly: 10_000 }, stays: { subscriptions: 2, monthly: 4000 } },
      // 1.00 × 365 / 12
      eur: { moves: { subscriptions: 1, monthly: 3042 }, stays: { subscriptions: 0, monthly: 0 } },
    });
    const reasons = Object.entries(sums.reasons).filter(([, count]) => count > 0);
    expect(reasons).toEqual([
      ["several_items", 1],
      ["usage", 1],
      ["paused", 1],
      ["open_invoice", 1],
    ]);
    expect([...sums.prices].map(([ref, { moves, stays }]) => [ref, moves, stays])).toEqual([
      ["price_1", 3, 2],
      ["price_year", 1, 0],
      ["price_base", 0, 1],
    ]);
  });

  test("count a price once for a subscription with two items of it", () => {
    const { sums, rows } = assess(customer(subscription({ items: [item(), item()] })));
    expect([...sums.prices.values()]).toMatchObject([{ moves: 0, stays: 1 }]);
    expect(rows).toMatchObject([{ monthly: 4000, isPriced: true, reasons: ["several_items"] }]);
  });
});

test("a price of usage, tiers or fractions is not known", () => {
  const prices = [{ isMetered: true }, { isTiered: true }, { amount: null }, {}];
  expect(prices.map((price) => priceOf({ items: [item(price, { quantity: 2 })] }))).toEqual([null, null, null, 4000]);
});
