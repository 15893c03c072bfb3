import { formatInstant } from "../domain/calendar.ts";
import { formatMoney } from "../domain/currency.ts";
import {
  saidBy,
  type AmountFault,
  type ChargeFailure,
  type DiscountRefusal,
  type FillObstacle,
  type UrlFault,
} from "../domain/refusal.ts";
import type { Refusal, RefusalValues, RefusalWords } from "../domain/refusal.ts";
import { fieldFault } from "./checkout-field.ts";
import { BILLING_COUNTRY_MISSING } from "./customer.ts";
import { declineMessage } from "./decline-message.ts";
import { belowMinimumCharge } from "./minimum-charge.ts";
import { AppError, RETRY_SOON, type ErrorCode, type ErrorParts, type Fault } from "../errors.ts";

/** The error of the API for a refusal: its code, and the members of the problem body. */
type Problem = ErrorParts & { code: ErrorCode };

const plain = (code: ErrorCode, parts: ErrorParts = {}) => {
  return (): Problem => ({ code, ...parts });
};

const refused = (faults: Fault[]): Problem => ({ code: "validation_failed", errors: faults });
const at = (pointer: string, code: string, message: string): Fault => ({ in: "body", pointer, code, message });

/** The refusal of one value. `code`: that of the fault. */
const fault = <Values extends { field: string }>(code: string, say: string | ((values: Values) => string)) => {
  return (values: Values): Problem => refused([at(values.field, code, typeof say === "string" ? say : say(values))]);
};

/** The refusal of a whole request. */
const whole = <Values>(code: string, say: (values: Values) => string) => {
  return (values: Values): Problem => refused([at("", code, say(values))]);
};

const DISCOUNTS: Record<DiscountRefusal, string> = {
  unknown_discount: "No such discount code exists.",
  discount_not_active: "The discount can't be used at this time.",
  discount_exhausted: "The discount is used up.",
  discount_not_for_product: "The discount is not for this Product.",
  discount_other_currency: "The discount is in another currency.",
  discount_below_minimum: "The discount leaves an amount that is too small to be charged.",
};

const AMOUNTS: Record<AmountFault, string> = {
  currency: "The payment provider does not take this currency.",
  too_small: "The payment provider's least amount is",
  too_large: "The payment provider's largest amount is",
  step: "The payment provider takes multiples of",
};

const priceFault = ({ field, fault: why, limit }: RefusalValues["prices_not_chargeable"]["prices"][number]) => {
  const message = limit === null ? AMOUNTS[why] : `${AMOUNTS[why]} ${formatMoney(limit.amount, limit.currency)}.`;
  return at(field, "not_chargeable", message);
};

/** The reason why a change was not made, and the operation with which the buyer finishes the change on its page. */
const CHANGES: Record<ChargeFailure, [reason: string, operation: string]> = {
  payment_failed: ["the payment failed, and `declineCode` names the reason", "give another card"],
  payment_action_required: ["the buyer's bank wants the buyer to authenticate the payment", "authenticate"],
  payment_method_required: ["no card is on file", "give a card"],
};

function changeNotPaid({ reason, declineCode, page }: RefusalValues["change_not_paid"]): Problem {
  const [why, operation] = CHANGES[reason];
  const next = page
    ? `Send the buyer to \`url\`, to ${operation} there within ${page.hours} hours and so finish this very change.`
    : "The answer to the change itself has the `url` of a page on which the buyer can finish the change.";
  return {
    code: reason,
    detail: `The Subscription is unchanged: ${why}. ${next}`,
    extra: { declineCode, checkoutId: page && page.id, url: page && page.url },
  };
}

const CHARGES: Record<ChargeFailure, string> = {
  payment_failed: "The invoice was not paid. `declineCode` names the reason. Ask the buyer for another card.",
  payment_action_required:
    "The invoice is still open. Send the buyer to the `url` of the Payment's `nextAction`, to authenticate it.",
  payment_method_required: "The invoice is still open. The buyer has to give a card that may be charged.",
};

const URLS: Record<UrlFault, [code: string, message: string]> = {
  no_url: ["invalid_url", "This is not an absolute https URL."],
  credentials: ["invalid_url", "Leave out user name and password. The signature identifies the caller."],
  http: ["https_required", "Only https URLs are called."],
  no_host: ["invalid_url", "No host can have this name."],
  port_zero: ["invalid_url", "Port 0 can't receive requests. Send another port."],
  not_public: ["address_not_allowed", "Only public addresses are called."],
};

const OBSTACLES: Record<FillObstacle, string> = {
  customers: "This sandbox has Customers already. Only an empty sandbox can be filled.",
  provider: "This sandbox takes its payments at a connected provider, and the company pays with test cards of Billow.",
  hosted_entry:
    "Buyers of this sandbox pay on the provider's own page, and the company types its cards into the Checkout.",
  clock_advancing: "The clock is being advanced. Wait for the end of the advance, or stop the advance.",
};

function changeInProgress({ checkoutId, url }: RefusalValues["change_in_progress"]): Problem {
  const detail =
    "The payment of the change is not finished. Send the buyer to `url`, to finish the payment there or to pay " +
    "with another card.";
  return {
    code: "change_in_progress",
    ...(checkoutId === null ? {} : { detail }),
    headers: RETRY_SOON,
    extra: { checkoutId, ...(url !== undefined && { url }) },
  };
}

function alreadySubscribed(values: RefusalValues["already_subscribed"]): Problem {
  const { subscriptionId, checkoutId, url, foundByEmail } = values;
  const detail =
    subscriptionId === null
      ? "The payment of an earlier Checkout of this group is not finished. Send the buyer to `url`, to finish the " +
        "payment there or to pay with another card."
      : `The Customer has the Subscription ${subscriptionId} already. Change that Subscription, or send the buyer to ` +
        "the portal.";
  const extra = { subscriptionId, checkoutId, ...(url !== undefined && { url }) };
  if (foundByEmail === null) return { code: "already_subscribed", detail, extra };
  const found = `The e-mail address belongs to the Customer ${foundByEmail}, so this Customer was found.`;
  const errors = [at("/customer/email", "found_by_email", found)];
  return { code: "already_subscribed", detail: `${detail} ${found}`, errors, extra };
}

function quantityNotOffered({ field, minimum, maximum }: RefusalValues["quantity_not_offered"]): Problem {
  const message =
    minimum === maximum
      ? `Only the quantity ${minimum} is offered.`
      : `Only quantities from ${minimum} to ${maximum} are offered.`;
  return { ...refused([at(field, "quantity_not_offered", message)]), extra: { minimum, maximum } };
}

function refundBetweenSteps({ field, step, nearest }: RefusalValues["refund_between_steps"]): Problem {
  const amounts = nearest.map(({ amount }) => amount).join(" or ");
  const remedy = nearest.length > 0 ? `Refund ${amounts}, and the rest` : "Refund this amount";
  const message = `The provider refunds multiples of ${step.amount} to this card. ${remedy} to the \`balance\`.`;
  return refused([at(field, "between_steps", message)]);
}

/** A value that another resource has. */
type Taken = { field: "/key" | "/code"; value: string; noun: string; holder: { id: string; deleted: boolean } | null };

function taken({ field, value, noun, holder }: Taken): Problem {
  const name = field === "/key" ? "key" : "code";
  const code = `${name}_taken` as const;
  // Another request deleted the holder meanwhile.
  if (!holder) return { code };
  const { id, deleted } = holder;
  const has = deleted ? `the deleted ${noun} ${id} keeps` : `the ${noun} ${id} has`;
  const change = deleted ? "." : `, or change that ${noun}.`;
  const remedy = name === "key" ? `A key never changes: choose another key${change}` : `Choose another code${change}`;
  const message = `This is taken: ${has} the ${name} "${value}". ${remedy}`;
  return { code, errors: [at(field, "taken", message)], extra: { resourceId: id } };
}

function customerExists({ field, customerId }: RefusalValues["customer_exists"]): Problem {
  const message = `This is taken: the Customer ${customerId} is identified by this value. Use that Customer.`;
  return { code: "customer_exists", errors: [at(field, "taken", message)], extra: { customerId } };
}

function clockAdvancing({ target: end }: RefusalValues["clock_advancing"]): Problem {
  const target = formatInstant(end);
  const advice = "Wait until the clock has reached this time, or stop the advance.";
  const detail = `An advance to ${target} is under way. ${advice}`;
  // If the advance still runs by then, the caller gets the same answer.
  return { code: "clock_advancing", detail, extra: { target }, headers: { "Retry-After": "5" } };
}

function clockStopped(values: RefusalValues["clock_stopped"]): Problem {
  const [now, target] = [formatInstant(values.now), formatInstant(values.target)];
  const detail = `The clock stands at ${now}. Advance the clock again to continue from there.`;
  return { code: "clock_stopped", detail, extra: { now, target } };
}

const available = (code: ErrorCode) => (values: { available: { amount: number } }) => {
  return { code, extra: { available: values.available.amount } };
};

/** The API's words: amounts in minor units, and the names of fields. */
const WORDS: RefusalWords<Problem> = {
  not_found: plain("not_found"),
  precondition_failed: plain("precondition_failed"),

  unknown_product: fault("unknown_product", "No such Product exists."),
  product_listed: fault("duplicate", "This Product is listed already."),
  product_archived: fault("product_archived", "The Product is archived."),
  product_not_recurring: fault(
    "product_not_recurring",
    "The Product is sold once. A Subscription needs a recurring Product.",
  ),
  currency_required: fault("currency_required", "The Product has several prices. Send the `currency`."),
  currency_missing: fault("currency_missing", ({ currency }) => `The Product has no price in ${currency}.`),
  quantity_not_offered: quantityNotOffered,
  quantity_too_expensive: fault(
    "too_large",
    ({ most }) => `The total of so many units is more than ${most.amount}, the largest amount in ${most.currency}.`,
  ),
  amount_not_divisible: fault(
    "not_divisible",
    ({ quantity }) => `The amount is the total of ${quantity} units: send a multiple of ${quantity}.`,
  ),
  already_archived: plain("already_archived"),
  key_taken: ({ key: value, ...rest }) => taken({ ...rest, value }),
  code_taken: ({ discountCode: value, ...rest }) => taken({ ...rest, value, noun: "Discount" }),
  unknown_benefits: ({ fields }) => refused(fields.map((field) => at(field, "not_found", "There is no such Benefit."))),
  prices_below_minimum: ({ prices }) =>
    refused(prices.map(({ field, least, quantity }) => at(field, ...belowMinimumCharge(least, quantity)))),
  prices_not_chargeable: ({ prices }) => refused(prices.map(priceFault)),
  discount_ends_before_start: fault("not_after_start", "`endsAt` must be later than `startsAt`."),
  file_missing: fault(
    "file_missing",
    ({ folder }) => `There is no such file. Put the file below ${folder} of the data directory first.`,
  ),
  feature_missing: fault("required", "Name the feature, or give the Benefit a key."),

  subscription_canceled: plain("subscription_canceled"),
  subscription_cancellation_scheduled: plain("subscription_cancellation_scheduled"),
  subscription_past_due: plain("subscription_past_due"),
  subscription_pause_scheduled: plain("subscription_pause_scheduled"),
  subscription_paused: plain("subscription_paused"),
  subscription_not_trialing: plain("subscription_not_trialing"),
  subscription_held: plain("subscription_held"),
  resume_out_of_range: fault(
    "out_of_range",
    ({ after, latest }) => `This must be later than ${formatInstant(after)}, and at most ${formatInstant(latest)}.`,
  ),
  price_not_accepted: plain("price_not_accepted"),
  price_change_unfinished: ({ priceChangeId }) => ({ code: "price_change_unfinished", extra: { priceChangeId } }),
  price_change_ended: plain("price_change_ended"),
  invoice_open: plain("invoice_open"),
  payment_method_required: plain("payment_method_required"),
  payment_disputed: plain("payment_disputed"),
  refund_in_progress: plain("refund_in_progress", { headers: RETRY_SOON }),
  change_in_progress: changeInProgress,
  catch_up_pending: plain("catch_up_pending"),
  already_subscribed: alreadySubscribed,
  no_change: ({ subscriptionId }) => ({
    code: "already_subscribed",
    detail: "The Subscription has this Product already, so there is no change to pay for.",
    ...(subscriptionId !== null && { extra: { subscriptionId, checkoutId: null, url: null } }),
  }),
  unknown_subscription: fault("unknown_subscription", "No such Subscription exists."),
  other_currency: fault(
    "other_currency",
    ({ currency }) => `The currency of the Subscription is ${currency} and can't be changed.`,
  ),
  amount_below_minimum: fault(
    "below_minimum",
    ({ least }) => `An amount is 0 or at least ${least.amount} in ${least.currency}.`,
  ),
  begins_in_the_future: fault("in_the_future", ({ now }) => `This must not be later than now, ${formatInstant(now)}.`),
  trial_ends_in_the_past: fault(
    "in_the_past",
    ({ now }) => `The end of a trial must be later than now, ${formatInstant(now)}.`,
  ),
  trial_out_of_range: fault(
    "out_of_range",
    ({ earliest, latest }) => `This must be ${formatInstant(earliest)} or later, and at most ${formatInstant(latest)}.`,
  ),
  trial_too_long: fault("out_of_range", "A trial ends in the year 9900 at the latest."),

  payment_provider_missing: plain("payment_provider_missing"),
  payment_in_progress: plain("payment_in_progress", { headers: RETRY_SOON }),
  payment_unknown: plain("payment_unknown"),
  payment_refused: ({ declineCode }) => {
    return { code: "payment_refused", extra: { declineCode, checkoutId: null, url: null } };
  },
  change_not_paid: changeNotPaid,
  charge_not_paid: ({ reason, declineCode, url }) => {
    return { code: reason, detail: CHARGES[reason], extra: { declineCode, checkoutId: null, url } };
  },
  invoice_not_open: plain("invoice_not_open"),
  invoice_not_paid: plain("invoice_not_paid"),

  nothing_to_refund: plain("nothing_to_refund"),
  credited: available("credited"),
  credit_spent: available("credit_spent"),
  refund_too_large: fault("too_large", ({ most, to }) => {
    return `Refund at most ${most.amount} of this Invoice${to === "card" ? " to the card" : ""}.`;
  }),
  refund_between_steps: refundBetweenSteps,
  refund_above_role: fault(
    "above_limit",
    ({ most }) => `Your role can refund at most ${most.amount} more of this invoice.`,
  ),
  not_paid_by_card: fault("not_paid_by_card", "No card was charged for this Invoice. Refund it to the `balance`."),
  no_balance_left: fault(
    "customer_deleted",
    "The Customer is deleted and has no balance any more. Refund to the `card`.",
  ),
  not_one_time: fault("not_one_time", "Only for a one-time purchase. The grants of a Subscription end with it."),
  refund_not_failable: plain("refund_not_failable"),
  nothing_to_pay_out: plain("nothing_to_pay_out"),
  payout_between_steps: fault("between_steps", ({ nearest }) => {
    const remedy = nearest ? `Pay out ${nearest.amount}, or name a larger amount.` : "Name a larger amount.";
    return `The provider can't refund exactly this amount. ${remedy}`;
  }),
  balance_too_large: fault("balance_too_large", ({ balance, most }) => {
    return `The balance is ${balance.amount}. It can't go beyond ${most.amount} either side of zero.`;
  }),
  balance_left: ({ balances }) => ({ code: "balance_left", extra: { balances } }),

  already_disputed: plain("already_disputed"),
  payment_not_disputable: plain("payment_not_disputable"),
  payment_not_refundable: available("payment_not_refundable"),
  dispute_closed: plain("dispute_closed"),
  dispute_not_inquiry: plain("dispute_not_inquiry"),
  dispute_outcome_mismatch: plain("dispute_outcome_mismatch"),

  discount_refused: ({ field, reason }) => refused([at(field, reason, DISCOUNTS[reason])]),
  discount_exhausted: plain("discount_exhausted"),
  checkout_not_open: ({ isSpent }) => ({
    code: "checkout_not_open",
    detail: isSpent
      ? "Too many attempts failed. Create a new Checkout."
      : "The Checkout is being paid, was paid or has expired. Read the Checkout. " +
        "Create a new one only if it has expired.",
  }),
  card_required: fault("required", "This Checkout needs a card."),
  billing_required: fault("required", "The tax depends on the buyer's country. Send a `billingAddress`."),
  email_required: fault("required", "This Checkout names no Customer. Send the `email` of the buyer."),
  fields_faulty: ({ faults }) => refused(faults.map(fieldFault)),
  card_not_accepted: ({ field, fault: code, message }) => refused([at(field, code, message)]),
  card_not_saved: ({ declineCode }) => {
    const detail = declineMessage(declineCode);
    return { code: "payment_failed", detail, extra: { declineCode, checkoutId: null, url: null } };
  },
  payment_method_detached: plain("payment_method_detached"),

  customer_exists: customerExists,
  unknown_customer: fault("unknown_customer", ({ field, canCreate }) =>
    field === "/externalCustomerId" && canCreate
      ? "No Customer has this externalId. Send `customer` to create one."
      : "No such Customer exists.",
  ),
  external_id_fixed: ({ field }) => ({
    code: "external_id_fixed",
    errors: [at(field, "fixed", "This is set only once. Create another Customer for another `externalId`.")],
  }),
  billing_country_missing: fault("billing_country_missing", BILLING_COUNTRY_MISSING),
  sign_in_sent_lately: whole("too_many_emails", ({ email, minutes }) => {
    return `${email} got a sign-in e-mail less than ${minutes} minutes ago, and its link is unused.`;
  }),
  too_many_sign_ins: whole("too_many_emails", ({ email }) => {
    return `${email} got too many sign-in e-mails within the last hour.`;
  }),
  no_address_left: whole("customer_deleted", () => "The Customer is deleted and has no e-mail address any more."),
  email_not_repeatable: whole("not_sent_again", () => {
    return "An e-mail of this kind or in this state is not sent again.";
  }),

  license_not_found: plain("license_not_found"),
  license_not_active: plain("license_not_active"),
  activation_limit_reached: plain("activation_limit_reached"),

  already_member: fault("already_member", "This person is already a member."),
  last_owner: whole("last_owner", () => "This is the last owner. Make another member an owner first."),

  webhook_url_refused: ({ field, why }) => refused([at(field, ...URLS[why])]),
  endpoint_disabled: plain("endpoint_disabled"),
  webhook_endpoint_limit_reached: plain("webhook_endpoint_limit_reached"),

  api_key_not_active: plain("api_key_not_active"),
  api_key_in_use: plain("api_key_in_use"),
  key_expires_in_the_past: fault("in_the_past", "A key can't expire in the past."),
  invalid_name: fault("invalid_name", ({ most }) => `A name has 1 to ${most} characters.`),
  invalid_time_zone: fault(
    "invalid_time_zone",
    ({ timeZone }) => `${timeZone} is not a time zone of the IANA database, such as Europe/Berlin.`,
  ),
  invalid_currency: fault(
    "invalid_currency",
    ({ currency }) => `${currency} is not an ISO 4217 currency in lower case, such as usd.`,
  ),
  clock_not_allowed: fault("clock_not_allowed", "Only a sandbox has a clock of its own."),
  sandbox_only: fault("sandbox_only", "Only a sandbox chooses where its buyers give their cards."),
  unknown_portal_products: ({ fields }) =>
    refused(fields.map((field) => at(field, "not_found", "There is no such Product."))),

  clock_advancing: clockAdvancing,
  clock_stopped: clockStopped,
  clock_not_settable: plain("clock_not_settable"),
  clock_backwards: plain("clock_backwards"),
  clock_out_of_range: fault("out_of_range", "A clock goes to the year 9900 at most."),
  sandbox_not_fillable: ({ obstacle }) => ({ code: "clock_not_settable", detail: OBSTACLES[obstacle] }),
};

/** A refusal as the API answers it. */
export function presentRefusal(refusal: Refusal): AppError {
  const { code, ...parts } = saidBy(WORDS, refusal);
  return new AppError(code, parts);
}
