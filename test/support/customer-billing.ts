import {
  CustomerBilling,
  NO_ROWS,
  type BillingRows,
  type LoadedBilling,
} from "../../src/domain/billing/customer-billing.ts";
import { OPEN_ITEMS, keyOf, PartsMissing, type Part } from "../../src/domain/billing/parts.ts";
import type { Balance, BalanceEntry } from "../../src/domain/model/balance.ts";
import { GRANTED, paidBy } from "../../src/domain/model/credit-source.ts";
import type { Benefit, BenefitGrant } from "../../src/domain/model/benefit.ts";
import type { Instant } from "../../src/domain/calendar.ts";
import type { Customer } from "../../src/domain/model/customer.ts";
import type { Dispute } from "../../src/domain/model/dispute.ts";
import type { Invoice, InvoiceLine } from "../../src/domain/model/invoice.ts";
import type { Opening } from "../../src/domain/dispute/open.ts";
import type { Organization } from "../../src/domain/model/organization.ts";
import { limitsWith } from "../../src/domain/model/charge-limits.ts";
import type { Payment, PaymentMethod } from "../../src/domain/model/payment.ts";
import type { Product } from "../../src/domain/model/product.ts";
import { NOT_FAILED, type Refund } from "../../src/domain/model/refund.ts";
import { organizationWith } from "./organization.ts";
import { at } from "./subscription.ts";

const SINCE = at("2025-06-01");
/** The instant of each test's decision, unless the test names another one. */
export const NOW = at("2025-06-16");

const ids = { organizationId: "org_1", customerId: "cus_1" };
const dates = { createdAt: SINCE, updatedAt: SINCE };
/** A row with one event so far. */
const versioned = { version: 1, eventSequence: 1, ...dates };

const unsaid = { companyName: null, billingAddress: null, taxId: null, locale: null };
export function customerWith(others: Partial<Customer> = {}): Customer {
  return {
    organizationId: "org_1",
    id: "cus_1",
    email: "ada@example.com",
    emailKey: "ada@example.com",
    name: null,
    externalId: null,
    ...unsaid,
    metadata: {},
    defaultPaymentMethodId: null,
    deletedAt: null,
    ...versioned,
    ...others,
  };
}

/** The paid invoice of June at 10.00, unless `others` say something else. */
export function invoiceWith(others: Partial<Invoice> = {}): Invoice {
  const { totalAmount = 1000, balanceApplied = 0, amountDue = totalAmount - balanceApplied, status = "paid" } = others;
  const nobody = { name: null, email: null, address: null, taxId: null };
  return {
    organizationId: "org_1",
    id: "inv_1",
    number: "INV-1-0001",
    status,
    reason: "renewal",
    customerId: "cus_1",
    subscriptionId: "sub_1",
    checkoutId: null,
    periodNumber: 1,
    restarted: false,
    currency: "usd",
    locale: null,
    subtotalAmount: totalAmount,
    discountAmount: 0,
    taxAmount: 0,
    taxIncludedAmount: 0,
    totalAmount,
    balanceApplied,
    balanceBasis: { balance: 0, minimum: 50 },
    balanceSources: null,
    amountDue,
    amountPaid: status === "paid" ? amountDue : 0,
    refundedAmount: 0,
    seller: nobody,
    buyer: nobody,
    periodStart: SINCE,
    periodEnd: at("2025-07-01"),
    nextAttemptAt: null,
    collections: 0,
    heldReason: null,
    paidAt: status === "paid" ? SINCE : null,
    paidOutside: false,
    paymentNote: null,
    voidedAt: null,
    voidReason: null,
    fieldAnswers: null,
    metadata: {},
    ...versioned,
    ...others,
  };
}

/** The line of the invoice from `invoiceWith`. */
export function lineWith(others: Partial<InvoiceLine> = {}): InvoiceLine {
  return {
    organizationId: "org_1",
    id: "iln_1",
    invoiceId: "inv_1",
    subscriptionId: "sub_1",
    position: 0,
    description: "Present",
    productName: "Present",
    productId: "prd_current",
    amount: 1000,
    discountAmount: 0,
    taxAmount: 0,
    tax: null,
    proration: false,
    periodStart: SINCE,
    periodEnd: at("2025-07-01"),
    basis: null,
    creditedLineId: null,
    sources: null,
    ...others,
  };
}

/** A waiting line that credits a part of the line from `lineWith`, which the charge from `paymentWith` has paid. */
export function creditWith(amount: number, others: Partial<InvoiceLine> = {}): InvoiceLine {
  return lineWith({
    id: "iln_2",
    invoiceId: null,
    amount: -amount,
    proration: true,
    creditedLineId: "iln_1",
    sources: [{ ...paidBy("pay_1"), amount }],
    ...others,
  });
}

export function cardWith(others: Partial<PaymentMethod> = {}): PaymentMethod {
  const { id = "pm_1" } = others;
  const shown = { type: "card", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 } as const;
  const kept = {
    provider: "sandbox",
    providerAccount: "sandbox",
    providerRef: `ref_${id}`,
    fingerprint: `fp_${id}`,
    dead: false,
    detachedAt: null,
    providerReadAt: null,
    dueAt: null,
    simulated: true,
    expiryAnnounced: false,
    version: 1,
    eventSequence: 0,
    createdAt: SINCE,
    updatedAt: SINCE,
  };
  return { ...shown, ...ids, ...kept, id, ...others };
}

/** The charge that paid the invoice from `invoiceWith`, with the card from `cardWith`. */
export function paymentWith(others: Partial<Payment> = {}): Payment {
  const { status = "succeeded", invoiceId = "inv_1" } = others;
  const isSettled = status === "succeeded" || status === "failed";
  return {
    ...ids,
    id: "pay_1",
    providerKey: others.id ?? "pay_1",
    purpose: "renewal",
    status,
    sourceId: invoiceId ?? "chk_1",
    checkoutId: null,
    invoiceId,
    subscriptionId: "sub_1",
    amount: 1000,
    currency: "usd",
    provider: "sandbox",
    providerAccount: "sandbox",
    paymentMethodId: "pm_1",
    method: { type: "card", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 },
    actionUrl: null,
    failureCode: null,
    checkAt: isSettled ? null : NOW,
    checks: 0,
    processing: false,
    abandoned: false,
    request: null,
    settledAt: isSettled ? SINCE : null,
    ...versioned,
    ...others,
  };
}

/** The beginning of a dispute over all that a bank can take back. */
export function openingWith(others: Partial<Opening> = {}): Opening {
  const none = { amount: null, ref: null, evidenceDueAt: null, fee: null, feeCurrency: null };
  return { reason: "fraudulent", isInquiry: false, ...none, ...others };
}

/** The open dispute of the charge from `paymentWith`. */
export function disputeWith(others: Partial<Dispute> = {}): Dispute {
  return {
    ...ids,
    id: "dsp_1",
    paymentId: "pay_1",
    invoiceId: "inv_1",
    subscriptionId: "sub_1",
    status: "open",
    reason: "fraudulent",
    amount: 1000,
    currency: "usd",
    providerRef: null,
    evidenceDueAt: null,
    fee: null,
    feeCurrency: null,
    closedAt: null,
    cardClearedAt: null,
    ...versioned,
    ...others,
  };
}

/** A completed refund of a part of the invoice from `invoiceWith` to the balance. */
export function refundWith(others: Partial<Refund> = {}): Refund {
  const { amount = 300, to = "balance" } = others;
  const own = { ...paidBy("pay_1"), creditedLineId: null, amount, own: true };
  return {
    ...ids,
    id: "rfd_1",
    purpose: "invoice",
    origin: "billow",
    invoiceId: "inv_1",
    paymentId: to === "card" ? "pay_1" : null,
    status: "succeeded",
    amount,
    taxAmount: 0,
    currency: "usd",
    to,
    reason: null,
    revokeGrants: false,
    lines: [{ invoiceLineId: "iln_1", amount, taxAmount: 0 }],
    fromBalance: 0,
    taken: [],
    freed: [],
    sources: to === "balance" ? [own] : [],
    rateLowered: 0,
    periodNumber: null,
    creditNoteId: "crn_1",
    ...NOT_FAILED,
    checkAt: null,
    checks: 0,
    settledAt: SINCE,
    ...versioned,
    ...others,
  };
}

/** A lot of this amount that is not used yet; granted, unless `others` say something else. */
export function lotWith(amount: number, others: Partial<BalanceEntry> = {}): BalanceEntry {
  return {
    ...ids,
    ...GRANTED,
    id: "bal_001",
    currency: "usd",
    amount,
    remaining: amount,
    reason: "adjustment",
    creditedLineId: null,
    note: null,
    invoiceId: null,
    refundId: null,
    createdAt: SINCE,
    ...others,
  };
}

/** A debt: an entry of this amount below zero that found no lot. */
export const debtWith = (amount: number, others: Partial<BalanceEntry> = {}): BalanceEntry =>
  lotWith(-amount, { source: null, reason: "invoice", ...others });

export function productWith(benefitIds: readonly string[], others: Partial<Product> = {}): Product {
  const kind = { interval: "month", intervalCount: 1, trialDays: null, trialCard: "required" } as const;
  const shown = { key: null, name: "Present", description: null, groupKey: "plans", archived: false, metadata: {} };
  const sale = { prices: [{ currency: "usd", amount: 1000 }], quantityMinimum: 1, quantityMaximum: 1, unitName: null };
  const row = { organizationId: "org_1", id: "prd_current", ...kind, ...shown, ...sale, benefitIds: [...benefitIds] };
  return { ...row, syncAt: null, syncCursor: null, ...versioned, ...others };
}

export function benefitWith(others: Partial<Benefit> = {}): Benefit {
  const properties = { feature: "seats", value: 5 };
  const shown = { key: null, type: "feature", name: "Seats", description: null, properties, metadata: {} } as const;
  const kept = { deletedAt: null, syncAt: null, syncCursor: null, shownVersion: 1, version: 1, ...dates };
  return { organizationId: "org_1", id: "bft_1", ...shown, ...kept, ...others };
}

/** An active grant of the Benefit from `benefitWith` by the Subscription `sub_1`. */
export function grantWith(others: Partial<BenefitGrant> = {}): BenefitGrant {
  const source = { benefitId: "bft_1", benefitVersion: 1, subscriptionId: "sub_1", invoiceId: null, quantity: 1 };
  const given = {
    status: "active",
    properties: {},
    activations: 0,
    reason: "purchased",
    grantedAt: SINCE,
    revokedAt: null,
  } as const;
  return { ...ids, id: "bgr_1", ...source, ...given, ...versioned, ...others };
}

type Given = Partial<{ [Name in keyof BillingRows]: readonly BillingRows[Name][] }> & {
  organization?: Organization;
  customer?: Customer;
  balances?: readonly Balance[];
  numbers?: LoadedBilling["numbers"];
  now?: Instant;
  hasProvider?: boolean;
  step?: number;
  /** The parts that were loaded beside the open items; without it, all parts. */
  parts?: readonly Part[];
};

/** One Customer's billing of these rows. */
export function billingWith({
  organization,
  customer,
  balances,
  numbers,
  now = NOW,
  ...given
}: Given = {}): CustomerBilling {
  const { hasProvider = true, step = 1, parts, ...rows } = given;
  return new CustomerBilling({
    organization: organization ?? organizationWith(),
    now,
    realNow: now,
    unseenSince: null,
    hasProvider,
    limitsAt: (_, currency) => limitsWith(currency, step),
    customer: customer ?? customerWith(),
    numbers: numbers ?? { invoice: 0, creditNote: 0 },
    balances: balances ?? [],
    rows: { ...NO_ROWS, ...rows },
    parts: parts ? new Set([OPEN_ITEMS, ...parts].map(keyOf)) : Object.assign(new Set<string>(), { has: () => true }),
    entropy: (bytes) => new Uint8Array(bytes).fill(7),
  });
}

/** The types of the events that one Customer's billing recorded, in order. */
export const eventsOf = (billing: CustomerBilling): string[] => billing.events.map(({ type }) => type);

/**
 * The result of a decision on one Customer's billing of these rows. The billing is loaded as the runner loads it: at
 * first without parts, then again with each part that the decision missed. `parts` lists the missed parts of each
 * round.
 */
export function loadedAsNeeded<T>(
  given: Omit<Given, "parts">,
  decide: (billing: CustomerBilling) => T,
): { answer: T; parts: string[][] } {
  const parts: Part[][] = [];
  for (;;) {
    try {
      const answer = decide(billingWith({ ...given, parts: parts.flat() }));
      return { answer, parts: parts.map((missed) => missed.map(keyOf)) };
    } catch (error) {
      if (!(error instanceof PartsMissing) || parts.length > 9) throw error;
      parts.push([...error.parts]);
    }
  }
}
