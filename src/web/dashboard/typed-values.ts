import { addDays, beginOfDay, parseDate, type Instant } from "../../domain/calendar.ts";
import { exponentOf } from "../../domain/currency.ts";
import { MAX_AMOUNT, type Amount } from "../../domain/money.ts";
import { refusedField, typed, type Sent } from "./sent-form.ts";

const AMOUNT = /^(\d{1,12})(?:[.,](\d{1,4}))?$/;

/** An amount that was typed in major units, such as `50.00`, as minor units: 0 or more. Empty: null. */
export function readAmount(given: string, currency: string): { amount: Amount | null } | { fault: string } {
  const text = given.trim();
  if (text === "") return { amount: null };
  const [, whole, decimals = ""] = AMOUNT.exec(text) ?? [];
  const exponent = exponentOf(currency);
  if (whole === undefined) return { fault: "Enter an amount such as 50.00, without a currency." };
  if (decimals.length > exponent) {
    const most = exponent === 0 ? "no decimals" : `at most ${exponent} decimals`;
    return { fault: `An amount in ${currency.toUpperCase()} has ${most}.` };
  }
  const amount = Number(whole + decimals.padEnd(exponent, "0"));
  return amount > MAX_AMOUNT ? { fault: "Enter a smaller amount." } : { amount };
}

/** The amount of the field `amount`, in minor units: 0 or more. Empty: null. @throws AppError 422 */
export function typedAmount(sent: Pick<Sent, "fields">, currency: string): Amount | null {
  const read = readAmount(typed(sent, "amount"), currency);
  if ("fault" in read) throw refusedField("amount", "invalid_amount", read.fault);
  return read.amount;
}

/** As `typedAmount`, for an amount above 0. @throws AppError 422 */
export function typedPositiveAmount(sent: Pick<Sent, "fields">, currency: string): Amount | null {
  const amount = typedAmount(sent, currency);
  if (amount === 0) throw refusedField("amount", "required", "Enter an amount above 0.");
  return amount;
}

/**
 * The first instant of the typed day in the Organization's zone. `daysLater`: of a later day. Empty: null.
 * @throws AppError 422
 */
export function typedDay(sent: Pick<Sent, "fields" | "request">, name: string, daysLater = 0): Instant | null {
  const text = typed(sent, name);
  if (text === "") return null;
  const date = parseDate(text);
  if (date === null) throw refusedField(name, "invalid_date", "Enter a day such as 2026-10-31.");
  return beginOfDay(addDays(date, daysLater), sent.request.organization.timeZone);
}
