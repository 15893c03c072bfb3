import { addCalendar, boundary, formatDate, type Instant } from "../../domain/calendar.ts";
import { cardNeed, dueToday, type Checkout } from "../../domain/checkout.ts";
import { formatMoney } from "../../domain/currency.ts";
import { periodOf } from "../../domain/product.ts";

/** What a Checkout costs, in words. `later`: what follows on today; null for a purchase without a sequel. */
export type Terms = {
  price: string;
  rhythm: string;
  today: string;
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
  if (interval === null || intervalCount === null) return "once";
  return intervalCount === 1 ? `every ${interval}` : `every ${intervalCount} ${interval}s`;
}

/** When the card is charged next, if the purchase is made `at` this instant. */
function nextCharge(checkout: Checkout, zone: string, at: Instant): Instant | null {
  const period = periodOf(checkout);
  if (!period) return null;
  return checkout.trialDays === null ? boundary(at, zone, period, 1) : addCalendar(at, zone, `P${checkout.trialDays}D`);
}

/** @throws RangeError for an unknown zone, or a date beyond the year 9999. */
export function termsOf(checkout: Checkout, zone: string, at: Instant, merchant: string): Terms {
  const price = money(checkout.amount, checkout.currency);
  const rhythm = rhythmOf(checkout);
  const today = money(dueToday(checkout), checkout.currency);
  const next = nextCharge(checkout, zone, at);
  if (next === null || checkout.amount === 0) return { price, rhythm, today, later: null, consent: null };
  const from = `${price} ${rhythm} from ${formatDate(next, zone)}`;
  const later = checkout.trialDays === null ? `Then ${from}, until you cancel.` : `${days(checkout.trialDays)} free, then ${from}, until you cancel.`;
  const needsCard = cardNeed(checkout) !== "none";
  const consent = `You allow ${merchant} to charge your card ${from}, until you cancel.`;
  return { price, rhythm, today, later, consent: needsCard ? consent : null };
}
