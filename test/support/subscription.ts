import fc from "fast-check";
import { instant, parseInstant, type Instant, type Interval } from "../../src/domain/calendar.ts";
import { startPeriods, trialPeriod } from "../../src/domain/model/period.ts";
import { planRenewal } from "../../src/domain/model/renewal.ts";
import { NO_CANCELLATION, NO_DUNNING, withDerived, type Subscription } from "../../src/domain/model/subscription.ts";

/** An RFC 3339 instant, or a date, which means midnight UTC. */
export function at(text: string): Instant {
  const parsed = parseInstant(text.includes("T") ? text : `${text}T00:00:00Z`);
  if (parsed === null) throw new RangeError(`${text} is not an instant`);
  return parsed;
}

/** An active, paid month at 10.00 from 1 June 2025, unless `others` say something else. */
export function subscriptionWith(others: Partial<Subscription> = {}): Subscription {
  const { interval = "month", intervalCount = 1, currentPeriodStart: start = at("2025-06-01"), amount = 1000 } = others;
  return withDerived({
    organizationId: "org_1",
    id: "sub_1",
    status: "active",
    customerId: "cus_1",
    productId: "prd_current",
    checkoutId: "chk_1",
    groupKey: "plans",
    currency: "usd",
    amount,
    quantity: 1,
    ...startPeriods(start, "UTC", { interval, intervalCount }),
    periodNumber: 1,
    paidRate: amount,
    paidTax: null,
    discount: null,
    pendingDiscount: null,
    pastDiscounts: [],
    trialStart: null,
    trialEnd: null,
    ...NO_CANCELLATION,
    ...NO_DUNNING,
    endedAt: null,
    pendingChange: null,
    pause: null,
    pausesBegun: [],
    priceChange: null,
    ownPrice: null,
    imported: null,
    fieldAnswers: null,
    changeId: null,
    claimed: true,
    cardMissing: false,
    trialCovered: false,
    paymentMethodId: null,
    billing: null,
    accessEndsAt: null,
    noticedUntil: null,
    cardRequestAt: null,
    metadata: {},
    startedAt: start,
    dueAt: null,
    simulated: true,
    version: 1,
    eventSequence: 1,
    createdAt: start,
    updatedAt: start,
    ...others,
  });
}

/** The Subscription from `subscriptionWith`, in a trial of 14 days from 1 June 2025. */
export function trialWith(others: Partial<Subscription> = {}): Subscription {
  const trial = trialPeriod(at("2025-06-01"), "UTC", 14, { interval: "month", intervalCount: 1 });
  return subscriptionWith({ ...trial, status: "trialing", paidRate: 0, ...others });
}

/**
 * The Subscription from `subscriptionWith`, past due since it began. Its retries are after 3, 7, 14 and 21 days, and
 * its grace is 7 days.
 */
export function pastDueWith(others: Partial<Subscription> = {}): Subscription {
  const since = { firstFailedAt: at("2025-06-01"), nextRetryAt: at("2025-06-04"), graceEndsAt: at("2025-06-08") };
  return subscriptionWith({ status: "past_due", retryDays: [3, 7, 14, 21], ...since, ...others });
}

/** The columns of a cancellation that was planned on 2 June 2025 for `cancelAt`. */
export const planned = (cancelAt: string, why: Partial<Subscription> = {}): Partial<Subscription> => ({
  cancelAtPeriodEnd: true,
  cancelAt: at(cancelAt),
  canceledAt: at("2025-06-02"),
  ...why,
});

/** The Subscription from `subscriptionWith`, canceled at once on 10 June 2025. */
export const canceled = subscriptionWith({
  status: "canceled",
  endedAt: at("2025-06-10"),
  canceledAt: at("2025-06-10"),
});

/** The next period of a Subscription, without tax. */
export function renew(subscription: Subscription, productName: string, timeZone: string) {
  return planRenewal(subscription, { productName, unitName: null, timeZone, tax: null });
}

export const anyInstant = fc.integer({ min: at("2012-01-01"), max: at("2060-01-01") }).map(instant);
/** Zones that gain and lose an hour or half an hour, on both hemispheres. */
export const anyZone = fc.constantFrom(
  "UTC",
  "America/New_York",
  "Europe/Warsaw",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
);
export const anyPeriod = fc.record({
  interval: fc.constantFrom<Interval>("day", "week", "month", "year"),
  intervalCount: fc.integer({ min: 1, max: 12 }),
});
