import { addCalendar, boundary, formatDate, type Instant } from "../../domain/calendar.ts";
import { cardNeed, dueToday, type Checkout } from "../../domain/checkout.ts";
import { formatMoney } from "../../domain/currency.ts";
import { periodOf } from "../../domain/product.ts";

/** What a Checkout costs, in words. */
export type Terms = {
  /** What stands out: the price, or that there is none for now. */
  headline: string;
  beside: string;
  today: string;
  /** What follows on today; null for a purchase without a sequel. */
  later: string | null;
  /** What the buyer allows by giving a card that will be charged again. */
  consent: string | null;
};

/** Plain English that is the same everywhere: `US$10.00`, since a `$` alone could be a dozen currencies. */
export function money(amount: number, currency: string): string {
  return formatMoney(amount, currency, "en-GB");
}

export function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}

function rhythmOf({ interval, intervalCount }: Pick<Checkout, "interval" | "intervalCount">): string {
  if (interval === null || intervalCount === null) return "one payment";
  return intervalCount === 1 ? `every ${interval}` : `every ${intervalCount} ${interval}s`;
}

/** When the card is charged next, if the purchase is made `at` this instant. */
function nextCharge(checkout: Checkout, zone: string, at: Instant): Instant | null {
  const period = periodOf(checkout);
  if (!period) return null;
  return checkout.trialDays === null ? boundary(at, zone, period, 1) : addCalendar(at, zone, `P${checkout.trialDays}D`);
}

/** In words of the day `at`. @throws RangeError for an unknown zone, or a date beyond the year 9999. */
export function termsOf(checkout: Checkout, zone: string, at: Instant, merchant: string): Terms {
  const { amount, currency, trialDays } = checkout;
  const price = money(amount, currency);
  const regular = `${price} ${rhythmOf(checkout)}`;
  const next = nextCharge(checkout, zone, at);
  const today = money(dueToday(checkout), currency);
  if (amount === 0) return { headline: "Free", beside: "", today, later: "There is nothing to pay, now or later.", consent: null };
  if (next === null) return { headline: price, beside: rhythmOf(checkout), today, later: null, consent: null };
  const from = `${regular} from ${formatDate(next, zone)}, until you cancel.`;
  const allowed = `you allow ${merchant} to charge your card ${from}`;
  const consent = cardNeed(checkout) === "optional" ? `If you give a card, ${allowed}` : `By confirming, ${allowed}`;
  if (trialDays === null) return { headline: price, beside: rhythmOf(checkout), today, later: `Then ${from}`, consent };
  const free = `${days(trialDays)} free`;
  return { headline: free, beside: `then ${regular}`, today, later: `${free}, then ${from}`, consent };
}
