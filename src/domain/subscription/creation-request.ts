import type { Account } from "../billing/customer-billing.ts";
import { formatInstant, LAST_CLOCK, type Instant, type Period } from "../calendar.ts";
import type { NamedProduct } from "../model/checkout-sale.ts";
import { minimumCharge } from "../currency.ts";
import type { FirstPeriod } from "../model/new-subscription.ts";
import { periodAt, startPeriods } from "../model/period.ts";
import { periodOf, type Metadata, type Product } from "../model/product.ts";
import { invalid } from "../../errors.ts";
import { oneTimeProduct } from "../model/refused-product.ts";

/**
 * A Subscription that an operator asks for. `startedAt` not null: the Subscription began elsewhere, and its period in
 * progress is not billed.
 */
export type AskedSubscription = NamedProduct & {
  amount: number | null;
  startedAt: Instant | null;
  anchorAt: Instant | null;
  trialEnd: Instant | null;
  metadata: Metadata;
};

export function requirePeriod(product: Product, { productId }: NamedProduct): Period {
  const period = periodOf(product);
  if (period) return period;
  throw oneTimeProduct(productId === null ? "/productKey" : "/productId");
}

export function requireAmount(amount: number, currency: string): number {
  const minimum = minimumCharge(currency);
  if (amount === 0 || amount >= minimum) return amount;
  throw invalid("/amount", "below_minimum", `An amount is 0 or at least ${minimum} in ${currency}.`);
}

/** The trial, the period in progress of a Subscription that began elsewhere, or a period that begins now. */
export function firstPeriod({ now, organization }: Account, asked: AskedSubscription, period: Period): FirstPeriod {
  const { startedAt, anchorAt, trialEnd } = asked;
  const { timeZone } = organization;
  const requirePast = (at: Instant | null, pointer: string) => {
    if (at !== null && at > now)
      throw invalid(pointer, "in_the_future", `This must not be later than now, ${formatInstant(now)}.`);
  };
  requirePast(startedAt, "/startedAt");
  requirePast(anchorAt, "/anchorAt");
  if (trialEnd === null) {
    return startedAt === null
      ? startPeriods(now, timeZone, period)
      : periodAt(anchorAt ?? startedAt, timeZone, period, now);
  }
  if (trialEnd <= now)
    throw invalid("/trialEnd", "in_the_past", `The end of a trial must be later than now, ${formatInstant(now)}.`);
  if (trialEnd > LAST_CLOCK) throw invalid("/trialEnd", "out_of_range", "A trial ends in the year 9900 at the latest.");
  const trialStart = startedAt ?? now;
  const span = { currentPeriodStart: trialStart, currentPeriodEnd: trialEnd };
  return { ...period, ...span, anchorAt: trialEnd, anchorTimeZone: timeZone, anchorIndex: 0, trialStart, trialEnd };
}
