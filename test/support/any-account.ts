import fc from "fast-check";
import type { Account } from "../../src/domain/account/account.ts";
import { addDays24, instant, type Instant } from "../../src/domain/calendar.ts";
import type { Checkout } from "../../src/domain/checkout/checkout.ts";
import { beginDiscount, type HeldDiscount } from "../../src/domain/discount/discount.ts";
import type { DisputeStatus } from "../../src/domain/dispute/dispute.ts";
import type { Change } from "../../src/domain/subscription/frozen-plan.ts";
import { fullLine, totalsOf, type Invoice, type InvoiceLine } from "../../src/domain/invoice/invoice.ts";
import { billingOf } from "../../src/domain/invoice/issue.ts";
import { startPeriods } from "../../src/domain/subscription/period.ts";
import { periodOf, priceIn, type Product } from "../../src/domain/catalogue/product.ts";
import type { ProrationBehavior } from "../../src/domain/subscription/proration.ts";
import { withDerived, type PendingChange, type Subscription } from "../../src/domain/subscription/subscription.ts";
import { taxFor, taxOf, type LineTax, type TaxRate } from "../../src/domain/tax/tax.ts";
import {
  type accountWith,
  benefitWith,
  cardWith,
  customerWith,
  disputeWith,
  invoiceWith,
  lineWith,
  NOW,
  organizationWith,
  paymentWith,
  productWith,
  refundWith,
} from "./account.ts";
import { anyTerms } from "./discount.ts";
import { anyZone, subscriptionWith } from "./subscription.ts";

/** The rows of an Account. Each call of `accountWith` makes the same Account of them. */
export type AnyAccount = NonNullable<Parameters<typeof accountWith>[0]> & { subscriptions: Subscription[] };

/** Ids of rows from before a decision. They sort before the ids of all rows that the decision makes. */
const old = (prefix: string, name: string) => `${prefix}_00${name}`;
export const SUBJECT = old("sub", "1");
const DAY = 86_400_000;
const CURRENCIES = ["usd", "eur"] as const;

/** The catalogue. Each Product has a price in usd and one in eur. */
const PLANS = {
  small: { groupKey: "plans", interval: "month", intervalCount: 1 },
  large: { groupKey: "plans", interval: "month", intervalCount: 1 },
  year: { groupKey: "plans", interval: "year", intervalCount: 1 },
  weeks: { groupKey: "plans", interval: "week", intervalCount: 4 },
  free: { groupKey: "plans", interval: "month", intervalCount: 1 },
  archived: { groupKey: "plans", interval: "month", intervalCount: 1, archived: true },
  taken: { groupKey: "taken", interval: "month", intervalCount: 1 },
  paying: { groupKey: "paying", interval: "month", intervalCount: 1 },
  elsewhere: { groupKey: "elsewhere", interval: "month", intervalCount: 3 },
  alone: { groupKey: null, interval: "month", intervalCount: 1 },
  once: { groupKey: null, interval: null, intervalCount: null },
} as const;
type Plan = keyof typeof PLANS;
const PLAN_NAMES = Object.keys(PLANS) as Plan[];
const recurring = PLAN_NAMES.filter((name) => name !== "once");

const anyPrice = fc.constantFrom(50, 60, 999, 1000, 1999, 30_000);
const anyCatalogue = fc
  .array(fc.tuple(anyPrice, anyPrice), { minLength: PLAN_NAMES.length, maxLength: PLAN_NAMES.length })
  .map((prices) => PLAN_NAMES.map((name, n) => planOf(name, prices[n]!)));

function planOf(name: Plan, [usd, eur]: [number, number]): Product {
  const prices = CURRENCIES.map((currency) => ({
    currency,
    amount: name === "free" ? 0 : currency === "usd" ? usd : eur,
  }));
  return productWith([name === "large" ? "bft_2" : "bft_1"], {
    id: `prd_${name}`,
    key: name,
    name,
    prices,
    ...PLANS[name],
  });
}

const addressIn = (country: string) => ({
  country,
  line1: null,
  line2: null,
  postalCode: null,
  city: null,
  state: null,
});
const rateWith = (more: Partial<TaxRate>): TaxRate => {
  const vat = { country: "DE", region: null, basisPoints: 1900, name: "VAT" };
  return { ...vat, inclusive: false, reverseCharge: false, ...more };
};
const anyRates = fc.constantFrom<TaxRate[]>(
  [],
  [rateWith({})],
  [rateWith({ inclusive: true })],
  [rateWith({ reverseCharge: true })],
  [rateWith({ inclusive: true, reverseCharge: true })],
);

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

const anyState = fc.record({
  status: fc.constantFrom("active", "active", "active", "trialing", "past_due"),
  plan: fc.constantFrom<Plan>("small", "small", "large", "year", "weeks", "free", "archived", "alone"),
  currency: fc.constantFrom<"usd" | "eur">("usd", "usd", "eur"),
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
type State = (typeof anyState extends fc.Arbitrary<infer T> ? T : never) & { id: string; number: string };

/** The tax of a buyer's place; `billing` null: the Customer's place. */
type Tax = (subscription: Pick<Subscription, "billing">) => LineTax | null;

/** One Subscription in some state, the bill of its period in progress, and the lines that wait. */
function holdingOf(state: State, products: readonly Product[], zone: string, tax: Tax) {
  const product = products.find(({ id }) => id === `prd_${state.plan}`)!;
  const { currency } = state;
  const amount = priceIn(product, currency)!;
  const period = periodOf(product)!;
  const start = instant(NOW - state.age);
  const begun = state.discount && state.status !== "trialing" ? instant(start - state.discountAge * DAY) : null;
  const discount = begun === null ? state.discount : beginDiscount(state.discount, begun, zone);
  const billing = state.isNamed ? null : { address: addressIn("DE"), taxId: null };
  const paidTax = state.status === "trialing" ? null : tax({ billing });
  const periods = startPeriods(start, zone, period);
  const span = { start, end: periods.currentPeriodEnd };
  const line = fullLine({ id: product.id, name: product.name, price: amount }, span, { discount, tax: paidTax });
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
  };
  const paid = { paidRate: trialEnd ? 0 : line.amount - line.discountAmount, paidTax, discount, pendingChange };
  const buyer = { customerNamed: state.isNamed, paymentMethodId: state.ownCard, billing };
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
    const place = {
      id: old("iln", `w${state.number}${name}`),
      invoiceId: null,
      subscriptionId: state.id,
      productId: product.id,
    };
    return lineWith({
      ...draft,
      ...place,
      periodStart: start,
      periodEnd: span.end,
      creditedLineId: price < 0 ? old("iln", "0") : null,
    });
  };
  const waiting = state.waiting.filter((price) => price !== 0).map((price, n) => waitingWith(price, String(n)));
  const bill = trialEnd || state.bill === "elsewhere" ? null : billOf(state, { ...line, span }, waitingWith);
  return { subscription: withDerived(subscription), bill, waiting };
}

function pendingOf(product: Product, currency: string, effectiveAt: Instant): PendingChange {
  const { id: productId, name: productName, groupKey } = product;
  return { productId, productName, groupKey, amount: priceIn(product, currency)!, ...periodOf(product)!, effectiveAt };
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
  const { amountDue, ...totals } = totalsOf(lines, 0, 50);
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

const anyDispute = fc.record({
  status: fc.constantFrom<DisputeStatus>("open", "lost", "won"),
  cleared: fc.boolean(),
  stake: fc.constantFrom(0, 0, 500),
});
const anyReservation = fc.record({
  applied: fc.constantFrom(500, -500, 0),
  due: fc.constantFrom(0, 1000),
  group: fc.constantFrom(null, "paying"),
});

const anyExtras = fc.record({
  products: anyCatalogue,
  zone: anyZone,
  taxRates: anyRates,
  country: fc.constantFrom(null, "DE", "US"),
  hasTaxId: fc.boolean(),
  defaultCard: fc.constantFrom(old("pm", "1"), old("pm", "1"), old("pm", "1"), old("pm", "dead"), null),
  balances: fc.record({ usd: fc.constantFrom(0, 0, 700, 5000, -700, -20), eur: fc.constantFrom(0, 300, -300) }),
  granted: fc.constantFrom(0, 200),
  dispute: fc.option(anyDispute, { nil: null }),
  refund: fc.constantFrom(null, null, "done", "pending"),
  reserved: fc.option(anyReservation, { nil: null }),
  isLive: fc.boolean(),
});
type Extras = typeof anyExtras extends fc.Arbitrary<infer T> ? T : never;

/**
 * A change of the last Subscription that is being paid. It reserves a group and a part of the balance (rules C4, M4).
 */
function reservedBy(
  subscription: Subscription,
  { applied, due, group }: NonNullable<Extras["reserved"]>,
  product: Product,
) {
  const { currency, amount, interval, intervalCount, customerId, organizationId } = subscription;
  const target = { productId: product.id, productName: product.name, groupKey: group, amount, interval, intervalCount };
  const totals = { ...totalsOf([], 0, 50), totalAmount: applied + due, balanceApplied: applied, amountDue: due };
  const asked = { behavior: "invoice_now", undo: false } as const;
  const plan = { set: {}, lines: [], restarted: false, bill: "now", totals, currency, asked, target } as const;
  const from = { checkoutId: null, pageId: null, requestId: null, idempotency: null };
  const id = old("chg", "1");
  const row = {
    organizationId,
    id,
    subscriptionId: subscription.id,
    customerId,
    status: "pending",
    groupKey: group,
  } as const;
  const change: Change = {
    ...row,
    plan: { ...plan, lines: [] },
    decidedAt: NOW,
    settledAt: null,
    createdAt: NOW,
    ...from,
  };
  const charge = {
    id: old("pay", "c"),
    purpose: "change",
    status: "pending",
    sourceId: id,
    amount: due,
    currency,
  } as const;
  return {
    change,
    payment: paymentWith({
      ...charge,
      invoiceId: null,
      subscriptionId: subscription.id,
      paymentMethodId: old("pm", "1"),
    }),
  };
}

/** A charge of the period before that a bank took back. Credit of the charge's line is held (rule D7). */
function disputedRows(dispute: NonNullable<Extras["dispute"]>, currency: string) {
  const invoiceId = old("inv", "0");
  const charge = {
    id: old("pay", "0"),
    invoiceId,
    subscriptionId: SUBJECT,
    currency,
    amount: 3000,
    paymentMethodId: old("pm", "1"),
  };
  const { status, cleared, stake } = dispute;
  const stakes = { rateAtStake: stake, periodNumber: stake > 0 ? 1 : null };
  const about = {
    paymentId: charge.id,
    invoiceId,
    subscriptionId: SUBJECT,
    amount: 3000,
    currency,
    createdAt: addDays24(NOW, -5),
  };
  return {
    payment: paymentWith(charge),
    dispute: disputeWith({ id: old("dsp", "1"), status, cardClearedAt: cleared ? NOW : null, ...about, ...stakes }),
  };
}

function balanceEntries({ balances, granted }: Extras): NonNullable<AnyAccount["balanceEntries"]> {
  const ids = {
    organizationId: "org_1",
    customerId: "cus_1",
    note: null,
    invoiceId: null,
    createdAt: addDays24(NOW, -2),
  };
  return CURRENCIES.flatMap((currency) => [
    { ...ids, id: old("bal", `${currency}1`), currency, amount: granted, reason: "adjustment" as const },
    {
      ...ids,
      id: old("bal", `${currency}2`),
      currency,
      amount: balances[currency] - granted,
      reason: "invoice" as const,
    },
  ]).filter(({ amount }) => amount !== 0);
}

function build(extras: Extras, [first, second, third]: readonly [State, State, State]): AnyAccount {
  const { products, zone, taxRates, dispute, refund, reserved } = extras;
  const organization = { timeZone: zone, taxRates, address: addressIn("FR"), clockAt: extras.isLive ? null : NOW };
  const seller = organizationWith(organization);
  const taxId = extras.hasTaxId ? { type: "eu_vat", value: "DE136695976" } : null;
  const billingAddress = extras.country && addressIn(extras.country);
  const customer = customerWith({ billingAddress, taxId, defaultPaymentMethodId: extras.defaultCard });
  const tax: Tax = ({ billing }) => taxFor(seller, billingOf(customer, billing));
  const states = [
    first,
    { ...second, plan: "taken" as const },
    { ...third, plan: "elsewhere" as const, isEnding: false },
  ];
  const holdings = states.map((state) => holdingOf(state, products, zone, tax));
  const paying =
    reserved &&
    reservedBy(
      holdings[2]!.subscription,
      reserved,
      products.find(({ id }) => id === "prd_paying")!,
    );
  if (paying) holdings[2]!.subscription = withDerived({ ...holdings[2]!.subscription, changeId: paying.change.id });
  const subject = holdings[0]!;
  const disputed = dispute && disputedRows(dispute, subject.subscription.currency);
  const { currency } = subject.subscription;
  const before = {
    id: old("inv", "0"),
    subscriptionId: SUBJECT,
    currency,
    totalAmount: 3000,
    periodNumber: 0,
    periodEnd: NOW,
  };
  const bills = holdings.flatMap(({ bill }) => (bill ? [bill] : []));
  const charges = bills.filter(({ invoice }) => invoice.amountPaid > 0).map(({ invoice }) => chargeFor(invoice));
  const refunded =
    refund && subject.bill?.invoice.status === "paid" && subject.bill.invoice.amountPaid > 300 ? subject.bill : null;
  return {
    organization: seller,
    customer,
    subscriptions: holdings.map(({ subscription }) => subscription),
    invoices: [invoiceWith(before), ...bills.map(({ invoice }) => invoice)],
    lines: [
      lineWith({ id: old("iln", "0"), invoiceId: before.id, subscriptionId: SUBJECT, amount: 3000, periodEnd: NOW }),
      ...bills.flatMap(({ lines }) => lines),
      ...holdings.flatMap(({ waiting }) => waiting),
    ],
    cards: ["1", "2", "dead"].map((name) => cardWith({ id: old("pm", name), dead: name === "dead" })),
    payments: [...charges, ...(disputed ? [disputed.payment] : []), ...(paying ? [paying.payment] : [])],
    disputes: disputed ? [disputed.dispute] : [],
    refunds: refunded ? [refundOf(refunded, refund === "pending")] : [],
    changes: paying ? [paying.change] : [],
    products,
    benefits: ["bft_1", "bft_2"].map((id) => benefitWith({ id })),
    balances: CURRENCIES.map((code) => ({ currency: code, amount: extras.balances[code] })),
    balanceEntries: balanceEntries(extras),
  };
}

const chargeFor = ({ id, subscriptionId, amountPaid: amount, currency }: Invoice) =>
  paymentWith({ id: old("pay", id), invoiceId: id, subscriptionId, amount, currency, paymentMethodId: old("pm", "1") });

function refundOf({ invoice, lines }: { invoice: Invoice; lines: InvoiceLine[] }, isPending: boolean) {
  const refunded = [{ invoiceLineId: lines.at(-1)!.id, amount: 300, taxAmount: 0 }];
  const back = { id: old("rfd", "1"), invoiceId: invoice.id, currency: invoice.currency, lines: refunded };
  if (!isPending) return refundWith(back);
  return refundWith({
    ...back,
    status: "pending",
    checkAt: NOW,
    rateLowered: 300,
    periodNumber: 1,
    settledAt: null,
    to: "card",
  });
}

const numbered = (state: Omit<State, "id" | "number">, number: string): State => ({
  ...state,
  id: old("sub", number),
  number,
});

/**
 * A Customer with three Subscriptions in any state: the subject of the test, one that holds a group, and one that may
 * have a change under way.
 */
export const anyAccount: fc.Arbitrary<AnyAccount> = fc
  .tuple(anyExtras, anyState, anyState, anyState)
  .map(([extras, first, second, third]) =>
    build(extras, [numbered(first, "1"), numbered(second, "2"), numbered(third, "3")]),
  );

/** A body of a PATCH that names a Product. */
export const anyChange = fc.record({
  productId: fc.constantFrom(...PLAN_NAMES, "small", "large").map((name) => `prd_${name}`),
  prorationBehavior: fc.constantFrom<ProrationBehavior>(
    "invoice_now",
    "invoice_now",
    "next_invoice",
    "none",
    "next_period",
  ),
  cancelAtPeriodEnd: fc.constantFrom(undefined, false),
});
type AnyChange = { productId: string; prorationBehavior: ProrationBehavior; cancelAtPeriodEnd: boolean | undefined };

/** The open Checkout that asks for such a change at the `agreed` price; null: at the catalogue price. */
export function checkoutOf(account: Account, asked: AnyChange, agreed: number | null): Checkout {
  const { productId, prorationBehavior, cancelAtPeriodEnd } = asked;
  const { id: subscriptionId, currency, customerNamed, discount } = account.subscriptions.get(SUBJECT)!;
  const product = account.products.get(productId)!;
  const change = { behavior: prorationBehavior, undo: cancelAtPeriodEnd === false, totals: totalsOf([], 0, 50) };
  const pages = {
    successUrl: null,
    cancelUrl: null,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata: {},
  };
  const sold = {
    productId,
    productName: product.name,
    groupKey: null,
    currency,
    amount: agreed ?? priceIn(product, currency)!,
  };
  const expiresAt = addDays24(NOW, 1);
  return {
    organizationId: "org_1",
    id: old("chk", "1"),
    status: "open",
    ...sold,
    customerId: "cus_1",
    customerNamed,
    subscriptionId,
    invoiceId: null,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays: null,
    trialCard: "required",
    discount,
    billing: null,
    tax: null,
    change,
    ...pages,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: true,
    version: 1,
    eventSequence: 1,
    createdAt: NOW,
    updatedAt: NOW,
  };
}
