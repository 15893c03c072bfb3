import { formatInstant } from "../../domain/calendar.ts";
import { saidBy, type Money, type Refusal, type RefusalValues, type RefusalWords } from "../../domain/refusal.ts";
import type { AmountFault, ChargeFailure, DiscountRefusal, FillObstacle, UrlFault } from "../../domain/refusal.ts";
import { valueInWords } from "../../domain/words.ts";
import type { Fault } from "../../errors.ts";
import { declineMessage } from "../../resources/decline-message.ts";
import { moneyText } from "./components/cells.ts";
import { namedRange } from "./quantity-range.ts";

const money = ({ amount, currency }: Money) => moneyText(amount, currency);
const because = (declineCode: string | null) => (declineCode === null ? "" : ` (${valueInWords(declineCode)})`);

const DISCOUNTS: Record<DiscountRefusal, string> = {
  unknown_discount: "There is no such discount code.",
  discount_not_active: "The discount can't be used at this time.",
  discount_exhausted: "The discount is used up.",
  discount_not_for_product: "The discount is not for this Product.",
  discount_other_currency: "The discount is in another currency.",
  discount_below_minimum: "The discount leaves an amount that is too small to be charged.",
};

const AMOUNTS: Record<AmountFault, (limit: string) => string> = {
  currency: () => "The payment provider does not take this currency.",
  too_small: (limit) => `The payment provider's least amount is ${limit}.`,
  too_large: (limit) => `The payment provider's largest amount is ${limit}.`,
  step: (limit) => `The payment provider takes multiples of ${limit}.`,
};

const URLS: Record<UrlFault, string> = {
  no_url: "Enter an absolute https URL.",
  credentials: "Leave out user name and password. The signature identifies the caller.",
  http: "Only https URLs are called.",
  no_host: "No host can have this name.",
  port_zero: "Port 0 can't receive requests. Enter another port.",
  not_public: "Only public addresses are called.",
};

export const OBSTACLES: Record<FillObstacle, string> = {
  customers: "This sandbox has Customers already. Only an empty sandbox can be filled.",
  provider: "This sandbox takes its payments at a connected provider, and the company pays with test cards of Billow.",
  hosted_entry:
    "Buyers of this sandbox pay on the provider's own page, and the company types its cards into the Checkout.",
  clock_advancing: "The clock is being advanced. Wait for the end of the advance, or stop the advance.",
};

const CHARGES: Record<ChargeFailure, (why: string) => string> = {
  payment_failed: (why) => `The charge failed${why}. The invoice stays open.`,
  payment_action_required: () =>
    "The bank wants the buyer to confirm the charge. The invoice stays open until the buyer has confirmed it.",
  payment_method_required: () =>
    "The Customer has no card that can be charged. The buyer can pay on the page of the invoice.",
};

const CHANGES: Record<ChargeFailure, (why: string) => string> = {
  payment_failed: (why) => `The charge failed${why}. No change was made.`,
  payment_action_required: () => "The bank wants the buyer to confirm the charge. No change was made.",
  payment_method_required: () => "The Customer has no card that can be charged. No change was made.",
};

/** `available` 0: no sentence about the amount would help. */
const upTo = (say: (available: string) => string) => {
  return ({ available }: { available: Money }) =>
    available.amount > 0
      ? say(money(available))
      : "No amount can be refunded now. The credit is spent, reserved or written off, or a dispute holds it.";
};

function taken(noun: string, name: string, holder: { id: string; deleted: boolean } | null): string {
  if (holder === null) return `Another ${noun} had this ${name} a moment ago. Save again.`;
  if (holder.deleted) return `The deleted ${noun} ${holder.id} keeps this ${name}. Choose another ${name}.`;
  return `The ${noun} ${holder.id} has this ${name}. Choose another ${name}, or change that ${noun}.`;
}

function refundBetweenSteps({ step, nearest }: RefusalValues["refund_between_steps"]): string {
  const amounts = nearest.map(money).join(" or ");
  const remedy = nearest.length > 0 ? `Refund ${amounts}, and the rest` : "Refund this amount";
  return `The provider refunds multiples of ${money(step)} to this card. ${remedy} to the balance.`;
}

const always = (text: string) => () => text;

/** The dashboard's words: amounts in major units, and no names of fields. A list has a sentence for each place. */
export const WORDS: RefusalWords<string | string[]> = {
  not_found: always("There is no such page any more."),
  precondition_failed: always(
    "The data has changed since you opened this page. The page now shows the present state. Check the page, then " +
      "confirm again.",
  ),

  unknown_product: always("There is no such Product."),
  product_listed: always("This Product is chosen already."),
  product_archived: always("The Product is archived."),
  product_not_recurring: always("The Product is sold once. A Subscription needs a recurring Product."),
  currency_required: always("The Product has several prices. Choose the currency."),
  currency_missing: ({ currency }) => `The Product has no price in ${currency.toUpperCase()}.`,
  quantity_not_offered: (limits) => `The Product is sold in ${namedRange(limits)}.`,
  quantity_too_expensive: ({ most }) => `The total of so many units is more than ${money(most)}.`,
  amount_not_divisible: ({ quantity }) => `The amount is the total of ${quantity} units, and has to be a multiple.`,
  already_archived: always("The Product is archived. Choose another Product."),
  key_taken: ({ noun, holder }) => taken(noun, "key", holder),
  code_taken: ({ holder }) => taken("Discount", "code", holder),
  unknown_benefits: ({ fields }) => fields.map(always("There is no such Benefit.")),
  prices_below_minimum: ({ prices }) =>
    prices.map(({ least, quantity }) =>
      quantity === 1
        ? `A price is 0 or at least ${money(least)}.`
        : `The price of ${quantity} units, the smallest quantity, is 0 or at least ${money(least)}.`,
    ),
  prices_not_chargeable: ({ prices }) => prices.map(({ fault, limit }) => AMOUNTS[fault](limit ? money(limit) : "")),
  discount_ends_before_start: always("The end must be later than the beginning."),
  file_missing: ({ folder }) => `There is no such file. Put the file below ${folder} of the data directory first.`,
  feature_missing: always("Enter the feature, or give the Benefit a key."),

  subscription_canceled: always("The Subscription has ended. A Subscription that has ended can't be changed."),
  subscription_cancellation_scheduled: always("The cancellation is scheduled. Undo the cancellation first."),
  subscription_past_due: always(
    "The Subscription is past due. Until the owed amount is paid, the plan can change only at the end of the period.",
  ),
  subscription_pause_scheduled: always("A pause is planned. Undo the pause first."),
  subscription_paused: always(
    "The Subscription is paused. Until it is resumed, the plan can change only with the next period.",
  ),
  subscription_not_trialing: always("The trial is over."),
  subscription_held: always(
    "Another billing system still bills this Subscription. Make the change there, or after the cut-over.",
  ),
  resume_out_of_range: ({ after, latest }) =>
    `Enter a day after ${formatInstant(after).slice(0, 10)}, and at most ${formatInstant(latest).slice(0, 10)}.`,
  price_not_accepted: always("The Customer has not agreed to the new price. The portal asks for the consent."),
  price_change_unfinished: always(
    "Another price change of this Product is not finished. Wait for its end, or stop it first. Withdraw it to bring " +
      "the same price with another consent or with other days of notice.",
  ),
  price_change_ended: always("This price change has ended. It can still be withdrawn."),
  invoice_open: always(
    "An invoice of the Subscription is open. Until the invoice is paid, the plan can change only at the end of the " +
      "period.",
  ),
  payment_method_required: always("The Customer has no card that can be charged."),
  payment_disputed: always(
    "The payment of this period is disputed. Until the bank has decided, choose “At the end of the period” or " +
      "“Now, without proration”.",
  ),
  refund_in_progress: always(
    "A refund is in progress, and the credit of the change depends on its outcome. Try again in a minute.",
  ),
  change_in_progress: always("A change of the Subscription is being paid. Wait for the outcome, then try again."),
  catch_up_pending: always(
    "Billing was interrupted, and the missed billing of this Subscription is held. An operator has to approve the " +
      "missed billing first.",
  ),
  already_subscribed: ({ subscriptionId }) =>
    subscriptionId === null
      ? "The Customer is paying for another plan of this group. Wait for the outcome, then try again."
      : "The Customer has a Subscription of this group. Change the plan of that Subscription instead.",
  no_change: always("The Subscription has this plan at this price already."),
  unknown_subscription: always("There is no such Subscription."),
  other_currency: ({ currency }) =>
    `The currency of the Subscription is ${currency.toUpperCase()} and can't be changed.`,
  amount_below_minimum: ({ least }) => `Enter 0, or at least ${money(least)}.`,
  begins_in_the_future: always("Enter a day that is not later than today."),
  trial_ends_in_the_past: always("The end of a trial must be later than now."),
  trial_out_of_range: ({ earliest, latest }) =>
    `Enter a day after ${formatInstant(earliest).slice(0, 10)}, and at most ${formatInstant(latest).slice(0, 10)}.`,
  trial_too_long: ({ latest }) => `A trial ends in the year ${formatInstant(latest).slice(0, 4)} at the latest.`,

  payment_provider_missing: always("No payment provider is connected, so no card can be charged."),
  payment_in_progress: always("A payment is in progress, and its outcome is not known yet. Try again in a minute."),
  payment_unknown: always("The outcome of the charge is not known yet. Try again in a minute."),
  payment_refused: ({ declineCode }) =>
    `The payment provider refused the charge${because(declineCode)}, and the buyer is not at fault. No change was ` +
    "made. An operator has to remove the cause.",
  change_not_paid: ({ reason, declineCode }) => CHANGES[reason](because(declineCode)),
  charge_not_paid: ({ reason, declineCode }) => CHARGES[reason](because(declineCode)),
  invoice_not_open: always("The invoice is no longer open: it was paid or voided."),
  invoice_not_paid: always("Only a paid invoice can be refunded."),

  nothing_to_refund: always("The whole amount is refunded, being refunded or disputed."),
  credited: upTo(
    (available) =>
      `This invoice was credited to the balance. Up to ${available} can still be refunded. Billow then deducts the ` +
      "refund from the balance.",
  ),
  credit_spent: upTo(
    (available) =>
      "A part of this amount was credited to the balance, and this credit is spent. " +
      `Up to ${available} can be refunded.`,
  ),
  refund_too_large: ({ most, to }) => {
    return `Refund at most ${money(most)} of this invoice${to === "card" ? " to the card" : ""}.`;
  },
  refund_between_steps: refundBetweenSteps,
  refund_above_role: ({ most }) => `Your role can refund at most ${money(most)} more of this invoice.`,
  not_paid_by_card: always("No card was charged for this invoice. Refund the invoice to the balance."),
  no_balance_left: always("The Customer is deleted and has no balance any more. Refund to the card."),
  not_one_time: always("Only for a one-time purchase. The access of a Subscription ends with the Subscription."),
  refund_not_failable: always("This refund can't fail."),
  nothing_to_pay_out: always(
    "There is no credit to pay out. Granted credit, held credit and credit that a payment in progress reserves stay " +
      "on the balance.",
  ),
  payout_between_steps: ({ nearest }) => {
    const remedy = nearest ? `Pay out ${money(nearest)}, or enter a larger amount.` : "Enter a larger amount.";
    return `The provider can't refund exactly this amount. ${remedy}`;
  },
  balance_too_large: ({ balance, most }) =>
    `The balance is ${money(balance)}. It can't go beyond ${money(most)} either side of zero.`,
  balance_left: ({ balances }) =>
    `The Customer has credit: ${balances.map(money).join(", ")}. Check the amounts, then confirm again.`,

  already_disputed: always("The payment is disputed already."),
  payment_not_disputable: always("The payment can't be disputed."),
  payment_not_refundable: ({ available }) => `The provider can refund at most ${money(available)}.`,
  dispute_closed: always("The dispute has ended already."),
  dispute_not_inquiry: always("Only an inquiry can become an open dispute."),
  dispute_outcome_mismatch: always("The outcome does not fit the dispute."),

  discount_refused: ({ reason }) => DISCOUNTS[reason],
  discount_exhausted: always("The discount is used up."),
  checkout_not_open: ({ isSpent }) =>
    isSpent
      ? "Too many attempts to pay failed. Create a new Checkout."
      : "The Checkout is being paid, was paid or has expired.",
  card_required: always("Enter a card."),
  billing_required: always("The tax depends on the buyer's country. Enter the country."),
  email_required: always("Enter the e-mail address of the buyer."),
  fields_faulty: always("The Checkout asks for own fields. Open its page to enter the values."),
  card_not_accepted: ({ message }) => message,
  card_not_saved: ({ declineCode }) => declineMessage(declineCode),
  payment_method_detached: always("The card is detached and can't be charged any more."),

  customer_exists: ({ field, customerId }) =>
    `The Customer ${customerId} has this ${field === "/email" ? "e-mail address" : "external id"}.`,
  unknown_customer: always("There is no such Customer."),
  external_id_fixed: always("The external id is set only once."),
  billing_country_missing: always("A tax id needs a billing address with its country."),
  sign_in_sent_lately: ({ email, minutes }) =>
    `${email} got a sign-in e-mail less than ${minutes} minutes ago, and its link is unused. ` +
    "Ask the Customer to look for this e-mail, or send another one in some minutes.",
  too_many_sign_ins: ({ email }) =>
    `${email} got too many sign-in e-mails within the last hour. Try again later, or create a link and send it.`,
  no_address_left: always("This Customer is deleted and has no e-mail address any more. No e-mail was queued."),
  email_not_repeatable: always("An e-mail of this kind or in this state is not sent again."),

  license_not_found: always("There is no such license key."),
  license_not_active: always("The access of the license key has ended."),
  activation_limit_reached: always("The license key has no activation left. Deactivate one first."),

  already_member: always("This person is already a member."),
  last_owner: always("This is the last owner. Make another member an owner first."),

  webhook_url_refused: ({ why }) => URLS[why],
  endpoint_disabled: always("The endpoint is disabled. Enable the endpoint first."),
  webhook_endpoint_limit_reached: always("An Organization has at most 50 webhook endpoints. Delete one first."),

  api_key_not_active: always("The key has expired or was revoked. Create another key."),
  api_key_in_use: always("A key can't revoke itself. Use another key."),
  key_expires_in_the_past: always("Choose a day in the future."),
  invalid_name: ({ most }) => `A name has 1 to ${most} characters.`,
  invalid_time_zone: ({ timeZone }) => `${timeZone} is not a time zone of the IANA database, such as Europe/Berlin.`,
  invalid_currency: always("Choose an ISO 4217 currency, such as USD."),
  clock_not_allowed: always("Only a sandbox has a clock of its own."),
  sandbox_only: always("Only a sandbox chooses where its buyers give their cards."),
  unknown_portal_products: ({ fields }) => fields.map(always("There is no such Product.")),

  clock_advancing: ({ target }) => `An advance to ${formatInstant(target)} is under way. Wait, or stop the advance.`,
  clock_stopped: ({ now }) => `The advance was stopped. The clock stands at ${formatInstant(now)}.`,
  clock_not_settable: always("The clock can be set only before the first Customer and Checkout."),
  clock_backwards: always("The clock is already past the beginning of this day. Choose a later day."),
  clock_out_of_range: ({ latest }) => `A clock goes to the year ${formatInstant(latest).slice(0, 4)} at most.`,
  sandbox_not_fillable: ({ obstacle }) => OBSTACLES[obstacle],
};

/** The places of a form that a refusal is about. Empty: the refusal is about the state of the data. */
function placesOf({ values }: Refusal): readonly string[] {
  if ("field" in values) return [values.field];
  if ("fields" in values) return values.fields;
  return "prices" in values ? values.prices.map(({ field }) => field) : [];
}

/** A refusal in the dashboard's words: faults at the fields of a form, or else a text. */
export function wordsOf(refusal: Refusal): { text: string | null; faults: Fault[] } {
  const said = [saidBy(WORDS, refusal)].flat();
  const places = placesOf(refusal);
  if (places.length === 0) return { text: said.join(" "), faults: [] };
  const faults = places.map((pointer, n): Fault => {
    return { in: "body", pointer, code: refusal.code, message: said[n] ?? said[0]! };
  });
  return { text: null, faults };
}
