import fc from "fast-check";
import { expect, test } from "vitest";
import { currentTarget, facts, other } from "../../../test/support/change.ts";
import { lineWith } from "../../../test/support/customer-billing.ts";
import { anyTerms } from "../../../test/support/discount.ts";
import { at, subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import { DAY, instant, type Instant, type Interval } from "../calendar.ts";
import { mrrOf } from "../metrics/mrr.ts";
import type { LineTax } from "../tax/tax.ts";
import { chargedPart } from "./charge-limits.ts";
import { beginDiscount, type HeldDiscount } from "./discount.ts";
import { fullLine, totalsOf, type InvoiceLine, type LineDraft } from "./invoice.ts";
import { planChange } from "./plan-change.ts";
import { schedulePrice, withNewPrice } from "./price-change.ts";
import { PRORATION_BEHAVIORS } from "./proration.ts";
import { unitAmountOf } from "./quantity.ts";
import { planRenewal } from "./renewal.ts";
import { nextStatus, withDerived, type Subscription } from "./subscription.ts";
import { linesAtCancellation } from "./waiting-line.ts";

// One life of a Subscription, lived twice: with n units of a price, and with one unit of n × the price (rule Q4).

const ZONE = "Europe/Warsaw";
const rate = { country: "DE", region: null, basisPoints: 1900, name: "VAT", inclusive: false, reverseCharge: false };
const anyTax = fc.constantFrom<LineTax | null>(
  null,
  rate,
  { ...rate, inclusive: true },
  { ...rate, reverseCharge: true },
  { ...rate, takenOut: true },
);
const anyDiscount = fc
  .record({
    terms: fc.option(anyTerms({}), { nil: null }),
    duration: fc.constantFrom<HeldDiscount["duration"]>("once", "repeating", "forever"),
    months: fc.integer({ min: 1, max: 5 }),
    productIds: fc.constantFrom<string[] | null>(null, ["prd_current"], ["prd_other"]),
  })
  .map(({ terms, duration, months, productIds }): HeldDiscount | null =>
    terms === null ? null : { ...terms, duration, months: duration === "repeating" ? months : null, productIds },
  );
/** Minimum charges and steps of providers (rule M5). */
const anyLimits = fc.constantFrom({ least: 50, step: 1 }, { least: 500, step: 10 }, { least: 17_500, step: 100 });

const anyStep = fc.oneof(
  fc.record({
    do: fc.constant("change" as const),
    isOther: fc.boolean(),
    unitAmount: fc.integer({ min: 1, max: 200_000 }),
    quantity: fc.integer({ min: 1, max: 50 }),
    interval: fc.constantFrom<Interval>("month", "month", "month", "year", "week"),
    behavior: fc.constantFrom(...PRORATION_BEHAVIORS),
    /** The part of the rest of the period that passes first. */
    after: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ do: fc.constant("renew" as const), tax: anyTax }),
  fc.record({ do: fc.constant("reprice" as const), tax: anyTax, unitAmount: fc.integer({ min: 1, max: 200_000 }) }),
  fc.record({ do: fc.constant("pause" as const), days: fc.integer({ min: 1, max: 70 }), tax: anyTax }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** A life up to now: `bills` holds the amounts of each invoice. */
type Life = {
  subscription: Subscription;
  waiting: LineDraft[];
  balance: number;
  bills: { lines: readonly object[]; totals: object }[];
  now: Instant;
};
type Terms = { tax: LineTax | null; limits: { least: number; step: number } };
type Counting = { as(unitAmount: number, quantity: number): { amount: number; quantity: number } };

const MANY: Counting = { as: (unitAmount, quantity) => ({ amount: unitAmount * quantity, quantity }) };
const ONE: Counting = { as: (unitAmount, quantity) => ({ amount: unitAmount * quantity, quantity: 1 }) };

/** A line without the values that show its quantity: its texts and their basis. */
const amountsOf = ({ description: _text, basis: _basis, ...line }: LineDraft | InvoiceLine) => line;

function bill(life: Life, lines: readonly LineDraft[], { limits }: Terms): Life {
  const all = [...life.waiting, ...lines];
  if (all.length === 0) return life;
  const totals = totalsOf(all, life.balance, limits);
  expect(totals.amountDue).toBe(chargedPart(totals.amountDue, limits));
  const bills = [...life.bills, { lines: all.map(amountsOf), totals }];
  return { ...life, waiting: [], balance: life.balance - totals.balanceApplied, bills };
}

function renewed(life: Life, begins: Instant, terms: Terms): Life {
  const named = { productName: "Present", unitName: null, timeZone: ZONE, tax: terms.tax };
  const { subscription, line } = planRenewal(life.subscription, named, begins);
  return bill({ ...life, subscription: withDerived(subscription), now: begins }, [line], terms);
}

function changed(life: Life, step: Extract<Step, { do: "change" }>, counting: Counting, terms: Terms): Life {
  const { subscription } = life;
  const now = instant(life.now + Math.floor((subscription.currentPeriodEnd - life.now) * step.after));
  const { isOther, unitAmount, quantity, interval, behavior } = step;
  const target = isOther ? other(0, interval) : { ...currentTarget(0), interval: subscription.interval };
  const asked = facts({ ...target, ...counting.as(unitAmount, quantity) }, behavior, now, {
    tax: terms.tax,
    timeZone: ZONE,
  });
  const plan = planChange(subscription, asked);
  if (!("set" in plan)) return { ...life, now };
  const after = { ...life, now, subscription: withDerived({ ...subscription, ...plan.set }) };
  if (plan.bill === "now") return bill(after, plan.lines, terms);
  return { ...after, waiting: [...after.waiting, ...plan.lines] };
}

/** A new price waits, and begins with the next period (rule N5). `quantity`: the units that are sold. */
function repriced(life: Life, unitAmount: number, quantity: number, counting: Counting): Life {
  const { amount, quantity: units } = counting.as(unitAmount, quantity);
  const { subscription, now } = life;
  const round = { id: "pch_1", noticeDays: 0, consent: "notice" } as const;
  const priceChange = schedulePrice(subscription, round, amount / units, { now, timeZone: ZONE });
  const moved = withNewPrice({ ...subscription, priceChange }, subscription.currentPeriodEnd);
  return { ...life, subscription: withDerived(moved) };
}

function lived(life: Life, step: Step, quantity: number, counting: Counting, terms: Terms): Life {
  const { subscription } = life;
  const { currentPeriodEnd: end, status } = subscription;
  if (step.do === "change") return changed(life, step, counting, terms);
  if (step.do === "reprice")
    return renewed(repriced(life, step.unitAmount, quantity, counting), end, { ...terms, tax: step.tax });
  if (step.do === "renew") return renewed(life, end, { ...terms, tax: step.tax });
  const pause = { resumesAt: null, access: "keep" } as const;
  const paused = { ...subscription, pause, status: nextStatus(status, "paused") };
  return renewed({ ...life, subscription: paused }, instant(end + step.days * DAY), { ...terms, tax: step.tax });
}

type Sale = { unitAmount: number; quantity: number; held: HeldDiscount | null; isTrial: boolean; balance: number };

/** The sale of the first period, or the trial before it. */
function sold({ unitAmount, quantity, held, isTrial, balance }: Sale, counting: Counting, terms: Terms): Life {
  const [start, units] = [at("2025-06-01"), counting.as(unitAmount, quantity)];
  const life = { waiting: [], balance, bills: [], now: start };
  if (isTrial) return { ...life, subscription: trialWith({ ...units, discount: held }) };
  const discount = beginDiscount(held, start, ZONE);
  const product = { id: "prd_current", name: "Present", currency: "usd", unitName: null, price: units.amount };
  const span = { start, end: at("2025-07-01") };
  const line = fullLine({ ...product, ...units }, span, { discount, tax: terms.tax });
  const paidRate = line.amount - line.discountAmount;
  const subscription = subscriptionWith({ ...units, paidRate, paidTax: terms.tax, discount });
  return bill({ ...life, subscription }, [line], terms);
}

/** Everything about a life but its quantities. */
function comparable({ subscription, waiting, now, ...life }: Life) {
  const { pendingChange, quantity: _units, ...others } = subscription;
  const pending = pendingChange && { ...pendingChange, quantity: 1 };
  const rows = waiting.map((line) => lineWith({ ...line, invoiceId: null }));
  const { billed, dropped } = linesAtCancellation(rows, now);
  const ended = { billed: billed.map(amountsOf), dropped: dropped.map(amountsOf) };
  const mrr = mrrOf(subscription, subscription.discount);
  return { ...life, now, pending, others, waiting: waiting.map(amountsOf), ended, mrr };
}

/**
 * Whether an equal total with another quantity would be the same change with one unit, and not with several. A new
 * price × two quantities, the present and the pending one, has no single price of one unit.
 */
function isAmbiguous({ subscription }: Life, step: Step): boolean {
  if (step.do === "reprice") return subscription.pendingChange !== null;
  if (step.do !== "change") return false;
  const { pendingChange } = subscription;
  const total = step.unitAmount * step.quantity;
  return [subscription, ...(pendingChange ? [pendingChange] : [])].some(({ amount }) => amount === total);
}

test("n units equal one unit of n × the price, through sales, changes, new prices, renewals and pauses", () => {
  const anySale = fc.record({
    unitAmount: fc.integer({ min: 1, max: 200_000 }),
    quantity: fc.integer({ min: 1, max: 50 }),
    held: anyDiscount,
    isTrial: fc.boolean(),
    balance: fc.integer({ min: -2000, max: 20_000 }),
  });
  const anyConditions = fc.record({ tax: anyTax, limits: anyLimits });
  fc.assert(
    fc.property(anySale, anyConditions, fc.array(anyStep, { minLength: 1, maxLength: 12 }), (sale, terms, steps) => {
      let [many, one] = [sold(sale, MANY, terms), sold(sale, ONE, terms)];
      for (const step of steps) {
        if (isAmbiguous(many, step)) continue;
        const { quantity } = many.subscription;
        [many, one] = [lived(many, step, quantity, MANY, terms), lived(one, step, quantity, ONE, terms)];
        expect(comparable(many)).toEqual(comparable(one));
        const { subscription } = many;
        expect(unitAmountOf(subscription) * subscription.quantity).toBe(subscription.amount);
      }
    }),
    { numRuns: 1000 },
  );
});
