/**
 * The parts of Stripe's objects that the adapter reads, under Stripe's own names. Instants are in seconds. Stripe's
 * description allows null wherever these types do, and Stripe may add a status at any time.
 */

export type Metadata = { readonly [name: string]: string };
export type List<T> = { data: T[]; has_more: boolean };

export type PaymentMethod = {
  id: string;
  type: string;
  customer: string | null;
  livemode: boolean;
  card?: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string | null };
};

export type IntentError = { code?: string | null; decline_code?: string | null; advice_code?: string | null };

/** A PaymentIntent or a SetupIntent. */
export type Intent = {
  id: string;
  object: "payment_intent" | "setup_intent";
  status:
    | "requires_payment_method"
    | "requires_confirmation"
    | "requires_action"
    | "requires_capture"
    | "processing"
    | "succeeded"
    | "canceled";
  created: number;
  livemode: boolean;
  metadata: Metadata | null;
  amount?: number;
  currency?: string;
  customer: string | null;
  payment_method: string | PaymentMethod | null;
  /** Of a PaymentIntent. */
  latest_charge?: string | null;
  last_payment_error?: IntentError | null;
  last_setup_error?: IntentError | null;
  next_action: { type: string; redirect_to_url?: { url: string | null } } | null;
};

export type Session = {
  id: string;
  object: "checkout.session";
  mode: "payment" | "setup";
  status: "open" | "complete" | "expired" | null;
  url: string | null;
  livemode: boolean;
  metadata: Metadata | null;
  /** Expanded wherever the adapter reads a Session. */
  payment_intent: Intent | null;
  setup_intent: Intent | null;
};

export type Charge = {
  id: string;
  amount: number;
  currency: string;
  created: number;
  livemode: boolean;
  metadata: Metadata | null;
  customer: string | null;
  payment_intent: string | null;
  status: "succeeded" | "pending" | "failed";
};

export type Refund = {
  id: string;
  charge: string | null;
  amount: number;
  currency: string;
  created: number;
  metadata: Metadata | null;
  payment_intent: string | null;
  status: "pending" | "requires_action" | "succeeded" | "failed" | "canceled" | null;
  failure_reason?: string | null;
};

export type Dispute = {
  id: string;
  charge: string;
  amount: number;
  currency: string;
  livemode: boolean;
  payment_intent: string | null;
  reason: string;
  status: string;
  /** `amount` is below zero if the money leaves the balance. */
  balance_transactions: { amount: number; fee: number; currency: string }[];
  /** `due_by`: 0 if the bank allows no answer. */
  evidence_details: { due_by: number | null };
};

export type Customer = {
  id: string;
  deleted?: boolean;
  metadata?: Metadata | null;
  invoice_settings?: { default_payment_method: string | PaymentMethod | null };
  /** A card from before PaymentMethods. */
  default_source?: string | { id: string } | null;
};

/** A subscription of Stripe Billing, as far as the cards that it charges. */
export type Subscription = {
  id: string;
  status: string;
  default_payment_method: string | PaymentMethod | null;
  default_source: string | { id: string } | null;
};

export type Account = {
  id: string;
  charges_enabled: boolean;
  default_currency: string;
  settings?: { card_payments?: { statement_descriptor_prefix?: string | null } };
};

export type StripeEvent = {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  account?: string;
  /** `metadata`: absent in objects of some kinds. */
  data: { object: { id: string; object: string; metadata?: Metadata | null } };
};
