import type { List, Metadata, PaymentMethod } from "../objects.ts";

/**
 * The parts of Stripe Billing's objects that an import reads, under Stripe's own names and as Stripe's description of
 * the version allows them. Instants are in seconds. Stripe may add a value to each enumeration at any time.
 */

export type Interval = "day" | "week" | "month" | "year";

export type Price = {
  id: string;
  currency: string;
  billing_scheme: "per_unit" | "tiered";
  /** Null for tiers, for an amount that the buyer chooses, and for fractions of the smallest unit. */
  unit_amount: number | null;
  transform_quantity: object | null;
  product: string;
  /** Null for a one-time Price, which no item of a subscription has. */
  recurring: { interval: Interval; interval_count: number; usage_type: "licensed" | "metered" } | null;
};

export type Discount = {
  id: string;
  start: number;
  end: number | null;
  source: { type: string; coupon: string | { id: string } | null };
};

export type Coupon = {
  id: string;
  duration: "forever" | "once" | "repeating";
  duration_in_months: number | null;
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
};

export type Item = {
  id: string;
  current_period_start: number;
  current_period_end: number;
  discounts: readonly (string | Discount)[];
  price: Price;
  /** Absent for usage. */
  quantity?: number | null;
  tax_rates: readonly object[] | null;
};

/** A card (`card_…`) or another source (`src_…`, `ba_…`) from before PaymentMethods. */
export type Source = {
  id: string;
  object: "card" | "source" | "bank_account";
  /** `Visa`, `American Express`: other names than those of PaymentMethods. */
  brand?: string;
  last4?: string;
  fingerprint?: string | null;
  exp_month?: number;
  exp_year?: number;
  country?: string | null;
};

/** A PaymentMethod with the country of the card's bank. */
export type Method = Omit<PaymentMethod, "card"> & { card?: PaymentMethod["card"] & { country: string | null } };

/** With the payment methods and the discounts expanded. */
export type Subscription = {
  id: string;
  customer: string;
  status: string;
  currency: string;
  billing_cycle_anchor: number;
  start_date: number;
  metadata: Metadata;
  latest_invoice: string | { id: string } | null;
  items: List<Item>;
  collection_method: "charge_automatically" | "send_invoice";
  default_payment_method: Method | null;
  default_source: Source | null;
  discounts: readonly Discount[];
  automatic_tax: { enabled: boolean };
  default_tax_rates: readonly object[] | null;
  trial_end: number | null;
  cancel_at: number | null;
  pause_collection: object | null;
  schedule: string | null;
  pending_update: object | null;
  billing_thresholds: object | null;
  application: string | null;
  on_behalf_of: string | null;
  transfer_data: object | null;
  managed_payments?: { enabled: boolean } | null;
  test_clock: string | null;
};

export type Address = {
  country: string | null;
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  city: string | null;
  state: string | null;
};

/** With subscriptions, payment methods and tax ids expanded. The list of subscriptions has the first ten. */
export type Customer = {
  id: string;
  deleted?: boolean;
  email: string | null;
  name: string | null;
  /** Absent in accounts that do not use the field. */
  business_name?: string | null;
  address: Address | null;
  preferred_locales: readonly string[] | null;
  metadata: Metadata | null;
  currency: string | null;
  balance: number;
  discount: Discount | null;
  invoice_settings: { default_payment_method: Method | null };
  default_source: Source | null;
  subscriptions: List<Subscription>;
  tax_ids: List<{ id: string; type: string; value: string }>;
  test_clock: string | null;
};

type Parent = { subscription_details: { subscription: string | null } | null };

export type Product = { id: string; name: string; unit_label: string | null };
export type Invoice = { id: string; customer: string; parent: Parent | null };
export type InvoiceItem = { id: string; customer: string; parent: Parent | null };
export type Schedule = { id: string; customer: string };

/** The preview of an invoice. `total`: before the Customer's balance. */
export type Preview = {
  currency: string;
  subtotal: number;
  total: number;
  total_discount_amounts: readonly { amount: number }[] | null;
  total_taxes: readonly { amount: number }[] | null;
};
