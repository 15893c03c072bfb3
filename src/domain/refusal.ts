import type { Instant } from "./calendar.ts";
import type { Language } from "./locale.ts";
import type { Amount } from "./money.ts";

/** The nouns of a unit, as `UnitName` has them. */
type Nouns = Partial<Record<Language, { one: string; other: string }>>;

/** `amount`: minor units. */
export type Money = { currency: string; amount: Amount };

/** The place of the refused value in a request (RFC 6901); empty: the whole request. */
export type Pointer = "" | `/${string}`;

/** The reasons why a discount code can't be used for a sale (rules X1, C3, M5). */
export type DiscountRefusal =
  | "unknown_discount"
  | "discount_not_active"
  | "discount_exhausted"
  | "discount_not_for_product"
  | "discount_other_currency"
  | "discount_below_minimum";

/** The reasons why a charge did not pay. `payment_method_required`: no card was charged. */
export type ChargeFailure = "payment_failed" | "payment_action_required" | "payment_method_required";

/** The reasons why a sandbox can't be filled with the purchases of a made-up company. */
export type FillObstacle = "customers" | "provider" | "hosted_entry" | "clock_advancing";

/** The limit of a payment provider that an amount breaks. `currency`: the provider does not take the currency. */
export type AmountFault = "currency" | "too_small" | "too_large" | "step";

/** The reasons why no webhook can be sent to a URL. `http`: only https is allowed. */
export type UrlFault = "no_url" | "credentials" | "http" | "no_host" | "port_zero" | "not_public";

/** Why a value does not fit its own field of a Checkout (rule C14b). `unknown`: there is no such field. */
export type FieldFault =
  | { fault: "unknown" | "required" | "no_text" | "no_line" | "no_number" | "no_option" | "no_boolean" }
  | { fault: "too_long" | "too_small" | "too_large"; limit: number };

type None = Record<never, never>;
/** The page on which the buyer pays. `url` is added where links are made; null: there is no such page. */
type PayPage = { checkoutId: string | null; url?: string | null };
type Holder = { id: string; deleted: boolean };

/**
 * Each reason for which a request is refused, with the values that its words need. A refusal with a `field` is about
 * the value in that place of the request. The others are about the state of the data.
 */
export type RefusalValues = {
  not_found: None;
  /** The resource is not the one any more that the caller has seen. */
  precondition_failed: None;

  unknown_product: { field: Pointer };
  product_archived: { field: Pointer };
  /** A list names the Product twice: by its id and by its key. */
  product_listed: { field: Pointer };
  product_not_recurring: { field: Pointer };
  currency_required: { field: "/currency" };
  currency_missing: { field: Pointer; currency: string };
  /** The limits of the quantities that are offered, and the noun of the unit (rules Q1, Q2). */
  quantity_not_offered: { field: Pointer; minimum: number; maximum: number; unitName: Nouns | null };
  /** The total would be larger than an amount can be (rules M1, Q4). */
  quantity_too_expensive: { field: "/quantity"; most: Money };
  /** The total is not a whole price times the quantity (rule Q8). */
  amount_not_divisible: { field: "/amount"; quantity: number };
  already_archived: None;
  key_taken: { field: "/key"; key: string; noun: "Product" | "Benefit" | "payment link"; holder: Holder | null };
  code_taken: { field: "/code"; discountCode: string; holder: Holder | null };
  unknown_benefits: { fields: readonly Pointer[] };
  /** `least`: the minimum charge. `quantity`: the smallest one that is sold (rule M5a). */
  prices_below_minimum: { prices: readonly { field: Pointer; least: Money; quantity: number }[] };
  prices_not_chargeable: { prices: readonly { field: Pointer; fault: AmountFault; limit: Money | null }[] };
  discount_ends_before_start: { field: "/endsAt" };
  file_missing: { field: Pointer; folder: string };
  feature_missing: { field: "/properties/feature" };

  subscription_canceled: None;
  subscription_cancellation_scheduled: None;
  subscription_past_due: None;
  subscription_pause_scheduled: None;
  subscription_paused: None;
  subscription_not_trialing: None;
  /** Another system bills the Subscription until the cut-over of its import (rule V2). */
  subscription_held: None;
  /** A planned resume is after `after`, and at most `latest`. */
  resume_out_of_range: { field: "/resumesAt"; after: Instant; latest: Instant };
  /** A new price needs the consent of the Customer, and is due with the next period (rule N6). */
  price_not_accepted: None;
  /** Another round of new prices for the Product has not ended (rule N1). */
  price_change_unfinished: { priceChangeId: string };
  /** The round of new prices is over, or was never paused (rule N8). */
  price_change_ended: None;
  invoice_open: None;
  payment_method_required: None;
  payment_disputed: None;
  refund_in_progress: None;
  change_in_progress: PayPage;
  catch_up_pending: None;
  /** `subscriptionId` null: a purchase is being paid. `foundByEmail`: the Customer that an e-mail address has led to. */
  already_subscribed: PayPage & { subscriptionId: string | null; foundByEmail: string | null };
  /** The Subscription has this Product already. `subscriptionId` null: the caller knows the Subscription. */
  no_change: { subscriptionId: string | null };
  unknown_subscription: { field: "/subscriptionId" };
  other_currency: { field: "/currency"; currency: string };
  amount_below_minimum: { field: "/amount" | "/quantity"; least: Money };
  begins_in_the_future: { field: "/startedAt" | "/anchorAt"; now: Instant };
  trial_ends_in_the_past: { field: "/trialEnd"; now: Instant };
  /** A new end of a trial is not before `earliest`, and at most `latest`. */
  trial_out_of_range: { field: "/trialEnd"; earliest: Instant; latest: Instant };
  trial_too_long: { field: "/trialEnd"; latest: Instant };

  payment_provider_missing: None;
  payment_in_progress: None;
  payment_unknown: None;
  /** The provider refused the charge, and the buyer is not at fault. */
  payment_refused: { declineCode: string };
  /** `page` null: this was a preview. `hours`: the time in which the buyer can finish the change there. */
  change_not_paid: {
    reason: ChargeFailure;
    declineCode: string | null;
    page: { id: string; url: string; hours: number } | null;
  };
  charge_not_paid: { reason: ChargeFailure; declineCode: string | null; url: string };
  invoice_not_open: None;
  invoice_not_paid: None;

  nothing_to_refund: None;
  credited: { available: Money };
  credit_spent: { available: Money };
  refund_too_large: { field: "/amount"; most: Money; to: "card" | "balance" };
  /** `nearest`: the amounts that the provider can refund to the card. */
  refund_between_steps: { field: "/amount"; step: Money; nearest: readonly Money[] };
  refund_above_role: { field: "/amount"; most: Money };
  not_paid_by_card: { field: "/to" };
  no_balance_left: { field: "/to" };
  not_one_time: { field: "/revokeGrants" };
  refund_not_failable: None;
  nothing_to_pay_out: None;
  /** `nearest`: the largest possible amount below the given amount; null: there is none. */
  payout_between_steps: { field: "/amount"; nearest: Money | null };
  balance_too_large: { field: "/amount"; balance: Money; most: Money };
  balance_left: { balances: readonly Money[] };

  already_disputed: None;
  payment_not_disputable: None;
  payment_not_refundable: { available: Money };
  dispute_closed: None;
  dispute_not_inquiry: None;
  dispute_outcome_mismatch: None;

  discount_refused: { field: "/discountCode"; reason: DiscountRefusal };
  discount_exhausted: None;
  /** `isSpent`: too many attempts to pay have failed. */
  checkout_not_open: { isSpent: boolean };
  card_required: { field: "/card" };
  billing_required: { field: "/billingAddress" };
  email_required: { field: "/email" };
  /** The provider does not take the card. `fault` and `message` are the provider's. */
  /** `key`: that of the own field. */
  fields_faulty: { faults: readonly ({ key: string } & FieldFault)[] };
  card_not_accepted: { field: "/card"; fault: string; message: string };
  /** The provider did not save the test card. */
  card_not_saved: { declineCode: string };
  payment_method_detached: None;

  customer_exists: { field: "/email" | "/externalId"; customerId: string };
  /** `canCreate`: whether the request could send a new Customer in place of the unknown one. */
  unknown_customer: { field: "/customerId" | "/externalCustomerId"; canCreate: boolean };
  external_id_fixed: { field: "/externalId" };
  billing_country_missing: { field: "/billingAddress" | "/taxId" };
  sign_in_sent_lately: { email: string; minutes: number };
  too_many_sign_ins: { email: string };
  no_address_left: None;
  email_not_repeatable: None;

  license_not_found: None;
  license_not_active: None;
  activation_limit_reached: None;

  already_member: { field: "/email" };
  last_owner: None;

  webhook_url_refused: { field: "/url"; why: UrlFault };
  endpoint_disabled: None;
  webhook_endpoint_limit_reached: None;

  api_key_not_active: None;
  api_key_in_use: None;
  key_expires_in_the_past: { field: "/expiresAt" };
  invalid_name: { field: "/name"; most: number };
  invalid_time_zone: { field: "/timeZone"; timeZone: string };
  invalid_currency: { field: "/defaultCurrency"; currency: string };
  clock_not_allowed: { field: "/clock" };
  sandbox_only: { field: "/sandboxEntry" };
  unknown_portal_products: { fields: readonly Pointer[] };

  clock_advancing: { target: Instant };
  clock_stopped: { now: Instant; target: Instant };
  clock_not_settable: None;
  clock_backwards: None;
  clock_out_of_range: { field: Pointer; latest: Instant };
  sandbox_not_fillable: { obstacle: FillObstacle };
};

export type RefusalCode = keyof RefusalValues;

/** The codes of the refusals without values. */
type Plain = { [Code in RefusalCode]: None extends RefusalValues[Code] ? Code : never }[RefusalCode];

/**
 * A request that is refused: a reason with its values, and no words. Each edge has its own words: the API
 * (`resources/refusal.ts`), the dashboard (`web/dashboard/refusal.ts`), and the hosted pages (`texts/`).
 */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  readonly code: Code;
  readonly values: RefusalValues[Code];
  constructor(code: Code, ...[values]: Code extends Plain ? [] : [values: RefusalValues[Code]]) {
    super(code);
    this.name = "Refusal";
    this.code = code;
    this.values = (values ?? {}) as RefusalValues[Code];
  }
}

/** Whether the error is a refusal for one of these reasons. */
export function isRefusal<Code extends RefusalCode>(error: unknown, ...codes: readonly Code[]): error is Refusal<Code> {
  return error instanceof Refusal && codes.some((code) => code === error.code);
}

/** Words for each reason. A reason that lacks words does not compile. */
export type RefusalWords<Said> = { readonly [Code in RefusalCode]: (values: RefusalValues[Code]) => Said };

/** The words for a refusal. */
export function saidBy<Said>(words: RefusalWords<Said>, { code, values }: Refusal): Said {
  return (words[code] as (values: RefusalValues[RefusalCode]) => Said)(values);
}
