import { DAY, instant, type Instant } from "../calendar.ts";

/** The ages of an open invoice in whole days since its creation: the last day of each span (rule R10c). */
const LAST_DAYS = [30, 60, 90] as const;

/** `until` null: the span has no end. */
export type Age = { from: number; until: number | null };

/** The spans, from the newest to the oldest invoices. */
export const AGES: readonly Age[] = [
  ...LAST_DAYS.map((until, n) => ({ from: n === 0 ? 0 : LAST_DAYS[n - 1]! + 1, until })),
  { from: LAST_DAYS.at(-1)! + 1, until: null },
];

/**
 * The first creation of each span but the oldest one, in the order of time. An invoice has the age of 31 days from
 * exactly 31 × 24 hours after its creation on.
 */
export const beginsOfAges = (at: Instant): Instant[] =>
  LAST_DAYS.map((days) => instant(at - (days + 1) * DAY + 1)).toReversed();

/** The amounts of open invoices with one age. */
export type Receivable = { currency: string; age: Age; amount: number; invoices: number };

/** The counts of the store, by the number of begins that are not after the creation. */
export type CountedReceivable = { currency: string; begins: number; amount: number; invoices: number };

/** The receivables of one currency, with every age. */
export type CurrencyReceivables = { currency: string; amount: number; invoices: number; ages: Receivable[] };

/** The receivables by currency and age, in the order of the currencies. */
export function receivablesBy(counted: readonly CountedReceivable[]): CurrencyReceivables[] {
  const currencies = [...new Set(counted.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const ages = AGES.map((age, n): Receivable => {
      const found = counted.find((each) => each.currency === currency && each.begins === LAST_DAYS.length - n);
      return { currency, age, amount: found?.amount ?? 0, invoices: found?.invoices ?? 0 };
    });
    return {
      currency,
      amount: ages.reduce((sum, each) => sum + each.amount, 0),
      invoices: ages.reduce((sum, each) => sum + each.invoices, 0),
      ages,
    };
  });
}
