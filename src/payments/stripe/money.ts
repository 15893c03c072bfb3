import { CURRENCIES } from "../../domain/currency.ts";
import { MAX_AMOUNT, type Amount } from "../../domain/money.ts";
import { limitsWith, roundedDown } from "../../domain/model/charge-limits.ts";
import type { AmountLimits } from "../connectable-provider.ts";

// Stripe's currencies of charges, as far as ISO 4217 still lists them.
const TAKEN: ReadonlySet<string> = new Set(
  `aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc
   cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy
   kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio
   nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd szl thb tjs tnd
   top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xcg xof xpf yer zar zmw`.split(/\s+/),
);

/** Stripe counts these in hundredths, though ISO 4217 gives them no decimals. Stripe takes whole units only. */
const IN_HUNDREDTHS: ReadonlySet<string> = new Set(["isk", "ugx"]);
/** Stripe counts this currency in whole units, though ISO 4217 gives it two decimals. */
const IN_WHOLE_UNITS: ReadonlySet<string> = new Set(["mga"]);
/** The networks take two of the three decimals, so the last digit is 0. */
const TEN_AT_A_TIME: ReadonlySet<string> = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);

const HUNDRED = 100;
/**
 * Stripe's largest amount of a card payment has twelve digits. Some cards take less: nine digits for American Express.
 * Stripe then refuses the charge as too large.
 */
const MOST = 999_999_999_999;

const stepOf = (currency: string): Amount =>
  IN_WHOLE_UNITS.has(currency) ? HUNDRED : TEN_AT_A_TIME.has(currency) ? 10 : 1;

/**
 * An amount in ISO 4217 minor units, in Stripe's unit.
 * @throws RangeError for an amount that Stripe's unit can't express, such as half an ariary.
 */
export function toStripe(amount: Amount, currency: string): number {
  if (amount % stepOf(currency) !== 0) throw new RangeError(`${amount} ${currency} is finer than Stripe's amounts`);
  if (IN_HUNDREDTHS.has(currency)) return amount * HUNDRED;
  return IN_WHOLE_UNITS.has(currency) ? amount / HUNDRED : amount;
}

/** An amount in Stripe's unit, in ISO 4217 minor units; rounded, though Stripe has no such fractions. */
export function fromStripe(amount: number, currency: string): Amount {
  if (IN_HUNDREDTHS.has(currency)) return Math.round(amount / HUNDRED);
  return IN_WHOLE_UNITS.has(currency) ? amount * HUNDRED : amount;
}

/** As `fromStripe` for a balance, which is no charge: the part of it in whole minor units, towards 0. */
export function balanceFromStripe(amount: number, currency: string): Amount {
  return IN_HUNDREDTHS.has(currency) ? Math.trunc(amount / HUNDRED) : fromStripe(amount, currency);
}

/** The other way round. A balance may be finer than a charge: it knows no step, and may be below zero. */
export function balanceToStripe(amount: Amount, currency: string): number {
  if (IN_HUNDREDTHS.has(currency)) return amount * HUNDRED;
  return IN_WHOLE_UNITS.has(currency) ? Math.trunc(amount / HUNDRED) : amount;
}

/**
 * The amounts that Stripe takes in a currency; null: Stripe does not take the currency. Stripe's real minimum is that
 * of the account's own currency after a conversion, so a charge above `least` may still be refused.
 */
export function amountsOf(currency: string): AmountLimits | null {
  if (!TAKEN.has(currency) || !CURRENCIES.has(currency)) return null;
  const step = stepOf(currency);
  const most = IN_HUNDREDTHS.has(currency) ? Math.floor(MOST / HUNDRED) : fromStripe(MOST, currency);
  return { ...limitsWith(currency, step), most: roundedDown(Math.min(most, MAX_AMOUNT), step) };
}
