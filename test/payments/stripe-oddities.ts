import type { StayReason } from "../../src/domain/import/stay-reasons.ts";
import type { NewItem, NewSubscription } from "./stripe/billing.ts";
import type { JsonObject } from "./stripe/json.ts";
import type { StripeServer } from "./stripe/server.ts";

/*
 * Accounts at Stripe Billing with every oddity, and the report that an assessment must give about them. Each oddity
 * names its own reasons, and the money of a month is computed here, so that the expectation shares no rule with the
 * code.
 */

/** A subscription that the report must list. `monthly`: in minor units of ISO 4217. */
export type ExpectedRow = {
  customer: string;
  reasons: StayReason[];
  currency: string;
  monthly: number;
  moves: boolean;
};
export type ExpectedReport = {
  customers: { total: number; subscribed: number; withBalance: number; withTaxId: number };
  rows: Map<string, ExpectedRow>;
};

export type Draft = {
  stripe: StripeServer;
  customer: string;
  currency: string;
  price: JsonObject;
  item: NewItem;
  items: NewItem[];
  fields: NewSubscription;
  /** The money of a month of one item, as [numerator, denominator], before the quantity. */
  unit: [bigint, bigint];
  reasons: Set<StayReason>;
  isListed: boolean;
  /** After the subscription is made. */
  later: ((id: string) => void)[];
};
export type Oddity = (draft: Draft) => void;

const DAY = 86_400;
const seconds = (draft: Draft, days: number) => draft.stripe.book.now() + days * DAY;

/** The oddities for which a subscription stays. */
const STAYING = new WeakSet<object>();

function stays(reason: StayReason, more: Oddity = () => undefined): Oddity {
  const oddity: Oddity = (draft) => {
    draft.reasons.add(reason);
    more(draft);
  };
  STAYING.add(oddity);
  return oddity;
}

/** Those of a list with which a subscription moves. */
export const movingOnes = <T extends object>(list: readonly T[]): readonly T[] =>
  list.filter((each) => !STAYING.has(each));
const having =
  (fields: (draft: Draft) => NewSubscription): Oddity =>
  (draft) =>
    void Object.assign(draft.fields, fields(draft));
const none: Oddity = () => undefined;

/** `amount`: in Stripe's unit; `unit`: a month of it in ISO's unit. */
const priced =
  (currency: string, amount: number, unit: [bigint, bigint], recurring: JsonObject = {}): Oddity =>
  (draft) => {
    Object.assign(draft, { currency, unit });
    Object.assign(draft.price, { currency, unit_amount: amount, recurring });
  };
const unpriced =
  (fields: JsonObject): Oddity =>
  (draft) => {
    draft.unit = [0n, 1n];
    Object.assign(draft.price, fields);
  };

export const PRICES: readonly Oddity[] = [
  none,
  none,
  priced("eur", 999, [999n, 1n]),
  priced("usd", 10_001, [10_001n, 12n], { interval: "year" }),
  priced("usd", 701, [701n * 365n, 84n * 2n], { interval: "week", interval_count: 2 }),
  priced("usd", 150, [150n * 365n, 12n], { interval: "day" }),
  priced("usd", 5000, [5000n, 3n], { interval_count: 3 }),
  priced("usd", 0, [0n, 1n]),
  priced("jpy", 1200, [1200n, 1n]),
  // Stripe counts Icelandic krónur in hundredths.
  priced("isk", 290_000, [2900n, 1n]),
  stays("currency", priced("irr", 500_000, [500_000n, 1n])),
  stays("amount", priced("usd", 49, [49n, 1n])),
  stays("amount", (draft) => {
    priced("kwd", 2001, [0n, 1n])(draft);
    draft.item.quantity = 1;
  }),
  stays("amount", unpriced({ unit_amount: null, unit_amount_decimal: "0.5" })),
  stays("amount", unpriced({ unit_amount: null, custom_unit_amount: { minimum: 100, maximum: null, preset: null } })),
  stays("tiers", unpriced({ unit_amount: null, billing_scheme: "tiered", tiers_mode: "graduated" })),
  stays("tiers", unpriced({ transform_quantity: { divide_by: 10, round: "up" } })),
  stays("usage", unpriced({ recurring: { usage_type: "metered" } })),
];

export const ITEMS: readonly Oddity[] = [
  none,
  none,
  (draft) => void (draft.item.quantity = draft.reasons.has("amount") || draft.unit[0] === 0n ? 1 : 4),
  // Usage has no quantity, and 0 units of a wrong amount have no wrong amount.
  (draft) => (draft.reasons.size > 0 ? none : stays("quantity", ({ item }) => void (item.quantity = 0)))(draft),
  stays("several_items", (draft) => void draft.items.push({ price: "second" })),
];

/** A card that the Customer has, as a PaymentMethod. */
function method(draft: Draft, card: JsonObject = {}, others: JsonObject = {}): string {
  const id = draft.stripe.operations.attachCard(draft.customer);
  const made = draft.stripe.book.paymentMethods.get(id)!;
  Object.assign(made.card, card);
  Object.assign(made, others);
  return id;
}
const source = (draft: Draft, object: "card" | "source", fields: JsonObject = {}) =>
  draft.stripe.operations.source(draft.customer, object, fields);
const byDefault = (draft: Draft, fields: JsonObject) =>
  draft.stripe.operations.changeCustomer(draft.customer, {
    invoice_settings: { default_payment_method: null },
    ...fields,
  });
const invoiceMethod = (id: string) => ({ invoice_settings: { default_payment_method: id } });

const good = having((draft) => ({ default_payment_method: method(draft) }));

export const CARDS: readonly Oddity[] = [
  ...Array<Oddity>(12).fill(good),
  having((draft) => ({ default_source: source(draft, "card") })),
  stays(
    "card_expired",
    having((draft) => ({ default_payment_method: method(draft, { exp_year: 2020, exp_month: 1 }) })),
  ),
  stays(
    "card_expired",
    having((draft) => ({ default_source: source(draft, "card", { exp_year: 2020 }) })),
  ),
  stays(
    "india",
    having((draft) => ({ default_payment_method: method(draft, { country: "IN" }) })),
  ),
  stays(
    "other_payment_method",
    having((draft) => ({ default_payment_method: method(draft, {}, { type: "sepa_debit" }) })),
  ),
  stays(
    "other_payment_method",
    having((draft) => ({ default_source: source(draft, "source") })),
  ),
];

/** Payment methods of the Customer, for subscriptions without one of their own. */
export const DEFAULT_CARDS: readonly Oddity[] = [
  stays("no_card", (draft) => byDefault(draft, { default_source: null })),
  (draft) => byDefault(draft, invoiceMethod(method(draft))),
  (draft) => byDefault(draft, { default_source: source(draft, "card") }),
  stays("other_payment_method", (draft) => byDefault(draft, invoiceMethod(method(draft, {}, { type: "link" })))),
  stays("india", (draft) => byDefault(draft, { default_source: source(draft, "card", { country: "IN" }) })),
];

const unlisted =
  (status: NewSubscription["status"] & string): Oddity =>
  (draft) => {
    draft.fields.status = status;
    draft.isListed = false;
  };

export const STATES: readonly Oddity[] = [
  none,
  none,
  none,
  having((draft) => ({ status: "trialing", trial_end: seconds(draft, 20), endsAt: seconds(draft, 20) })),
  stays(
    "past_due",
    having(() => ({ status: "past_due" })),
  ),
  stays(
    "past_due",
    having(() => ({ status: "unpaid" })),
  ),
  stays(
    "incomplete",
    having(() => ({ status: "incomplete" })),
  ),
  stays(
    "paused",
    having(() => ({ status: "paused" })),
  ),
  stays(
    "paused",
    having(() => ({ pause_collection: { behavior: "void", resumes_at: null } })),
  ),
  unlisted("canceled"),
  unlisted("incomplete_expired"),
];

const invoice =
  (status: string): Oddity =>
  (draft) =>
    void draft.later.push((id) => void draft.stripe.operations.invoice(draft.customer, id, { status }));
const invoiceItem =
  (fields: JsonObject): Oddity =>
  (draft) =>
    void draft.later.push((id) => void draft.stripe.operations.invoiceItem(draft.customer, id, fields));

export const BILLS: readonly Oddity[] = [
  none,
  none,
  none,
  invoice("paid"),
  invoice("void"),
  stays("open_invoice", invoice("draft")),
  stays("open_invoice", invoice("open")),
  invoiceItem({ invoice: "in_paid" }),
  stays("pending_items", invoiceItem({})),
];

export const PLANS: readonly Oddity[] = [
  none,
  none,
  none,
  stays("later_end", (draft) => void (draft.fields["cancel_at"] = seconds(draft, 40))),
  having((draft) => ({ cancel_at_period_end: true, cancel_at: draft.fields.endsAt ?? seconds(draft, 30) })),
  stays(
    "schedule",
    having((draft) => ({ schedule: draft.stripe.operations.schedule(draft.customer, { status: "active" }) })),
  ),
  stays(
    "schedule",
    having((draft) => ({ pending_update: { expires_at: seconds(draft, 1) } })),
  ),
  stays("renewal_near", (draft) => {
    const endsAt = seconds(draft, 1);
    Object.assign(draft.fields, { endsAt, ...(draft.fields.status === "trialing" ? { trial_end: endsAt } : {}) });
  }),
];

const discounted =
  (coupon: JsonObject, fields: JsonObject = {}): Oddity =>
  (draft) => {
    const { operations } = draft.stripe;
    const before = (draft.fields["discounts"] as string[] | undefined) ?? [];
    draft.fields["discounts"] = [...before, operations.discount(operations.coupon(coupon), fields)];
  };
const HALF = { percent_off: 50 };

export const DISCOUNTS: readonly Oddity[] = [
  none,
  none,
  none,
  discounted(HALF),
  discounted({ duration: "once" }),
  (draft) => discounted({ duration: "repeating", duration_in_months: 6 }, { end: seconds(draft, 90) })(draft),
  (draft) => discounted({ amount_off: 100, currency: draft.currency })(draft),
  stays("coupon", discounted({ percent_off: 33.333 })),
  stays("coupon", (draft) =>
    discounted({ amount_off: 100, currency: draft.currency === "eur" ? "usd" : "eur" })(draft),
  ),
  stays("coupon", (draft) => {
    discounted(HALF)(draft);
    discounted({})(draft);
  }),
  stays("coupon", (draft) => {
    discounted(HALF)(draft);
    draft.stripe.operations.deleteCoupon([...draft.stripe.book.coupons.keys()].at(-1)!);
  }),
  stays(
    "coupon",
    ({ item, stripe: { operations } }) => void (item.discounts = [operations.discount(operations.coupon())]),
  ),
];

export const OTHERS: readonly Oddity[] = [
  none,
  none,
  none,
  having(() => ({ automatic_tax: { disabled_reason: null, enabled: true, liability: { type: "self" } } })),
  having(({ stripe }) => ({ default_tax_rates: [stripe.operations.taxRate()] })),
  stays(
    "send_invoice",
    having(() => ({ collection_method: "send_invoice", days_until_due: 30 })),
  ),
  stays(
    "usage",
    having(() => ({ billing_thresholds: { amount_gte: 5000, reset_billing_cycle_anchor: false } })),
  ),
  stays(
    "other_seller",
    having(() => ({ application: "ca_1" })),
  ),
  stays(
    "other_seller",
    having(() => ({ on_behalf_of: "acct_other" })),
  ),
  stays(
    "other_seller",
    having(() => ({ transfer_data: { amount_percent: 10, destination: "acct_other" } })),
  ),
  stays(
    "other_seller",
    having(() => ({ managed_payments: { enabled: true } })),
  ),
];

/** Oddities of a Customer, those that move first, each with the reasons for all subscriptions of the Customer. */
export const OF_CUSTOMERS: readonly ((
  stripe: StripeServer,
  customer: string,
  report: ExpectedReport,
) => StayReason[])[] = [
  ...Array<() => StayReason[]>(8).fill(() => []),
  ({ operations }, customer, { customers }) => {
    operations.changeCustomer(customer, { balance: -700, currency: "usd" });
    customers.withBalance += 1;
    return [];
  },
  ({ operations }, customer, { customers }) => {
    operations.taxId(customer, "eu_vat", "DE811569869");
    customers.withTaxId += 1;
    return [];
  },
  ({ operations }, customer) => {
    operations.invoiceItem(customer, null);
    return ["pending_items"];
  },
  ({ operations }, customer) => {
    operations.changeCustomer(customer, { email: null });
    return ["no_email"];
  },
  ({ operations }, customer) => {
    operations.schedule(customer);
    return ["schedule"];
  },
  ({ operations }, customer) => {
    operations.changeCustomer(customer, { test_clock: "clock_1" });
    return ["test_clock"];
  },
];

/** Those with which the subscriptions of the Customer move. */
export const MOVING_CUSTOMERS = OF_CUSTOMERS.slice(0, 10);
