import type { CustomerBilling } from "../billing/customer-billing.ts";
import { LAST_CLOCK, type Instant, type Period } from "../calendar.ts";
import { requireAmount, type NamedProduct } from "../model/checkout-sale.ts";
import type { FirstPeriod } from "../model/new-subscription.ts";
import { periodAt, startPeriods } from "../model/period.ts";
import { periodOf, type Metadata, type Product } from "../model/product.ts";
import { Refusal } from "../refusal.ts";

/**
 * A Subscription that an operator asks for. `startedAt` not null: the Subscription began elsewhere, and its period in
 * progress is not billed.
 */
export type AskedSubscription = NamedProduct & {
  /** The total of a period; null: the catalogue's price of all units (rule Q8). */
  amount: number | null;
  startedAt: Instant | null;
  anchorAt: Instant | null;
  trialEnd: Instant | null;
  metadata: Metadata;
};

export function requirePeriod(product: Product, { productId }: NamedProduct): Period {
  const period = periodOf(product);
  if (period) return period;
  throw new Refusal("product_not_recurring", { field: productId === null ? "/productKey" : "/productId" });
}

/**
 * The total of a period that an operator asks for (rule Q8).
 * @throws Refusal 422 for a total below the minimum charge, or one that is not a whole price times the quantity
 */
export function requireWholeUnits(amount: number, quantity: number, currency: string): number {
  if (amount % quantity !== 0) throw new Refusal("amount_not_divisible", { field: "/amount", quantity });
  return requireAmount(amount, currency, "/amount");
}

/** The trial, the period in progress of a Subscription that began elsewhere, or a period that begins now. */
export function firstPeriod(
  { now, organization }: Pick<CustomerBilling, "now" | "organization">,
  asked: AskedSubscription,
  period: Period,
): FirstPeriod {
  const { startedAt, anchorAt, trialEnd } = asked;
  const { timeZone } = organization;
  const requirePast = (at: Instant | null, field: "/startedAt" | "/anchorAt") => {
    if (at !== null && at > now) throw new Refusal("begins_in_the_future", { field, now });
  };
  requirePast(startedAt, "/startedAt");
  requirePast(anchorAt, "/anchorAt");
  if (trialEnd === null) {
    return startedAt === null
      ? startPeriods(now, timeZone, period)
      : periodAt(anchorAt ?? startedAt, timeZone, period, now);
  }
  if (trialEnd <= now) throw new Refusal("trial_ends_in_the_past", { field: "/trialEnd", now });
  if (trialEnd > LAST_CLOCK) throw new Refusal("trial_too_long", { field: "/trialEnd", latest: LAST_CLOCK });
  const trialStart = startedAt ?? now;
  const span = { currentPeriodStart: trialStart, currentPeriodEnd: trialEnd };
  return { ...period, ...span, anchorAt: trialEnd, anchorTimeZone: timeZone, anchorIndex: 0, trialStart, trialEnd };
}
