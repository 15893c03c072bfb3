import type { JsonObject } from "../payments/stripe/json.ts";
import type { NewSubscription } from "../payments/stripe/billing.ts";
import type { StripeServer } from "../payments/stripe/server.ts";

/*
 * A company with 300 subscriptions at Stripe Billing: months and years in three currencies, seats, trials, coupons,
 * balances, planned ends, and a few that stay. Each one renews within 3 to 29 days, so that a window of 30 days and a
 * half has exactly one renewal of each. No draw of chance and no date of a calendar is in the figures.
 */

const DAY = 86_400;

/** A subscription of the company. `isNear`: renews within 48 hours, so the first cut-over leaves it. */
export type Member = { id: string; customer: string; isNear: boolean };
export type Company = { members: Member[]; prices: Record<PriceName, string> };

/** Addresses by currency. Buyers who pay tax live in Germany. */
const ADDRESSES = {
  usd: { country: "US", line1: "1 Main Street", city: "Portland", state: "OR", postal_code: "97201" },
  eur: { country: "CH", line1: "Bahnhofstrasse 1", city: "Zürich", postal_code: "8001" },
  jpy: { country: "JP", line1: "1-2-3", city: "Tokyo", state: "Tokyo", postal_code: "150-0001" },
};
const GERMAN = { country: "DE", line1: "Hafenstraße 7", city: "Hamburg", postal_code: "20457" };

const PRICES = {
  solo: { product: "Solo", currency: "usd", unit_amount: 1900, interval: "month" },
  team: { product: "Team", currency: "usd", unit_amount: 1200, interval: "month" },
  studio: { product: "Studio", currency: "usd", unit_amount: 4900, interval: "month" },
  studioYear: { product: "Studio, yearly", currency: "usd", unit_amount: 49_000, interval: "year" },
  studioEur: { product: "Studio", currency: "eur", unit_amount: 4500, interval: "month" },
  studioYearEur: { product: "Studio, yearly", currency: "eur", unit_amount: 45_000, interval: "year" },
  soloJpy: { product: "Solo", currency: "jpy", unit_amount: 2800, interval: "month" },
} as const;
type PriceName = keyof typeof PRICES;

type Draft = {
  stripe: StripeServer;
  customer: string;
  card: string;
  fields: NewSubscription;
  /** The end of the current period, in seconds. */
  endsAt: number;
};
type Trait = (draft: Draft) => void;

const having =
  (fields: (draft: Draft) => NewSubscription): Trait =>
  (draft) =>
    void Object.assign(draft.fields, fields(draft));
const discounted =
  (coupon: JsonObject, months: number | null = null): Trait =>
  (draft) => {
    const { operations } = draft.stripe;
    const end = months === null ? {} : { end: draft.endsAt + months * 30 * DAY };
    draft.fields["discounts"] = [operations.discount(operations.coupon(coupon), end)];
  };
const trial = having(({ endsAt }) => ({ status: "trialing", trial_end: endsAt }));
const ends = having(({ endsAt }) => ({ cancel_at: endsAt, cancel_at_period_end: true }));
const owes =
  (balance: number, currency: string): Trait =>
  ({ stripe, customer }) =>
    stripe.operations.changeCustomer(customer, { balance, currency });
/** A rate of tax on top of the price, as the seller has set it at Stripe. */
const taxed =
  (percentage: number): Trait =>
  (draft) => {
    const { operations } = draft.stripe;
    operations.changeCustomer(draft.customer, { address: { line2: null, state: null, ...GERMAN } });
    draft.fields["default_tax_rates"] = [operations.taxRate({ percentage })];
  };
const near: Trait = (draft) => {
  draft.endsAt = draft.stripe.book.now() + DAY;
};
const card =
  (fields: JsonObject): Trait =>
  ({ stripe, card: id }) =>
    void Object.assign(stripe.book.paymentMethods.get(id)!.card, fields);

/** `seats`: the units of the n-th subscription of the group. */
type Group = {
  price: PriceName;
  count: number;
  seats?: (n: number) => number;
  trait?: Trait;
  isNear?: boolean;
  /** A second subscription of the same Customer. */
  isDouble?: boolean;
  hasOpenInvoice?: boolean;
};

/** The subscriptions that move. */
const MOVE: readonly Group[] = [
  { price: "solo", count: 62 },
  { price: "solo", count: 10, trait: trial },
  { price: "solo", count: 8, trait: ends },
  { price: "solo", count: 6, trait: owes(-700, "usd") },
  { price: "solo", count: 2, trait: owes(300, "usd") },
  { price: "team", count: 58, seats: (n) => 2 + (n % 30) },
  {
    price: "team",
    count: 4,
    seats: (n) => 10 + n,
    trait: discounted({ amount_off: 500, currency: "usd", duration: "once" }),
  },
  { price: "studio", count: 28 },
  { price: "studio", count: 12, trait: discounted({ percent_off: 25 }) },
  { price: "studioYear", count: 20 },
  { price: "studioEur", count: 14 },
  { price: "studioEur", count: 9, trait: taxed(19) },
  // The rate of this buyer is not that of the seller's settings here.
  { price: "studioEur", count: 3, trait: taxed(7) },
  {
    price: "studioEur",
    count: 8,
    trait: discounted({ percent_off: 20, duration: "repeating", duration_in_months: 6 }, 3),
  },
  { price: "studioEur", count: 6, trait: trial },
  { price: "studioYearEur", count: 12 },
  { price: "soloJpy", count: 14 },
  { price: "solo", count: 4, trait: near, isNear: true },
];

/** Those that stay, each for its reason. */
const STAY: readonly Group[] = [
  { price: "solo", count: 4, trait: having(() => ({ status: "past_due" })) },
  { price: "solo", count: 3, trait: having(() => ({ collection_method: "send_invoice", days_until_due: 30 })) },
  { price: "studio", count: 2, trait: having(() => ({ pause_collection: { behavior: "void", resumes_at: null } })) },
  { price: "solo", count: 2, trait: card({ country: "IN" }) },
  { price: "studioEur", count: 2, trait: card({ exp_year: 2020, exp_month: 1 }) },
  { price: "solo", count: 2, hasOpenInvoice: true },
  { price: "solo", count: 2, isDouble: true },
  {
    price: "solo",
    count: 1,
    trait: ({ stripe, customer }) => stripe.operations.changeCustomer(customer, { email: null }),
  },
];

/** The Prices at Stripe, by their names here. Prices of one product share it. */
function foundPrices(stripe: StripeServer): Company["prices"] {
  const products = new Map<string, string>();
  const made = Object.entries(PRICES).map(([name, { product, interval, ...price }]) => {
    const known = products.get(product);
    const id = stripe.operations.price({ ...price, recurring: { interval }, ...(known && { product: known }) });
    const at = stripe.book.prices.get(id)!.product;
    stripe.book.products.get(at)!.name = product;
    products.set(product, at);
    return [name, id];
  });
  return Object.fromEntries(made) as Company["prices"];
}

export function foundCompany(stripe: StripeServer): Company {
  const { operations, book } = stripe;
  const prices = foundPrices(stripe);
  const members: Member[] = [];
  const subscribe = ({ price, seats = () => 1, trait, isNear = false }: Group, n: number, customer: string): string => {
    const method = operations.attachCard(customer);
    // 26 days and 24 hours: the renewals are spread over the days and over the hours of a day.
    const endsAt = book.now() + (3 + ((members.length * 7) % 26)) * DAY + (members.length % 24) * 3600;
    const draft: Draft = { stripe, customer, card: method, fields: { default_payment_method: method }, endsAt };
    trait?.(draft);
    const items = [{ price: prices[price], quantity: seats(n) }];
    const id = operations.subscribe(customer, { endsAt: draft.endsAt, items, ...draft.fields });
    members.push({ id, customer, isNear });
    return id;
  };
  for (const group of [...MOVE, ...STAY])
    for (let n = 0; n < group.count; n += 1) {
      const number = members.length;
      const customer = operations.makeCustomer({ email: `buyer${number}@example.com`, name: `Buyer ${number}` });
      const address = { line2: null, state: null, ...ADDRESSES[PRICES[group.price].currency] };
      operations.changeCustomer(customer, { address });
      const id = subscribe(group, n, customer);
      if (group.isDouble) subscribe(group, n, customer);
      if (group.hasOpenInvoice) operations.invoice(customer, id, { status: "open" });
    }
  return { members, prices };
}
