import { STATEMENT_PREFIX } from "./book.ts";
import { invalid } from "./errors.ts";

const CURRENCIES = new Set(
  (
    "usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf " +
    "clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils " +
    "inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk " +
    "mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp " +
    "sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw"
  ).split(" "),
);

/** The least charges that Stripe documents; other currencies have the value of 0.50 US dollars, which moves daily. */
const LEAST: Record<string, number> = Object.fromEntries(
  (
    "usd 50 aed 200 aud 50 bgn 100 brl 50 cad 50 chf 50 czk 1500 dkk 250 eur 50 gbp 30 hkd 400 huf 17500 inr 50 " +
    "jpy 50 mxn 1000 myr 200 nok 300 nzd 50 pln 200 ron 200 sek 300 sgd 50 thb 1000"
  )
    .match(/\w+ \d+/g)!
    .map((each) => [each.slice(0, 3), Number(each.slice(4))]),
);

/** Amounts of these currencies are multiples of the step in Stripe's unit. */
const STEPS: Record<string, number> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 };

/** The digits of the largest amount, by the brand of the card. */
const DIGITS = { visa: 12, mastercard: 12, amex: 9 };

export const stepOf = (currency: string): number => STEPS[currency] ?? 1;
export const leastOf = (currency: string): number => LEAST[currency] ?? 1;

/** Throws 400 for an amount between two steps of its currency. */
export function checkStep(amount: number, currency: string): void {
  if (amount % stepOf(currency) === 0) return;
  const message = `Invalid amount: amounts in ${currency} must be a multiple of ${STEPS[currency]}.`;
  throw invalid(message, { code: "parameter_invalid_integer", param: "amount" });
}

/** Throws 400 for an amount or a currency that can't be charged. */
export function checkAmount(amount: number, currency: string): void {
  if (!CURRENCIES.has(currency)) {
    const supported = [...CURRENCIES].join(", ");
    throw invalid(`Invalid currency: ${currency}. Stripe currently supports these currencies: ${supported}`, {
      param: "currency",
    });
  }
  if (amount < 1) {
    const message = "This value must be greater than or equal to 1.";
    throw invalid(message, { code: "parameter_invalid_integer", param: "amount" });
  }
  checkStep(amount, currency);
  const least = leastOf(currency);
  if (amount < least) {
    const message = `Amount must be at least ${least} ${currency}`;
    throw invalid(message, { code: "amount_too_small", param: "amount" });
  }
  checkDigits(amount, "visa");
}

/** Throws 400 for an amount that no card of this brand takes. */
export function checkDigits(amount: number, brand: keyof typeof DIGITS): void {
  if (String(amount).length <= DIGITS[brand]) return;
  const message = `Amount must have no more than ${DIGITS[brand]} digits.`;
  throw invalid(message, { code: "amount_too_large", param: "amount" });
}

/** Throws 400 for a descriptor or a suffix that card statements can't show. A prefix and a suffix have 22 characters. */
export function checkStatement(descriptor: string | null | undefined, suffix: string | null | undefined): void {
  if (typeof descriptor === "string") {
    const message =
      "The `statement_descriptor` parameter is not supported for card charges. Use `statement_descriptor_suffix` " +
      "instead.";
    throw invalid(message, { param: "statement_descriptor" });
  }
  if (typeof suffix !== "string") return;
  const param = "statement_descriptor_suffix";
  if (/[<>\\'"*]/.test(suffix)) {
    throw invalid("The statement descriptor suffix must not contain any of: <>\\'\"*", { param });
  }
  if (!/[a-z]/i.test(suffix)) {
    throw invalid("The statement descriptor suffix must contain at least one alphabetic character.", { param });
  }
  if (/[^\x20-\x7e]/.test(suffix))
    throw invalid("The statement descriptor suffix must be Latin characters.", { param });
  const room = 22 - `${STATEMENT_PREFIX}* `.length;
  if (suffix.length <= room) return;
  throw invalid(`The statement descriptor suffix must be at most ${room} characters long.`, { param });
}
