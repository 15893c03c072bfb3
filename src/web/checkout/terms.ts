import { addCalendar, boundary, type Instant } from "../../domain/calendar.ts";
import { cardNeed, checkoutTotals, dueToday, type Checkout } from "../../domain/model/checkout.ts";
import { beginDiscount, coveredPart, discountOn, isFreeForEver } from "../../domain/model/discount.ts";
import { periodAt, type Anchor } from "../../domain/model/period.ts";
import { displayName, type Organization } from "../../domain/model/organization.ts";
import { periodOf } from "../../domain/model/product.ts";
import { amountOff, discountLabel, partOf, rhythmOf, taxedPrice, taxLabel, taxNote } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";

/** The costs of a Checkout, in words. */
export type Terms = {
  /** The most prominent text: the amount due today, the length of the trial, or `Free`. */
  headline: string;
  /** The amount in the headline, if words about the tax follow; null: the headline is whole. */
  beforeTax: string | null;
  /** The words beside the headline: that the amount is due today, or that there is one payment. */
  beside: string;
  /** The text about the charges after today, below the headline; null: there is no such text. */
  sequel: string | null;
  /** The figures from the price to the amount due: discount, tax and the part that the balance settles. */
  figures: { label: string; amount: string }[];
  today: string;
  /** The note on the tax, beside its figure. */
  taxNote: string | null;
  /** As `sequel`, to stand without a headline. */
  later: string | null;
  /** The buyer's consent to later charges of the card; null: there are no such charges. */
  consent: string | null;
};

/**
 * The circumstances in which a Checkout is described. `nextChargeAt`: the next charge of the changed Subscription, if
 * that charge depends on this change. `anchor`: the anchor of the Subscription's periods from that charge on.
 */
export type Circumstances = {
  words: Words;
  organization: Organization;
  at: Instant;
  nextChargeAt: Instant | null;
  anchor: Anchor | null;
};

/** The instant of the card's next charge if the purchase is made at `at`; null: there is no next charge. */
function nextCharge(
  checkout: Checkout,
  { organization: { timeZone: zone }, at, nextChargeAt }: Circumstances,
): Instant | null {
  const period = periodOf(checkout);
  if (!period || checkout.change) return nextChargeAt;
  return checkout.trialDays === null ? boundary(at, zone, period, 1) : addCalendar(at, zone, `P${checkout.trialDays}D`);
}

/** An amount whose tax is not known yet: `US$30.00 plus tax`, or the amount alone if no rate comes on top. */
export function untaxed({ terms }: Words, { taxRates }: Organization, amount: string): string {
  return taxRates.every(({ inclusive, basisPoints }) => inclusive || basisPoints === 0)
    ? amount
    : terms.plusTax({ amount });
}

/** An amount with its tax, also while the tax is not known. */
function withTax({ words, organization }: Circumstances, { tax, currency }: Checkout, amount: number): string {
  const price = taxedPrice(words, amount, currency, tax?.rate ?? null);
  return tax || amount === 0 ? price : untaxed(words, organization, price);
}

function noteOf(words: Words, { tax, amount, billing }: Checkout): string | null {
  if (!tax) return amount === 0 ? null : words.terms.taxUnknown;
  const isCharged = tax.rate !== null && !tax.rate.reverseCharge && tax.rate.basisPoints > 0;
  return isCharged && billing?.taxId ? words.terms.taxWithId : taxNote(words, [tax.rate]);
}

/** The parts of a purchase that no card pays: credit, and the part between two steps (rules C7, M5). */
export function settledParts(
  { terms }: Words,
  { settlement }: Pick<Checkout, "settlement">,
): { label: string; amount: number }[] {
  if (!settlement) return [];
  const credit = Math.min(settlement.basis.balance, settlement.balanceApplied);
  const parts = [
    { label: terms.fromBalance, amount: credit },
    { label: terms.left, amount: settlement.balanceApplied - credit },
  ];
  return parts.filter(({ amount }) => amount !== 0);
}

function figuresOf(words: Words, checkout: Checkout, zone: string): Terms["figures"] {
  const { terms, money } = words;
  const { currency, discount, tax } = checkout;
  const { subtotalAmount, discountAmount, taxAmount } = checkoutTotals(checkout);
  const figures = [];
  if (discountAmount > 0 && discount)
    figures.push({
      label: discountLabel(words, discount.code, coveredPart(discount, null), zone),
      amount: money(-discountAmount, currency),
    });
  const rate = tax?.rate;
  if (taxAmount && rate) figures.push({ label: taxLabel(words, rate), amount: money(taxAmount, currency) });
  for (const part of settledParts(words, checkout)) figures.push({ ...part, amount: money(-part.amount, currency) });
  const label = rate?.takenOut ? terms.priceBare({ tax: rate.name }) : terms.price;
  return figures.length === 0 && !rate?.takenOut
    ? []
    : [{ label, amount: money(subtotalAmount, currency) }, ...figures];
}

/**
 * The charges from `next` on, in words: the price less the discount while the discount lasts, then the price without
 * it.
 */
function regularly(checkout: Checkout, next: Instant, circumstances: Circumstances): string {
  const { productId, amount: price, trialDays } = checkout;
  const { words, organization, at, anchor } = circumstances;
  const { timeZone: zone } = organization;
  const { terms, day } = words;
  const begins = trialDays === null && !checkout.change ? at : next;
  // Of all changes, only a change during a trial has a discount that has not begun yet.
  const held = beginDiscount(checkout.discount, begins, zone);
  const { anchorAt, anchorTimeZone } = anchor ?? { anchorAt: begins, anchorTimeZone: zone };
  const spanAt = (instant: Instant) => {
    const { currentPeriodStart: start, currentPeriodEnd: end } = periodAt(
      anchorAt,
      anchorTimeZone,
      periodOf(checkout)!,
      instant,
    );
    return { start, end };
  };
  const offAt = (start: Instant) => discountOn(held, { productId, price }, spanAt(start));
  const taxed = (amount: number) => withTax(circumstances, checkout, amount);
  const rhythm = rhythmOf(words, checkout);
  const from = (amount: number, start: Instant) =>
    terms.charges({ price: taxed(amount), rhythm, day: day(start, zone) });
  const off = offAt(next);
  if (off === 0 || !held?.endsAt) return from(price - off, next);
  const last = spanAt(held.endsAt);
  const lastOff = offAt(last.start);
  const part = coveredPart(held, last);
  const once = { price: taxed(price - lastOff), day: day(last.start, zone) };
  const partly = part
    ? terms.chargePart({ ...once, off: amountOff(words, held), part: partOf(words, part, zone) })
    : terms.chargeOn(once);
  const rest = from(price, lastOff > 0 ? last.end : last.start);
  const isSingle = spanAt(next).end >= last.start;
  const reduced = isSingle
    ? terms.chargeOn({ price: taxed(price - off), day: day(next, zone) })
    : from(price - off, next);
  const [first, second] = [...(last.start > next ? [reduced] : []), ...(lastOff > 0 ? [partly] : [])] as [
    string,
    string?,
  ];
  return second === undefined ? terms.two({ first, rest }) : terms.three({ first, second, rest });
}

/**
 * Describes the costs as of the instant `at`.
 * @throws RangeError for an unknown zone, or a date beyond the year 9999
 */
export function termsOf(checkout: Checkout, circumstances: Circumstances): Terms {
  const { productId, amount, currency, trialDays, discount, change } = checkout;
  const { words, organization } = circumstances;
  const seller = displayName(organization);
  const { terms, money } = words;
  const { totalAmount, subtotalAmount, discountAmount } = checkoutTotals(checkout);
  const net = subtotalAmount - discountAmount;
  const due = money(dueToday(checkout), currency);
  const isTaxOpen = totalAmount === null && net > 0;
  const today = isTaxOpen ? untaxed(words, organization, due) : due;
  const common = {
    figures: change ? [] : figuresOf(words, checkout, organization.timeZone),
    today,
    headline: today,
    beforeTax: today === due ? null : due,
    beside: words.checkout.dueToday,
    taxNote: change ? null : noteOf(words, checkout),
    consent: null,
  };
  const next = nextCharge(checkout, circumstances);
  if (isFreeForEver({ productId, price: amount }, discount)) {
    const isFree = amount === 0 && dueToday(checkout) === 0;
    const later = change && totalAmount ? null : terms.noPayment;
    return {
      ...common,
      ...(isFree ? { headline: terms.free, beforeTax: null, beside: "" } : {}),
      sequel: later,
      later,
    };
  }
  if (next === null) {
    const rhythm = rhythmOf(words, checkout);
    return { ...common, ...(change ? {} : { beside: rhythm }), sequel: null, later: null };
  }
  const charges = terms.untilCancel({ charges: regularly(checkout, next, circumstances) });
  const sequel = terms.later({ charges });
  const consent = (cardNeed(checkout) === "optional" ? terms.consentOptional : terms.consent)({ seller, charges });
  if (trialDays === null) return { ...common, sequel, later: sequel, consent };
  const [headline, trial] = [terms.freeFor({ days: trialDays }), terms.trial({ days: trialDays })];
  const later = terms.trialLater({ trial, charges });
  return { ...common, headline, beforeTax: null, beside: "", sequel, later, consent };
}
