import type { Period } from "../domain/calendar.ts";
import { valueOf, type FeatureProperties } from "../domain/model/benefit.ts";
import { monthsOfPart, type CoveredPart, type HeldDiscount } from "../domain/model/discount.ts";
import { billedOf, type LineTax, type TaxRate } from "../domain/tax/tax.ts";
import { unitAmountOf, unitWord, type Units } from "../domain/model/quantity.ts";
import { languageOf } from "./language.ts";
import type { Markup } from "./message.ts";
import type { Words } from "./words.ts";

/** Sentences one after the other. An empty one is left out. */
export function sentences({ frame }: Words, ...texts: readonly (Markup | string)[]): Markup | string {
  const said = texts.filter((text) => text !== "");
  return said.length === 0 ? "" : said.reduce((first, second) => frame.sentences.markup({ first, second }));
}

/** As `sentences`, for a plain text. */
export const plainSentences = ({ frame }: Words, ...texts: readonly string[]): string =>
  texts.reduce((first, second) => (first && second ? frame.sentences({ first, second }) : first + second), "");

/** `every month`; `one payment` for a sale without a period. */
export function rhythmOf({ terms }: Words, { interval, intervalCount }: Period | NoPeriod): string {
  if (interval === null || intervalCount === null) return terms.onePayment;
  const every = { day: terms.everyDay, week: terms.everyWeek, month: terms.everyMonth, year: terms.everyYear };
  return every[interval]({ count: intervalCount });
}
type NoPeriod = { interval: Period["interval"] | null; intervalCount: number | null };

/** A number of units with their noun in the reader's language (rule Q2): `5 seats`; `5` without a noun. */
export function unitsOf({ terms, locale }: Words, { quantity, unitName }: Units): string {
  const count = new Intl.NumberFormat(locale).format(quantity);
  const unit = unitWord(unitName, quantity, languageOf(locale));
  return unit === null ? count : terms.units({ count, unit });
}

/** `5 seats × US$12.00`. `unitAmount`: the price of one unit in minor units. */
export function unitsAtPrice(words: Words, sold: Units & { unitAmount: number }, currency: string): string {
  return words.terms.unitsAtPrice({ units: unitsOf(words, sold), price: words.money(sold.unitAmount, currency) });
}

/**
 * `5 seats × US$12.00`, from the total `amount` of all units (rule Q4); null for one unit without a noun: its price
 * says it all.
 */
export function unitsAtTotal(words: Words, sold: Units & { amount: number }, currency: string): string | null {
  if (sold.quantity === 1 && sold.unitName === null) return null;
  return unitsAtPrice(words, { ...sold, unitAmount: unitAmountOf(sold) }, currency);
}

/** A price in minor units, with the tax that comes on top of it: `US$30.00 plus 19% VAT`. */
export function taxedPrice(words: Words, price: number, currency: string, tax: LineTax | null): string {
  const { terms, money, percent } = words;
  const amount = money(billedOf(price, tax), currency);
  if (price === 0 || !tax || tax.inclusive || tax.reverseCharge || tax.basisPoints === 0) return amount;
  return terms.plusRate({ amount, percent: percent(tax.basisPoints), tax: tax.name });
}

/** A tax rate, to stand beside its amount. */
export function taxLabel({ terms, percent }: Words, { name: tax, basisPoints, inclusive }: TaxRate): string {
  return (inclusive ? terms.rateIncluded : terms.rate)({ tax, percent: percent(basisPoints) });
}

/** The note on reverse charge, and on prices that contained the tax; null without reverse charge. */
export function taxNote({ terms }: Words, taxes: readonly (LineTax | null)[]): string | null {
  if (taxes.some((tax) => tax?.takenOut)) return terms.reverseChargeBare;
  return taxes.some((tax) => tax?.reverseCharge) ? terms.reverseCharge : null;
}

/**
 * A Benefit as its buyer reads it: a feature with a number or a text has the value, unless the name says it.
 * `quantity`: the units that would be bought (rule B5); the properties of a grant have the value of all units already.
 */
export function benefitName(
  words: Words,
  { name, properties }: { name: string; properties: object },
  quantity = 1,
): string {
  const value = "value" in properties ? valueOf(properties as FeatureProperties, quantity) : true;
  if (typeof value !== "number" && typeof value !== "string") return name;
  const shown = typeof value === "number" ? new Intl.NumberFormat(words.locale).format(value) : value;
  const isSaid = name.includes(shown) || name.includes(String(value));
  return isSaid ? name : words.deliverables.valued({ benefit: name, value: shown });
}

/** `US$5.00 off` */
export function amountOff(words: Words, { type, basisPoints, amount, currency }: HeldDiscount): string {
  const off = type === "percentage" ? words.percent(basisPoints!) : words.money(amount!, currency!);
  return words.terms.off({ amount: off });
}

/** The reduction by a discount and its duration. */
export function discountOff(words: Words, held: HeldDiscount, recurring: boolean): string {
  const { type, basisPoints, amount: fixed, currency, duration, months } = held;
  if (!recurring || duration === "forever") return amountOff(words, held);
  const amount = type === "percentage" ? words.percent(basisPoints!) : words.money(fixed!, currency!);
  return duration === "once" ? words.terms.offFirst({ amount }) : words.terms.offMonths({ amount, months: months! });
}

/** `for 3 of 12 months`, or `until 14 March 2026` if the part or the whole is not a number of full months in `zone`. */
export function partOf({ terms, day }: Words, part: CoveredPart, zone: string): string {
  const months = monthsOfPart(part, zone);
  return months ? terms.partMonths(months) : terms.partUntil({ day: day(part.until, zone) });
}

/** `Discount SPRING, for 3 of 12 months`. `part`: the covered part of the period; null: all of it. */
export function discountLabel(words: Words, code: string, part: CoveredPart | null, zone: string): string {
  const { discount, discountPart } = words.terms;
  return part ? discountPart({ code, part: partOf(words, part, zone) }) : discount({ code }).trim();
}
