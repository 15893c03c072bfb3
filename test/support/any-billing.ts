import fc from "fast-check";
import { GRANTED, paidBy } from "../../src/domain/model/credit-source.ts";
import { addDays24 } from "../../src/domain/calendar.ts";
import type { Product } from "../../src/domain/model/product.ts";
import type { DisputeStatus } from "../../src/domain/model/dispute.ts";
import { totalsOf, type Invoice, type InvoiceLine } from "../../src/domain/model/invoice.ts";
import { billingOf } from "../../src/domain/invoice/order.ts";
import type { Change } from "../../src/domain/model/frozen-plan.ts";
import { ONE_UNIT } from "../../src/domain/model/quantity.ts";
import { withDerived, type Subscription } from "../../src/domain/model/subscription.ts";
import { taxFor } from "../../src/domain/tax/tax.ts";
import {
  type billingWith,
  benefitWith,
  cardWith,
  customerWith,
  debtWith,
  disputeWith,
  invoiceWith,
  lineWith,
  lotWith,
  NOW,
  paymentWith,
  refundWith,
} from "./customer-billing.ts";
import { organizationWith } from "./organization.ts";
import { addressIn, anyCatalogue, anyRates, CURRENCIES } from "./any-catalogue.ts";
import { anyState, holdingOf, old, type State, type Tax } from "./any-subscription.ts";
import { anyZone } from "./subscription.ts";

/** The rows of one Customer's billing. Each call of `billingWith` makes the same `CustomerBilling` of them. */
export type AnyBilling = NonNullable<Parameters<typeof billingWith>[0]> & { subscriptions: Subscription[] };
/** The id of the Subscription that a test is about. */
export const SUBJECT = old("sub", "1");

const anyDispute = fc.record({
  status: fc.constantFrom<DisputeStatus>("open", "lost", "won"),
  cleared: fc.boolean(),
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
 * A change of the last Subscription, with a payment that is not settled. The change reserves a group and a part of the
 * balance (rules C4, M4).
 */
function reservedBy(
  subscription: Subscription,
  { applied, due, group }: NonNullable<Extras["reserved"]>,
  product: Product,
) {
  const { currency, amount, interval, intervalCount, customerId, organizationId } = subscription;
  const target = {
    productId: product.id,
    productName: product.name,
    groupKey: group,
    amount,
    ...ONE_UNIT,
    interval,
    intervalCount,
  };
  const totals = {
    ...totalsOf([], 0, { least: 50, step: 1 }),
    totalAmount: applied + due,
    balanceApplied: applied,
    amountDue: due,
  };
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

/**
 * A disputed charge of the period before, which the bank took back. Credit for the line of this charge is held (rule
 * D7).
 */
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
  const { status, cleared } = dispute;
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
    dispute: disputeWith({ id: old("dsp", "1"), status, cardClearedAt: cleared ? NOW : null, ...about }),
  };
}

/**
 * The entries of the balances. A part is credit from the disputed charge, unless the charge is lost: this credit would
 * be written off. A lot and a debt stand beside each other only while a dispute holds the lot.
 */
function balanceEntries({ balances, granted, dispute }: Extras): NonNullable<AnyBilling["balanceEntries"]> {
  const isHeld = dispute?.status === "open";
  const source = dispute && dispute.status !== "lost" ? paidBy(old("pay", "0")) : GRANTED;
  return CURRENCIES.flatMap((currency) => {
    const balance = balances[currency];
    const beside = isHeld ? granted : Math.min(granted, Math.max(balance, 0));
    const shown = { currency, createdAt: addDays24(NOW, -2) };
    const rest = { ...shown, id: old("bal", `${currency}2`) };
    return [
      ...(beside > 0 ? [lotWith(beside, { ...shown, ...source, id: old("bal", `${currency}1`) })] : []),
      ...(balance > beside ? [lotWith(balance - beside, rest)] : []),
      ...(balance < beside ? [debtWith(beside - balance, rest)] : []),
    ];
  });
}

function build(extras: Extras, [first, second, third]: readonly [State, State, State]): AnyBilling {
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
export const anyBilling: fc.Arbitrary<AnyBilling> = fc
  .tuple(anyExtras, anyState, anyState, anyState)
  .map(([extras, first, second, third]) =>
    build(extras, [numbered(first, "1"), numbered(second, "2"), numbered(third, "3")]),
  );
