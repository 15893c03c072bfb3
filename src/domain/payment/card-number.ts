const CARD_NUMBER = /^\d{12,19}$/;
/** Some numbers of UnionPay have no check digit. */
const UNION_PAY = /^62/;
const AMERICAN_EXPRESS = /^3[47]/;

/** Whether the last digit is the check digit of the others (ISO/IEC 7812-1, the Luhn formula). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let n = 0; n < digits.length; n += 1) {
    const digit = Number(digits[digits.length - 1 - n]);
    const doubled = n % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The fault of a card number without spaces: too few or too many digits, or a wrong digit; null: no fault. */
export function cardNumberFault(digits: string): "incomplete" | "wrong" | null {
  if (!CARD_NUMBER.test(digits)) return "incomplete";
  return UNION_PAY.test(digits) || hasCheckDigit(digits) ? null : "wrong";
}

/** The number of digits in the security code of a card; null: the number does not tell. */
export function cvcLength(digits: string): 3 | 4 | null {
  if (AMERICAN_EXPRESS.test(digits)) return 4;
  return /^\d/.test(digits) ? 3 : null;
}

/**
 * The earliest month in which a card may end, as year and month: 202612. A card is valid until its month ends at
 * UTC−12, the last time zone. `now`: epoch milliseconds of real time.
 */
export function earliestExpiry(now: number): number {
  const there = new Date(now - 12 * 3_600_000);
  return there.getUTCFullYear() * 100 + there.getUTCMonth() + 1;
}
