import fc from "fast-check";
import { paidBy } from "../../src/domain/model/credit-source.ts";
import { addDays24, DAY, instant, type Instant } from "../../src/domain/calendar.ts";
import { ONE_UNIT } from "../../src/domain/model/quantity.ts";
import { periodOf, priceIn, type Product } from "../../src/domain/model/product.ts";
import { beginDiscount, type HeldDiscount } from "../../src/domain/model/discount.ts";
import { fullLine, lineTotal, totalsOf, type Invoice, type InvoiceLine } from "../../src/domain/model/invoice.ts";
import { startPeriods } from "../../src/domain/model/period.ts";
import { withDerived, type PendingChange, type Subscription } from "../../src/domain/model/subscription.ts";
import { taxOf, type LineTax } from "../../src/domain/tax/tax.ts";
import { invoiceWith, lineWith, NOW } from "./customer-billing.ts";
import { addressIn, recurring, type Plan } from "./any-catalogue.ts";
import { anyTerms } from "./discount.ts";
import { subscriptionWith } from "./subscription.ts";

/** Ids of rows from before a decision. They sort before the ids of all rows that the decision makes. */
export const old = (prefix: string, name: string) => `${prefix}_00${name}`;

const anyDiscount = fc
  .record({
    terms: fc.option(anyTerms({}), { nil: null }),
    duration: fc.constantFrom<HeldDiscount["duration"]>("once", "repeating", "forever"),
    months: fc.integer({ min: 1, max: 14 }),
    productIds: fc.constantFrom<string[] | null>(null, ["prd_small"], ["prd_large", "prd_year"]),
    all: fc.boolean(),
  })
  .map(({ terms, duration, months, productIds, all }): HeldDiscount | null => {
    if (!terms) return null;
    const whole = all && terms.type === "percentage" ? { basisPoints: 10_000 } : {};
    return { ...terms, ...whole, duration, months: duration === "repeating" ? months : null, productIds };
  });

export const anyState = fc.record({
  status: fc.constantFrom("active", "active", "active", "trialing", "past_due"),
  plan: fc.constantFrom<Plan>("small", "small", "large", "year", "weeks", "free", "archived", "alone"),
  currency: fc.constantFrom<"usd" | "eur">("usd", "usd", "eur"),
  quantity: fc.constantFrom(1, 1, 3),
  age: fc.integer({ min: 0, max: 27 * DAY }),
  discount: anyDiscount,
  discountAge: fc.integer({ min: 0, max: 400 }),
  pending: fc.option(fc.constantFrom<Plan>(...recurring), { nil: null }),
  isEnding: fc.constantFrom(false, false, false, true),
  bill: fc.constantFrom("paid", "paid", "paid", "open", "elsewhere"),
  waited: fc.array(fc.integer({ min: -2500, max: 2500 }), { maxLength: 2 }),
  waiting: fc.array(fc.integer({ min: -2500, max: 2500 }), { maxLength: 3 }),
  isNamed: fc.constantFrom(true, true, false),
  ownCard: fc.constantFrom(null, null, null, old("pm", "2"), old("pm", "dead")),
});
export type State = (typeof anyState extends fc.Arbitrary<infer T> ? T : never) & { id: string; number: string };

/** The tax of a buyer's place. If `billing` is null, the Customer's own place counts. */
export type Tax = (subscription: Pick<Subscription, "billing">) => LineTax | null;

/** One Subscription in some state, the bill of its period in progress, and the lines that wait. */
export function holdingOf(state: State, products: readonly Product[], zone: string, tax: Tax) {
  const product = products.find(({ id }) => id === `prd_${state.plan}`)!;
  const { currency, quantity } = state;
  const amount = priceIn(product, currency)! * quantity;
  const period = periodOf(product)!;
  const start = instant(NOW - state.age);
  const begun = state.discount && state.status !== "trialing" ? instant(start - state.discountAge * DAY) : null;
  const discount = begun === null ? state.discount : beginDiscount(state.discount, begun, zone);
  const billing = state.isNamed ? null : { address: addressIn("DE"), taxId: null };
  const paidTax = state.status === "trialing" ? null : tax({ billing });
  const periods = startPeriods(start, zone, period);
  const span = { start, end: periods.currentPeriodEnd };
  const line = fullLine(
    { id: product.id, name: product.name, price: amount, currency, quantity, unitName: null },
    span,
    {
      discount,
      tax: paidTax,
    },
  );
  const trialEnd = state.status === "trialing" ? span.end : null;
  const trial = { trialStart: trialEnd && start, trialEnd, ...(trialEnd && { anchorAt: trialEnd }) };
  const target = products.find(({ id }) => id === `prd_${state.pending}`);
  const pendingChange = target ? pendingOf(target, currency, span.end) : null;
  const ending = state.isEnding ? { cancelAtPeriodEnd: true, cancelAt: span.end, canceledAt: start } : {};
  const since = {
    retryDays: [30, 40],
    firstFailedAt: start,
    nextRetryAt: addDays24(start, 30),
    graceEndsAt: addDays24(start, 35),
  };
  const sold = {
    id: state.id,
    status: state.status,
    productId: product.id,
    groupKey: product.groupKey,
    currency,
    amount,
    quantity,
  };
  const paid = { paidRate: trialEnd ? 0 : line.amount - line.discountAmount, paidTax, discount, pendingChange };
  const buyer = { claimed: state.isNamed, paymentMethodId: state.ownCard, billing };
  const dates = { startedAt: start, createdAt: start, updatedAt: start };
  const columns = { ...sold, ...periods, ...trial, ...ending, ...(state.status === "past_due" ? since : {}) };
  const subscription = subscriptionWith({ ...columns, ...paid, ...buyer, ...dates });
  const waitingWith = (price: number, name: string): InvoiceLine => {
    const draft = {
      description: `Waited ${name}`,
      amount: price,
      taxAmount: taxOf(price, paidTax),
      tax: paidTax,
      proration: true,
    };
    const ids = {
      id: old("iln", `w${state.number}${name}`),
      invoiceId: null,
      subscriptionId: state.id,
      productId: product.id,
    };
    const waits = lineWith({ ...draft, ...ids, periodStart: start, periodEnd: span.end });
    if (price >= 0) return waits;
    const sources = [{ ...paidBy(old("pay", "0")), amount: 0 - lineTotal(waits) }];
    return { ...waits, creditedLineId: old("iln", "0"), sources };
  };
  const waiting = state.waiting.filter((price) => price !== 0).map((price, n) => waitingWith(price, String(n)));
  const bill = trialEnd || state.bill === "elsewhere" ? null : billOf(state, { ...line, span }, waitingWith);
  return { subscription: withDerived(subscription), bill, waiting };
}

function pendingOf(product: Product, currency: string, effectiveAt: Instant): PendingChange {
  const { id: productId, name: productName, groupKey } = product;
  return {
    productId,
    productName,
    groupKey,
    amount: priceIn(product, currency)!,
    ...ONE_UNIT,
    ...periodOf(product)!,
    effectiveAt,
  };
}

type Billed = ReturnType<typeof fullLine> & { span: { start: Instant; end: Instant } };

function billOf(
  { id: subscriptionId, number, currency, status, bill, waited }: State,
  { span, ...draft }: Billed,
  waitingWith: (price: number, name: string) => InvoiceLine,
): { invoice: Invoice; lines: InvoiceLine[] } {
  const invoiceId = old("inv", number);
  const before = waited
    .filter((price) => price !== 0)
    .map((price, n) => ({ ...waitingWith(price, `b${n}`), invoiceId, position: n }));
  const full = lineWith({ ...draft, id: old("iln", number), invoiceId, subscriptionId, position: before.length });
  const lines = [...before, full];
  const { amountDue, ...totals } = totalsOf(lines, 0, { least: 50, step: 1 });
  const isOpen = amountDue > 0 && (bill === "open" || status === "past_due");
  const period = { periodStart: span.start, periodEnd: span.end, periodNumber: 1 };
  const row = {
    id: invoiceId,
    subscriptionId,
    currency,
    status: isOpen ? "open" : "paid",
    amountDue,
    ...totals,
    ...period,
  } as const;
  return {
    invoice: invoiceWith({ ...row, amountPaid: isOpen ? 0 : amountDue, paidAt: isOpen ? null : span.start }),
    lines,
  };
}
