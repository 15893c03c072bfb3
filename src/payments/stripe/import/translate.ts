import { instant } from "../../../domain/calendar.ts";
import type {
  ForeignCustomer,
  ForeignDetails,
  ForeignDiscount,
  ForeignItem,
  ForeignPayment,
  ForeignSubscription,
  UpcomingInvoice,
} from "../../../domain/import/foreign.ts";
import { fromStripe } from "../money.ts";
import { stripeAmount } from "../work.ts";
import type { Coupon, Customer, Discount, Item, Method, Preview, Product, Source, Subscription } from "./objects.ts";

/**
 * The parts of an account that no Customer's own objects show. `invoices` and `items`: the
 * subscriptions with a draft or open invoice, and those with pending items. `itemsOf`: the Customers with pending items
 * of no subscription, which Stripe puts on the next invoice of any. `scheduled`: the Customers with a subscription that
 * is to begin.
 */
export type SharedObjects = {
  products: ReadonlyMap<string, Pick<Product, "name" | "unit_label">>;
  coupons: ReadonlyMap<string, Coupon>;
  invoices: ReadonlySet<string>;
  items: ReadonlySet<string>;
  itemsOf: ReadonlySet<string>;
  scheduled: ReadonlySet<string>;
};

const at = (seconds: number) => instant(seconds * 1000);
const orNull = (seconds: number | null) => (seconds === null ? null : at(seconds));

/** The amount in ISO 4217 minor units; null: there is no such whole amount. */
function amountIn(given: number | null, currency: string): number | null {
  if (given === null) return null;
  const amount = fromStripe(given, currency);
  return stripeAmount({ amount, currency }) === given ? amount : null;
}

function itemOf({ price, quantity, discounts }: Item, products: SharedObjects["products"]): ForeignItem {
  const { id: ref, product, currency, unit_amount: amount, recurring } = price;
  const isMetered = recurring?.usage_type === "metered";
  return {
    price: {
      ref,
      product,
      productName: products.get(product)?.name ?? null,
      unitLabel: products.get(product)?.unit_label ?? null,
      currency,
      amount: recurring === null ? null : amountIn(amount, currency),
      interval: recurring?.interval ?? "month",
      intervalCount: recurring?.interval_count ?? 1,
      isTiered: price.billing_scheme === "tiered" || price.transform_quantity !== null,
      isMetered,
    },
    quantity: isMetered ? 0 : (quantity ?? 1),
    isDiscounted: discounts.length > 0,
  };
}

/** Percents with more than two decimals have no basis points. */
function termsOf({ percent_off: percent, amount_off: off, currency }: Coupon): ForeignDiscount["terms"] {
  if (percent !== null) {
    const basisPoints = Math.round(percent * 100);
    return Math.abs(basisPoints - percent * 100) < 1e-6 ? { basisPoints } : null;
  }
  const amount = off === null || currency === null ? null : amountIn(off, currency);
  return amount === null ? null : { amount, currency: currency! };
}

export const couponRef = ({ source: { coupon } }: Discount): string =>
  typeof coupon === "string" ? coupon : (coupon?.id ?? "");

/** A coupon that was deleted is in no list any more, but goes on to take off its amount. */
function discountOf(discount: Discount, coupons: SharedObjects["coupons"]): ForeignDiscount {
  const { start, end } = discount;
  const ref = couponRef(discount);
  const found = coupons.get(ref);
  const terms = found ? termsOf(found) : null;
  const months = found?.duration_in_months ?? null;
  return { ref, terms, duration: found?.duration ?? "forever", months, startedAt: at(start), endsAt: orNull(end) };
}

function paymentOfMethod({ id, type, card }: Method): ForeignPayment {
  if (type !== "card" || !card) return { type: "other", name: type };
  const { brand, last4, country, exp_year: expYear, exp_month: expMonth } = card;
  return { type: "card", ref: id, fingerprint: card.fingerprint ?? id, brand, last4, expYear, expMonth, country };
}

/** The brands of cards from before PaymentMethods, under the names that PaymentMethods have. */
const BRANDS = new Map([
  ["American Express", "amex"],
  ["Diners Club", "diners"],
  ["Discover", "discover"],
  ["JCB", "jcb"],
  ["MasterCard", "mastercard"],
  ["UnionPay", "unionpay"],
  ["Visa", "visa"],
]);

/** A card from before PaymentMethods (`card_…`) can be charged as one. Another source can't. */
function paymentOfSource({ id, object, ...card }: Source): ForeignPayment {
  if (object !== "card") return { type: "other", name: object };
  const { exp_year: expYear, exp_month: expMonth, last4 = "", country = null } = card;
  const brand = BRANDS.get(card.brand ?? "") ?? "unknown";
  const fingerprint = card.fingerprint ?? id;
  return { type: "card", ref: id, fingerprint, brand, last4, expYear: expYear!, expMonth: expMonth!, country };
}

function defaultPaymentOf({ invoice_settings, default_source }: Customer): ForeignPayment {
  const byDefault = invoice_settings.default_payment_method;
  if (byDefault) return paymentOfMethod(byDefault);
  return default_source && paymentOfSource(default_source);
}

/** The payment method that Stripe charges: the subscription's own before the Customer's. */
function paymentOf(subscription: Subscription, customer: Customer): ForeignPayment {
  const { default_payment_method: own, default_source: ownSource } = subscription;
  if (own) return paymentOfMethod(own);
  if (ownSource) return paymentOfSource(ownSource);
  return defaultPaymentOf(customer);
}

const STATUSES = new Set(["incomplete", "trialing", "active", "past_due", "unpaid", "paused"]);

function taxesOf({ automatic_tax, default_tax_rates, items }: Subscription): ForeignSubscription["taxes"] {
  if (automatic_tax.enabled) return "automatic";
  const rates = [default_tax_rates, ...items.data.map(({ tax_rates }) => tax_rates)].flatMap((each) => each ?? []);
  return rates.length > 0 ? "rates" : "none";
}

const hasOtherSeller = ({ application, on_behalf_of, transfer_data, managed_payments }: Subscription): boolean =>
  application !== null || on_behalf_of !== null || transfer_data !== null || managed_payments?.enabled === true;

function subscriptionOf(found: Subscription, customer: Customer, shared: SharedObjects): ForeignSubscription {
  const { id: ref, status, trial_end: trialEnd, items } = found;
  const isTrial = status === "trialing" && trialEnd !== null;
  // A subscription without items has no period. Several items may have several periods.
  const [first] = items.data;
  const periodEnd = first ? Math.min(...items.data.map((item) => item.current_period_end)) : found.billing_cycle_anchor;
  // The discount of a Customer counts only for a subscription without discounts of its own.
  const discounts = found.discounts.length > 0 ? found.discounts : customer.discount ? [customer.discount] : [];
  return {
    ref,
    status: STATUSES.has(status) ? (status as ForeignSubscription["status"]) : "unknown",
    currency: found.currency,
    items: items.data.map((each) => itemOf(each, shared.products)),
    collection: found.collection_method === "send_invoice" ? "invoice" : "automatic",
    payment: paymentOf(found, customer),
    discounts: discounts.map((each) => discountOf(each, shared.coupons)),
    taxes: taxesOf(found),
    startedAt: at(found.start_date),
    anchorAt: at(found.billing_cycle_anchor),
    periodStart: at(first?.current_period_start ?? found.billing_cycle_anchor),
    periodEnd: at(periodEnd),
    metadata: found.metadata,
    latestInvoice: typeof found.latest_invoice === "string" ? found.latest_invoice : (found.latest_invoice?.id ?? null),
    nextChargeAt: at(isTrial ? trialEnd : periodEnd),
    trialEndsAt: isTrial ? at(trialEnd) : null,
    endsAt: orNull(found.cancel_at),
    isPaused: found.pause_collection !== null,
    hasSchedule: found.schedule !== null || found.pending_update !== null || shared.scheduled.has(customer.id),
    hasOpenInvoice: shared.invoices.has(ref),
    hasPendingItems: shared.items.has(ref) || shared.itemsOf.has(customer.id),
    hasThreshold: found.billing_thresholds !== null,
    hasOtherSeller: hasOtherSeller(found),
    isTest: found.test_clock !== null || customer.test_clock !== null,
  };
}

function detailsOf(found: Customer): ForeignDetails {
  const { name, business_name: business, address, preferred_locales, metadata, tax_ids } = found;
  return {
    name,
    companyName: business && business !== name ? business : null,
    address: address && {
      country: address.country,
      line1: address.line1,
      line2: address.line2,
      postalCode: address.postal_code,
      city: address.city,
      state: address.state,
    },
    taxIds: tax_ids.data.map(({ type, value }) => ({ type, value })),
    locales: preferred_locales ?? [],
    metadata: metadata ?? {},
  };
}

/** A Customer with these subscriptions, of which those are left out that never began. */
export function customerOf(found: Customer, all: readonly Subscription[], shared: SharedObjects): ForeignCustomer {
  const subscriptions = all.filter(({ status }) => status !== "incomplete_expired");
  return {
    ref: found.id,
    email: found.email,
    details: detailsOf(found),
    payment: defaultPaymentOf(found),
    // Below zero at Stripe: the seller owes the Customer. A Customer with a balance has a currency.
    balance: found.balance === 0 ? 0 : -fromStripe(found.balance, found.currency ?? ""),
    taxIds: found.tax_ids.data.length,
    subscriptions: subscriptions.map((each) => subscriptionOf(each, found, shared)),
  };
}

const sumOf = (amounts: readonly { amount: number }[] | null) =>
  (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);

/** Amounts of a preview in ISO 4217 minor units. */
export function upcomingOf(preview: Preview): UpcomingInvoice {
  const { currency, subtotal, total, total_discount_amounts, total_taxes } = preview;
  return {
    currency,
    subtotal: fromStripe(subtotal, currency),
    discount: fromStripe(sumOf(total_discount_amounts), currency),
    tax: fromStripe(sumOf(total_taxes), currency),
    total: fromStripe(total, currency),
  };
}
