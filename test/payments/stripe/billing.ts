import { emit, type Book } from "./book.ts";
import type { JsonObject } from "./json.ts";
import { periodBefore } from "./billing-periods.ts";
import type {
  Coupon,
  Invoice,
  InvoiceItem,
  Price,
  Product,
  Subscription,
  SubscriptionItem,
  SubscriptionStatus,
  TaxRate,
} from "./objects.ts";

/*
 * The objects of Stripe Billing, as other software makes them: the adapter only reads them. Their fields are those that
 * Stripe's description of the version requires, and those that an import reads.
 */

const MONTH = 30 * 86_400;

type Course = { end: number; trialEnd: number | null };

export function makeProduct(book: Book, fields: JsonObject = {}): Product {
  const made: Product = {
    id: book.newId("prod"),
    object: "product",
    active: true,
    created: book.now(),
    default_price: null,
    description: null,
    images: [],
    livemode: book.livemode,
    marketing_features: [],
    metadata: {},
    name: "Team",
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    unit_label: null,
    updated: book.now(),
    url: null,
    ...fields,
  };
  book.products.set(made.id, made);
  return made;
}

/** A Price of 20.00 US dollars a month, unless given. A tiered Price has no amount of its own. */
export function makePrice(book: Book, fields: JsonObject = {}): Price {
  const { product, recurring, ...others } = fields;
  const amount = others["unit_amount"] === undefined ? 2000 : others["unit_amount"];
  const made: Price = {
    id: book.newId("price"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: book.now(),
    currency: "usd",
    custom_unit_amount: null,
    livemode: book.livemode,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: typeof product === "string" ? product : makeProduct(book).id,
    recurring: {
      interval: "month",
      interval_count: 1,
      meter: null,
      usage_type: "licensed",
      ...(recurring as JsonObject | undefined),
    },
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: amount as number | null,
    unit_amount_decimal: amount === null ? null : String(amount),
    ...others,
  };
  book.prices.set(made.id, made);
  return made;
}

/** 25 % off for ever, unless given. */
export function makeCoupon(book: Book, fields: JsonObject = {}): Coupon {
  const made: Coupon = {
    id: book.newId("co"),
    object: "coupon",
    amount_off: null,
    created: book.now(),
    currency: null,
    duration: "forever",
    duration_in_months: null,
    livemode: book.livemode,
    max_redemptions: null,
    metadata: {},
    name: null,
    percent_off: fields["amount_off"] === undefined ? 25 : null,
    redeem_by: null,
    times_redeemed: 1,
    valid: true,
    ...fields,
  };
  book.coupons.set(made.id, made);
  return made;
}

/** A use of a coupon: by a Customer, a subscription or one of its items. Answers the id. */
export function makeDiscount(book: Book, coupon: string, fields: JsonObject = {}): string {
  const id = book.newId("di");
  book.discounts.set(id, {
    id,
    object: "discount",
    checkout_session: null,
    customer: null,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { type: "coupon", coupon },
    start: book.now(),
    subscription: null,
    subscription_item: null,
    ...fields,
  });
  return id;
}

export type NewItem = { price?: string; quantity?: number; discounts?: string[]; taxRates?: TaxRate[] };
/** `items`: one item of a new Price, unless given. `endsAt`: the end of the period in seconds; a month away. */
export type NewSubscription = { items?: NewItem[]; endsAt?: number; status?: SubscriptionStatus } & JsonObject;

function itemOf(book: Book, subscription: string, given: NewItem, { end, trialEnd }: Course): SubscriptionItem {
  const { price, quantity = 1, discounts = [], taxRates = [] } = given;
  const sold = structuredClone(price === undefined ? makePrice(book) : book.prices.get(price)!);
  return {
    id: book.newId("si"),
    object: "subscription_item",
    billing_thresholds: null,
    created: book.now(),
    current_period_end: end,
    current_period_start: trialEnd === null ? periodBefore(end, sold.recurring).start : book.now(),
    discounts,
    metadata: {},
    price: sold,
    // Usage has no quantity.
    ...(price !== undefined && isMetered(book, price) ? {} : { quantity }),
    subscription,
    tax_rates: taxRates,
  };
}

const isMetered = (book: Book, price: string): boolean => book.prices.get(price)?.recurring?.usage_type === "metered";

/** A subscription of Stripe Billing. */
export function makeSubscription(book: Book, customer: string, given: NewSubscription = {}): Subscription {
  const { items = [{}], endsAt = book.now() + MONTH, ...fields } = given;
  const id = book.newId("sub");
  const trialEnd = given.status === "trialing" ? (given.trial_end as number) : null;
  const data = items.map((item) => itemOf(book, id, item, { end: endsAt, trialEnd }));
  const self = { issuer: { type: "self" }, account_tax_ids: null, custom_fields: null, description: null };
  const made: Subscription = {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? periodBefore(endsAt, data[0]?.price.recurring ?? null).anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { type: "classic", flexible: null },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: book.now(),
    currency: data[0]?.price.currency ?? "usd",
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: { ...self, footer: null },
    items: { object: "list", data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: book.livemode,
    managed_payments: null,
    metadata: {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: book.now(),
    status: "active",
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } },
    trial_start: trialEnd === null ? null : book.now(),
    ...(fields as Partial<Subscription>),
  };
  book.subscriptions.set(id, made);
  emit(book, "customer.subscription.created", made);
  return made;
}

/** A subscription that has not begun yet, or that is to change. */
export function makeSchedule(book: Book, customer: string, fields: JsonObject = {}): string {
  const id = book.newId("sub_sched");
  book.schedules.set(id, {
    id,
    object: "subscription_schedule",
    application: null,
    billing_mode: { type: "classic", flexible: null },
    canceled_at: null,
    completed_at: null,
    created: book.now(),
    current_phase: null,
    customer,
    customer_account: null,
    default_settings: { billing_cycle_anchor: "automatic", invoice_settings: { issuer: { type: "self" } } },
    end_behavior: "release",
    livemode: book.livemode,
    metadata: {},
    phases: [],
    released_at: null,
    released_subscription: null,
    status: "not_started",
    subscription: null,
    test_clock: null,
    ...fields,
  });
  return id;
}

/** The end of a subscription, with the deletion of its Customer or by the seller. */
export function cancelSubscription(book: Book, subscription: Subscription): void {
  subscription.status = "canceled";
  Object.assign(subscription, { canceled_at: book.now(), ended_at: book.now() });
  emit(book, "customer.subscription.deleted", subscription);
}

/** A rate of tax: 19 % on top of the price, unless given. */
export function makeTaxRate(book: Book, fields: JsonObject = {}): TaxRate {
  return {
    id: book.newId("txr"),
    object: "tax_rate",
    active: true,
    country: "DE",
    created: book.now(),
    description: null,
    display_name: "VAT",
    effective_percentage: null,
    flat_amount: null,
    inclusive: false,
    jurisdiction: "DE",
    jurisdiction_level: "country",
    livemode: book.livemode,
    metadata: {},
    percentage: 19,
    rate_type: "percentage",
    state: null,
    tax_type: "vat",
    ...fields,
  };
}

/** An invoice of a Customer, and of a subscription if one is named. */
export function makeInvoice(book: Book, customer: string, subscription: string | null, fields: JsonObject): Invoice {
  const amount = Number(fields["amount_due"] ?? 2000);
  const zeros = ["overpaid", "paid", "paid_off_stripe", "shipping"].map((name) => [`amount_${name}`, 0]);
  const made: Invoice = {
    id: book.newId("in"),
    object: "invoice",
    ...Object.fromEntries(zeros),
    amount_due: amount,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    collection_method: "charge_automatically",
    created: book.now(),
    currency: "usd",
    customer,
    default_tax_rates: [],
    discounts: [],
    ending_balance: 0,
    issuer: { type: "self" },
    lines: { object: "list", data: [], has_more: false, url: "" },
    livemode: book.livemode,
    parent:
      subscription === null
        ? null
        : { type: "subscription_details", quote_details: null, subscription_details: { metadata: {}, subscription } },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: book.now(),
    period_start: book.now(),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status: "open",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: amount,
    total: amount,
    ...fields,
  };
  book.invoices.set(made.id, made);
  return made;
}

/** An item that waits for the next invoice of a Customer, or of a subscription if one is named. */
export function makeInvoiceItem(
  book: Book,
  customer: string,
  subscription: string | null,
  fields: JsonObject = {},
): InvoiceItem {
  const made: InvoiceItem = {
    id: book.newId("ii"),
    object: "invoiceitem",
    amount: 500,
    currency: "usd",
    customer,
    customer_account: null,
    date: book.now(),
    description: null,
    discountable: true,
    discounts: [],
    invoice: null,
    livemode: book.livemode,
    metadata: {},
    parent: subscription === null ? null : { type: "subscription_details", subscription_details: { subscription } },
    period: { end: book.now(), start: book.now() },
    pricing: null,
    proration: false,
    quantity: 1,
    quantity_decimal: "1",
    tax_rates: [],
    test_clock: null,
    ...fields,
  };
  book.invoiceItems.set(made.id, made);
  return made;
}
