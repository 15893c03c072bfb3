import * as z from "zod";
import { formatDate, parseInstant } from "../domain/calendar.ts";
import { formatMoney } from "../domain/currency.ts";
import { EVENT_TYPES, type Event, type EventType } from "../domain/event.ts";
import { brandName } from "../domain/model/card-name.ts";
import { counted, periodInWords, valueInWords } from "../domain/words.ts";
import type { ManagedBenefitGrantResource } from "./benefit-grant.ts";
import type { CheckoutResource } from "./checkout.ts";
import { id, timestamp, time } from "./fields.ts";
import type { DisputeResource } from "./dispute.ts";
import type { InvoiceResource } from "./invoice.ts";
import { pageQuery } from "./page.ts";
import type { PaymentMethodResource } from "./payment-method.ts";
import type { PaymentResource } from "./payment.ts";
import type { RefundResource } from "./refund.ts";
import type { SubscriptionResource } from "./subscription.ts";

/** One thing that happened, with a sentence that can be read to a Customer. */
export const TimelineEntryResource = z
  .object({
    eventId: id("evt"),
    at: timestamp,
    type: z.enum(EVENT_TYPES),
    resourceId: z.string(),
    text: z.string(),
  })
  .meta({ id: "TimelineEntry" });
export type TimelineEntryResource = z.infer<typeof TimelineEntryResource>;

export const TimelineQuery = z.strictObject(pageQuery("evt"));
export type TimelineQuery = z.infer<typeof TimelineQuery>;

/**
 * An event, and the earlier event of the same resource (null if there is none). `zone`: the time zone of the dates.
 * `productNames`: the names of the Products of `productsIn`, by their ids.
 */
type Entry = { event: Event; before: Event | null; zone: string; productNames: ReadonlyMap<string, string> };
type Wording = (entry: Entry) => string;

const dataOf = <Resource>(event: Event) => event.data as Resource;
const day = (text: string | null, zone: string) => (text === null ? "" : formatDate(parseInstant(text)!, zone));

type Priced = Pick<SubscriptionResource, "amount" | "currency" | "interval" | "intervalCount"> & { quantity?: number };

/** Events from before quantities have none. */
const unitsIn = ({ quantity = 1 }: { quantity?: number }): number => quantity;

function price(sold: Priced) {
  const { amount, currency, interval, intervalCount } = sold;
  const units = unitsIn(sold) === 1 ? "" : ` for ${counted(unitsIn(sold), "unit")}`;
  return `${formatMoney(amount, currency)} every ${periodInWords({ interval, intervalCount })}${units}`;
}

/** The ids of the Products that may be named in the text about a change of a Subscription. */
export function productsIn(event: Event): string[] {
  const { productId, pendingChange } = dataOf<SubscriptionResource>(event);
  return pendingChange ? [productId, pendingChange.productId] : [productId];
}

type Paused = NonNullable<SubscriptionResource["pause"]>;

const pauseInWords = ({ resumesAt, access }: Paused, zone: string): string => {
  const until = resumesAt === null ? "until a request resumes it" : `until ${day(resumesAt, zone)}`;
  return `${until}, ${access === "keep" ? "with access" : "without access"}`;
};

/** A pause that was scheduled, changed or undone (rule S8a). */
function pauseChanged(was: Paused | null, now: Paused | null, zone: string): string[] {
  if (JSON.stringify(was) === JSON.stringify(now)) return [];
  if (now === null) return ["The planned pause was canceled."];
  return [`A pause from ${day(now.startsAt, zone)}, ${pauseInWords(now, zone)}, was ${was ? "changed" : "planned"}.`];
}

type Discounting = SubscriptionResource["pendingDiscount"];

/** A discount that is to begin or to end with the next period, or no longer so (rule X4a). */
function discountChanged(was: Discounting, now: Discounting, zone: string): string[] {
  if (JSON.stringify(was) === JSON.stringify(now)) return [];
  if (now === null) return ["The planned change of the discount was canceled."];
  const on = day(now.effectiveAt, zone);
  return [
    now.discountId === null ? `The discount was taken off from ${on} on.` : `A discount was given from ${on} on.`,
  ];
}

/** The end of the hold of an import, or its return (rule V4). */
function holdChanged(was: SubscriptionResource["imported"], now: SubscriptionResource["imported"]): string[] {
  if (was === null || now === null || was.held === now.held) return [];
  return [
    now.held ? "The other system bills it again." : "The other system stopped billing. Billow bills it from now on.",
  ];
}

/** Describes a change of a Subscription by comparing the Subscription with its earlier state. */
function changed({ event, before, zone, productNames }: Entry): string {
  const now = dataOf<SubscriptionResource>(event);
  // The earlier events may be deleted (rule I4f), and then there is nothing to compare.
  if (before === null) return "The Subscription was changed.";
  const was = dataOf<SubscriptionResource>(before);
  const product = (productId: string) => productNames.get(productId) ?? productId;
  const said: string[] = [];
  if (was.productId !== now.productId)
    said.push(`The Product was changed from ${product(was.productId)} to ${product(now.productId)}, ${price(now)}.`);
  else if (unitsIn(was) !== unitsIn(now))
    said.push(`The quantity was changed from ${unitsIn(was)} to ${unitsIn(now)}, ${price(now)}.`);
  else if (was.amount !== now.amount || was.interval !== now.interval)
    said.push(`The price was changed to ${price(now)}.`);
  if (now.status === "trialing" && was.trialEnd !== now.trialEnd)
    said.push(`The trial was lengthened until ${day(now.trialEnd, zone)}.`);
  else if (was.currentPeriodEnd !== now.currentPeriodEnd)
    said.push(`A new period began, from ${day(now.currentPeriodStart, zone)} to ${day(now.currentPeriodEnd, zone)}.`);
  if (now.pendingChange && JSON.stringify(now.pendingChange) !== JSON.stringify(was.pendingChange ?? null)) {
    const { productId, effectiveAt } = now.pendingChange;
    said.push(
      `A change to ${product(productId)}, ${price(now.pendingChange)}, was scheduled for ${day(effectiveAt, zone)}.`,
    );
  }
  if (!now.pendingChange && was.pendingChange) said.push("The scheduled change was canceled.");
  if (now.priceChange?.consentedAt && !was.priceChange?.consentedAt) said.push("The Customer agreed to the new price.");
  said.push(...discountChanged(was.pendingDiscount ?? null, now.pendingDiscount ?? null, zone));
  said.push(...holdChanged(was.imported ?? null, now.imported ?? null));
  said.push(...pauseChanged(was.pause ?? null, now.pause ?? null, zone));
  if (was.cancellationReason !== now.cancellationReason) said.push("The reason of the cancellation was changed.");
  return said.length === 0 ? "The Subscription was changed." : said.join(" ");
}

const cardName = ({ brand, last4 }: { brand: string; last4: string }) => `${brandName(brand)} ending in ${last4}`;
const expiryOf = ({ expMonth, expYear }: PaymentMethodResource) => `${String(expMonth).padStart(2, "0")}/${expYear}`;
const card = ({ method }: PaymentResource): string => (method ? cardName(method) : "a card");

const GRANT_REASONS: Record<ManagedBenefitGrantResource["reason"], string> = {
  purchased: "the Product was bought",
  trial_started: "the trial began",
  product_changed: "the Product was changed",
  benefits_edited: "the Product's benefits were edited",
  payment_recovered: "everything that was owed is paid",
  subscription_paused: "the Subscription is paused",
  subscription_resumed: "the pause of the Subscription is over",
  subscription_ended: "the Subscription ended",
  payment_failed: "a payment failed and no days of grace were left",
  customer_deleted: "the Customer was deleted",
  refunded: "the purchase was refunded",
};

/** The reason for a grant's status, as it was stored with the grant. */
export function grantReason({
  benefit,
  status,
  reason,
}: Pick<ManagedBenefitGrantResource, "benefit" | "status" | "reason">): string {
  return `${benefit.name}: ${status === "active" ? "granted" : "revoked"}, because ${GRANT_REASONS[reason]}.`;
}

const endOf = (event: Entry["event"], zone: string) =>
  `on ${day(dataOf<SubscriptionResource>(event).currentPeriodEnd, zone)}`;

const END_REASONS: Record<string, string> = {
  payment_failed: ", because the owed amount was not paid",
  unrecognized: ", because the Customer did not recognize the purchase",
  price_not_accepted: ", because the Customer did not agree to the new price",
};

const subscriptionTellers: Partial<Record<EventType, Wording>> = {
  "subscription.created": ({ event, zone }) => {
    const created = dataOf<SubscriptionResource>(event);
    const { trialEnd, currentPeriodEnd } = created;
    const until = trialEnd === null ? `until ${day(currentPeriodEnd, zone)}` : `free until ${day(trialEnd, zone)}`;
    if (created.imported?.held)
      return `The Subscription was imported, ${price(created)}. The other system goes on to bill it.`;
    return `The Subscription began: ${price(created)}, ${until}.`;
  },
  "subscription.trial_ending": ({ event, zone }) => `Notice was given that the trial ends ${endOf(event, zone)}.`,
  "subscription.renewal_upcoming": ({ event, zone }) =>
    `Notice was given that the Subscription renews ${endOf(event, zone)}.`,
  "subscription.activated": ({ event, zone }) => {
    const { currentPeriodStart, currentPeriodEnd } = dataOf<SubscriptionResource>(event);
    return (
      `The trial ended. The first paid period is from ${day(currentPeriodStart, zone)} to ` +
      `${day(currentPeriodEnd, zone)}.`
    );
  },
  "subscription.renewed": ({ event, zone }) => {
    const { currentPeriodStart, currentPeriodEnd } = dataOf<SubscriptionResource>(event);
    return `The Subscription was renewed, from ${day(currentPeriodStart, zone)} to ${day(currentPeriodEnd, zone)}.`;
  },
  "subscription.updated": changed,
  "subscription.paused": ({ event, zone }) => {
    const { pause } = dataOf<SubscriptionResource>(event);
    return pause === null ? "The Subscription is paused." : `The Subscription is paused ${pauseInWords(pause, zone)}.`;
  },
  "subscription.resume_upcoming": ({ event, zone }) => {
    const resumesAt = dataOf<SubscriptionResource>(event).pause?.resumesAt ?? null;
    return `Notice was given that the Subscription resumes on ${day(resumesAt, zone)}.`;
  },
  "subscription.resumed": ({ event, zone }) => {
    const { currentPeriodStart, currentPeriodEnd } = dataOf<SubscriptionResource>(event);
    const span = `from ${day(currentPeriodStart, zone)} to ${day(currentPeriodEnd, zone)}`;
    return `The pause is over. A new period is ${span}.`;
  },
  "subscription.price_change_scheduled": ({ event, zone }) => {
    const now = dataOf<SubscriptionResource>(event);
    if (now.priceChange === null) return "Notice was given of a new price.";
    const { effectiveAt, amount, consent } = now.priceChange;
    const need = consent === "required" ? " The Customer has to agree to it before." : "";
    return `Notice was given of a new price from ${day(effectiveAt, zone)} on: ${price({ ...now, amount })}.${need}`;
  },
  "subscription.price_change_applied": ({ event }) =>
    `The new price has begun: ${price(dataOf<SubscriptionResource>(event))}.`,
  "subscription.price_change_withdrawn": () => "The new price was taken back. The present price stays.",
  "subscription.cancellation_scheduled": ({ event, zone }) => {
    const { cancelAt, cancellationReason } = dataOf<SubscriptionResource>(event);
    const why = cancellationReason === null ? "" : ` Reason: ${valueInWords(cancellationReason)}.`;
    return `The Subscription was asked to end on ${day(cancelAt, zone)}.${why}`;
  },
  "subscription.cancellation_undone": () => "The cancellation was taken back. The Subscription continues.",
  "subscription.past_due": () =>
    "The Subscription is past due, because a payment failed. The payment is tried again by the schedule.",
  "subscription.recovered": ({ event, before, zone }) => {
    const { currentPeriodStart } = dataOf<SubscriptionResource>(event);
    const was = before && dataOf<SubscriptionResource>(before);
    const recovered = "All owed amounts are paid. The Subscription is active again.";
    if (!was || was.currentPeriodStart === currentPeriodStart) return recovered;
    return `${recovered} The last period was over on ${day(was.currentPeriodEnd, zone)}, so a new one begins now.`;
  },
  "subscription.canceled": ({ event, zone }) => {
    const { endedAt, cancellationReason } = dataOf<SubscriptionResource>(event);
    return `The Subscription ended on ${day(endedAt, zone)}${END_REASONS[cancellationReason ?? ""] ?? ""}.`;
  },
};

const invoiceTellers: Partial<Record<EventType, Wording>> = {
  "invoice.created": ({ event }) => {
    const { number, totalAmount, balanceApplied, amountDue, currency, lines, restarted } =
      dataOf<InvoiceResource>(event);
    const applied = formatMoney(Math.abs(balanceApplied), currency);
    // On an invoice with credit lines, this amount is a collected debt or credit that can't be spent (rule D7).
    const hasCredit = lines.some(({ amount }) => amount < 0);
    const more = hasCredit ? "more is due because of the balance" : "that was owed on the balance is collected, too";
    const owed = totalAmount > 0 ? `; ${applied} ${more}` : `; ${applied} goes to the balance`;
    const settled = balanceApplied === 0 ? "" : balanceApplied > 0 ? `, ${applied} of it settled by the balance` : owed;
    return (
      `Invoice ${number} over ${formatMoney(totalAmount, currency)} was created${settled}; ` +
      `${formatMoney(amountDue, currency)} was due.${restarted ? " Its period began after a time without access." : ""}`
    );
  },
  "invoice.paid": ({ event }) => `Invoice ${dataOf<InvoiceResource>(event).number} is paid.`,
  "invoice.payment_failed": ({ event, zone }) => {
    const { number, nextAttemptAt } = dataOf<InvoiceResource>(event);
    const next =
      nextAttemptAt === null ? "It is not tried again." : `It is tried again on ${day(nextAttemptAt, zone)}.`;
    return `Invoice ${number} could not be paid. ${next}`;
  },
  "invoice.held": ({ event }) => {
    const { number, heldReason } = dataOf<InvoiceResource>(event);
    const why = heldReason === null ? "" : ` (${valueInWords(heldReason)})`;
    return `Invoice ${number} is held for an operator, because the payment provider refuses the charge${why}.`;
  },
  "invoice.voided": ({ event }) => `Invoice ${dataOf<InvoiceResource>(event).number} is void. It needs no payment.`,
  "invoice.refunded": ({ event }) => {
    const { number, refundedAmount, currency } = dataOf<InvoiceResource>(event);
    return `Of invoice ${number}, ${formatMoney(refundedAmount, currency)} in all was given back.`;
  },
};

function madeAtProvider({ amount, fromBalance, currency }: RefundResource): string {
  const made = `A refund of ${formatMoney(amount, currency)} to the card was made at the payment provider.`;
  if (fromBalance === 0) return made;
  return `${made} ${formatMoney(fromBalance, currency)} of it is taken off the balance.`;
}

const paymentTellers: Partial<Record<EventType, Wording>> = {
  "payment.succeeded": ({ event }) => {
    const payment = dataOf<PaymentResource>(event);
    return `${formatMoney(payment.amount, payment.currency)} was charged to ${card(payment)}.`;
  },
  "payment.failed": ({ event }) => {
    const payment = dataOf<PaymentResource>(event);
    const charged = formatMoney(payment.amount, payment.currency);
    if (payment.failureCode === "card_disputed")
      return `${charged} was not charged to ${card(payment)}: a payment with it is disputed.`;
    const why = payment.failureCode === null ? "" : ` (${valueInWords(payment.failureCode)})`;
    return `${charged} could not be charged to ${card(payment)}${why}.`;
  },
  "payment.action_required": ({ event }) => {
    const payment = dataOf<PaymentResource>(event);
    return `The bank of ${card(payment)} asks the buyer to confirm ${formatMoney(payment.amount, payment.currency)}.`;
  },
  "payment_method.updated": ({ event }) => {
    const method = dataOf<PaymentMethodResource>(event);
    return `The bank replaced the card. The new one is ${cardName(method)}, valid until ${expiryOf(method)}.`;
  },
  "payment_method.expiring": ({ event }) => {
    const method = dataOf<PaymentMethodResource>(event);
    return `Notice was given that the card ${cardName(method)} expires at the end of ${expiryOf(method)}.`;
  },
  "payment_method.detached": ({ event }) => {
    const method = dataOf<PaymentMethodResource>(event);
    return `The card ${cardName(method)} can't be charged any more.`;
  },
  "refund.created": ({ event }) => {
    const { amount, fromBalance, currency, to, purpose, origin } = dataOf<RefundResource>(event);
    if (origin === "provider") return madeAtProvider(dataOf<RefundResource>(event));
    if (purpose === "balance") return `Credit of ${formatMoney(amount, currency)} is paid out to the card.`;
    const taken = fromBalance > 0 ? ` ${formatMoney(fromBalance, currency)} of it is taken off the balance.` : "";
    return `A refund of ${formatMoney(amount, currency)} to the ${to} was asked for.${taken}`;
  },
  "refund.failed": ({ event }) => {
    const { amount, currency, failureCode, creditNoteId, settledAt, failedAt } = dataOf<RefundResource>(event);
    const why = failureCode === null ? "" : ` (${valueInWords(failureCode)})`;
    const said = `The refund of ${formatMoney(amount, currency)} to the card failed${why}.`;
    const isLate = creditNoteId !== null || settledAt !== failedAt;
    return isLate ? `${said} The money is credit on the balance, which can't be paid out to that card.` : said;
  },
  "dispute.created": ({ event }) => {
    const { amount, currency, reason, status } = dataOf<DisputeResource>(event);
    if (status === "inquiry")
      return (
        `The buyer's bank asks about ${formatMoney(amount, currency)} (${valueInWords(reason)}). ` +
        "No money has moved."
      );
    return (
      `The buyer's bank took back ${formatMoney(amount, currency)} until it decides about a dispute ` +
      `(${valueInWords(reason)}).`
    );
  },
  "dispute.updated": ({ event }) => {
    const { amount, currency, status } = dataOf<DisputeResource>(event);
    if (status === "inquiry") return "The inquiry of the buyer's bank was changed.";
    return `The buyer's bank holds ${formatMoney(amount, currency)} until it decides about the dispute.`;
  },
  "dispute.closed": ({ event }) => {
    const { amount, currency, status } = dataOf<DisputeResource>(event);
    if (status === "closed") return "The inquiry of the buyer's bank ended. No money has moved.";
    const lost = " Credit that came from this payment is worth nothing any more.";
    return (
      `The dispute is ${status}: the buyer's bank ${status === "won" ? "gave back" : "keeps"} ` +
      `${formatMoney(amount, currency)}.${status === "lost" ? lost : ""}`
    );
  },
};

const otherTellers: Partial<Record<EventType, Wording>> = {
  "customer.created": () => "The Customer was created.",
  "customer.updated": () => "The data of the Customer was changed.",
  "customer.deleted": () => "The Customer was deleted.",
  "checkout.created": () => "A checkout page was created.",
  "checkout.completed": () => "The checkout was completed.",
  "checkout.expired": () => "The checkout page expired unused.",
  "checkout.payment_failed": ({ event }) => {
    const { lastPaymentError } = dataOf<CheckoutResource>(event);
    return `The payment on the checkout page failed. ${lastPaymentError?.message ?? ""}`.trim();
  },
  "benefit_grant.granted": ({ event }) => grantReason(dataOf<ManagedBenefitGrantResource>(event)),
  "benefit_grant.updated": ({ event }) => `${dataOf<ManagedBenefitGrantResource>(event).benefit.name} was changed.`,
  "benefit_grant.revoked": ({ event }) => grantReason(dataOf<ManagedBenefitGrantResource>(event)),
};

const WORDINGS = { ...subscriptionTellers, ...invoiceTellers, ...paymentTellers, ...otherTellers };

/** Made only from the event and the earlier event, without a new calculation. Only Product names are current. */
export function presentTimelineEntry(entry: Entry): TimelineEntryResource {
  const { id: eventId, type, resourceId, createdAt } = entry.event;
  return { eventId, at: time(createdAt), type, resourceId, text: WORDINGS[type]?.(entry) ?? type };
}
