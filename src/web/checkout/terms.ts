import { addCalendar, boundary, formatDate, type Instant } from "../../domain/calendar.ts";
import { cardNeed, checkoutTotals, dueToday, type Checkout } from "../../domain/checkout/checkout.ts";
import { beginDiscount, coveredPart, discountOn, isFreeForEver, partInWords } from "../../domain/discount/discount.ts";
import type { CoveredPart, HeldDiscount } from "../../domain/discount/discount.ts";
import { periodAt, type Anchor } from "../../domain/subscription/period.ts";
import { periodOf } from "../../domain/catalogue/product.ts";
import { billedOf, taxNoteOf, type TaxRate } from "../../domain/tax/tax.ts";
import { counted, percent, periodInWords } from "../../domain/words.ts";
import { money } from "../money.ts";

/** The costs of a Checkout, in words. */
export type Terms = {
  /** The most prominent text: the price, the length of the trial, or `Free`. */
  headline: string;
  beside: string;
  /** The figures from the price to the amount due: discount, tax and the part that the balance settles. */
  figures: { label: string; amount: string }[];
  today: string;
  /** The note on the tax, beside its figure. */
  taxNote: string | null;
  /** The text about the charges after today; null: there is no such text. */
  later: string | null;
  /** The buyer's consent to later charges of the card; null: there are no such charges. */
  consent: string | null;
};

/**
 * The circumstances in which a Checkout is described. `nextChargeAt`: the next charge of the changed Subscription, if
 * that charge depends on this change. `anchor`: the anchor of the Subscription's periods from that charge on.
 */
export type Circumstances = {
  zone: string;
  at: Instant;
  merchant: string;
  nextChargeAt: Instant | null;
  anchor: Anchor | null;
};

/** `every month`; `one payment` for a sale without a period. */
export function rhythmOf({ interval, intervalCount }: Pick<Checkout, "interval" | "intervalCount">): string {
  if (interval === null || intervalCount === null) return "one payment";
  return `every ${periodInWords({ interval, intervalCount })}`;
}

/** The instant of the card's next charge if the purchase is made at `at`; null: there is no next charge. */
function nextCharge(checkout: Checkout, { zone, at, nextChargeAt }: Circumstances): Instant | null {
  const period = periodOf(checkout);
  if (!period || checkout.change) return nextChargeAt;
  return checkout.trialDays === null ? boundary(at, zone, period, 1) : addCalendar(at, zone, `P${checkout.trialDays}D`);
}

function taxOnTop({ tax }: Checkout): string {
  if (!tax) return " plus tax";
  const { rate } = tax;
  return !rate || rate.inclusive || rate.reverseCharge || rate.basisPoints === 0
    ? ""
    : ` plus ${percent(rate.basisPoints)} ${rate.name}`;
}

function taxNote({ tax, amount, billing }: Checkout): string | null {
  if (!tax) return amount === 0 ? null : "Tax depends on where you are: choose your country to see the total.";
  const isCharged = tax.rate !== null && !tax.rate.reverseCharge && tax.rate.basisPoints > 0;
  return isCharged && billing?.taxId ? "Tax is charged with this tax ID, too." : taxNoteOf([tax.rate]);
}

/** A tax rate in words, shown beside its amount. */
export function taxLabel({ name, basisPoints, inclusive }: TaxRate): string {
  return inclusive ? `contains ${percent(basisPoints)} ${name}` : `${name}, ${percent(basisPoints)}`;
}

function amountOff({ type, basisPoints, amount, currency }: HeldDiscount): string {
  return `${type === "percentage" ? percent(basisPoints!) : money(amount!, currency!)} off`;
}

/** The reduction by a discount and its duration, in words. */
export function offOf(held: HeldDiscount, recurring: boolean): string {
  const { duration, months } = held;
  const off = amountOff(held);
  if (!recurring || duration === "forever") return off;
  if (duration === "once") return `${off} the first period`;
  return `${off} for ${counted(months!, "month")}`;
}

/** `Discount SPRING, for 3 of 12 months`. `part`: the covered part of the period; null: all of it. */
export function discountLabel(code: string, part: CoveredPart | null, zone: string): string {
  const label = `Discount ${code}`.trim();
  return part ? `${label}, ${partInWords(part, zone)}` : label;
}

/** The label of the part of a total that can't be charged now (rule M5). */
export const LEFT = "Left for a later invoice";

/** The parts of a purchase that no card pays: credit, and the part between two steps (rules C7, M5). */
export function settledParts({ settlement }: Pick<Checkout, "settlement">): { label: string; amount: number }[] {
  if (!settlement) return [];
  const credit = Math.min(settlement.basis.balance, settlement.balanceApplied);
  const parts = [
    { label: "Settled by your balance", amount: credit },
    { label: LEFT, amount: settlement.balanceApplied - credit },
  ];
  return parts.filter(({ amount }) => amount !== 0);
}

function figuresOf(checkout: Checkout, zone: string): Terms["figures"] {
  const { currency, discount, tax } = checkout;
  const { subtotalAmount, discountAmount, taxAmount } = checkoutTotals(checkout);
  const figures = [];
  if (discountAmount > 0 && discount)
    figures.push({
      label: discountLabel(discount.code, coveredPart(discount, null), zone),
      amount: money(-discountAmount, currency),
    });
  const rate = tax?.rate;
  if (taxAmount && rate) figures.push({ label: taxLabel(rate), amount: money(taxAmount, currency) });
  for (const part of settledParts(checkout)) figures.push({ ...part, amount: money(-part.amount, currency) });
  const label = rate?.takenOut ? `Price without ${rate.name}` : "Price";
  return figures.length === 0 && !rate?.takenOut
    ? []
    : [{ label, amount: money(subtotalAmount, currency) }, ...figures];
}

/**
 * The charges from `next` on, in words: the price less the discount while the discount lasts, then the price without
 * it.
 */
function regularly(checkout: Checkout, next: Instant, { zone, at, anchor }: Circumstances): string {
  const { productId, amount: price, currency, trialDays, tax } = checkout;
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
  const taxed = (amount: number) =>
    money(billedOf(amount, tax?.rate ?? null), currency) + (amount === 0 ? "" : taxOnTop(checkout));
  const from = (amount: number, start: Instant) =>
    `${taxed(amount)} ${rhythmOf(checkout)} from ${formatDate(start, zone)}`;
  const off = offAt(next);
  if (off === 0 || !held?.endsAt) return from(price - off, next);
  const last = spanAt(held.endsAt);
  const lastOff = offAt(last.start);
  const part = coveredPart(held, last);
  const words = part ? ` (${amountOff(held)} ${partInWords(part, zone)})` : "";
  const charges = [
    ...(last.start > next ? [from(price - off, next)] : []),
    ...(lastOff > 0 ? [`${taxed(price - lastOff)} on ${formatDate(last.start, zone)}${words}`] : []),
  ];
  return `${charges.join(", ")}, and ${from(price, lastOff > 0 ? last.end : last.start)}`;
}

/**
 * Describes the costs as of the instant `at`.
 * @throws RangeError for an unknown zone, or a date beyond the year 9999
 */
export function termsOf(checkout: Checkout, circumstances: Circumstances): Terms {
  const { productId, amount, currency, trialDays, discount, change, tax } = checkout;
  const { totalAmount, subtotalAmount, discountAmount } = checkoutTotals(checkout);
  const net = subtotalAmount - discountAmount;
  const today = money(dueToday(checkout), currency) + (totalAmount === null && net > 0 ? " plus tax" : "");
  const common = {
    figures: change ? [] : figuresOf(checkout, circumstances.zone),
    today,
    taxNote: change ? null : taxNote(checkout),
  };
  const [price, rhythm] = [money(billedOf(amount, tax?.rate ?? null), currency), rhythmOf(checkout)];
  const next = nextCharge(checkout, circumstances);
  if (isFreeForEver({ productId, price: amount }, discount)) {
    const headline = amount === 0 ? "Free" : price;
    const later = "No payment is due, now or later.";
    return {
      ...common,
      headline,
      beside: amount === 0 ? "" : rhythm,
      later: change && totalAmount ? null : later,
      consent: null,
    };
  }
  if (next === null) return { ...common, headline: price, beside: rhythm, later: null, consent: null };
  const from = `${regularly(checkout, next, circumstances)}, until you cancel.`;
  const allowed = `you allow ${circumstances.merchant} to charge your card ${from}`;
  const consent = cardNeed(checkout) === "optional" ? `If you give a card, ${allowed}` : `By confirming, ${allowed}`;
  if (trialDays === null) return { ...common, headline: price, beside: rhythm, later: `Then ${from}`, consent };
  const free = `${counted(trialDays, "day")} free`;
  return { ...common, headline: free, beside: `then ${price} ${rhythm}`, later: `${free}, then ${from}`, consent };
}
