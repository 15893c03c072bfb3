import { addCalendar, addDays24, formatInstant, type Instant } from "../domain/calendar.ts";
import { newId, type IdPrefix } from "../ids.ts";
import type { ManagedBenefitGrantResource } from "../resources/benefit-grant.ts";
import type { CheckoutResource } from "../resources/checkout.ts";
import type { CustomerResource } from "../resources/customer.ts";
import type { DisputeResource } from "../resources/dispute.ts";
import type { InvoiceResource } from "../resources/invoice.ts";
import type { PaymentAccountResource } from "../resources/payment-account.ts";
import type { PaymentMethodResource } from "../resources/payment-method.ts";
import type { PaymentPauseResource } from "../resources/payment-pause.ts";
import type { PaymentResource } from "../resources/payment.ts";
import type { ProductResource } from "../resources/product.ts";
import type { RefundResource } from "../resources/refund.ts";
import type { SubscriptionResource } from "../resources/subscription.ts";
import type { WebhookEndpointResource } from "../resources/webhook.ts";

/** The resources that events show. The first part of an event's type names its resource. */
export type Resources = {
  customer: CustomerResource;
  checkout: CheckoutResource;
  subscription: SubscriptionResource;
  invoice: InvoiceResource;
  payment: PaymentResource;
  payment_method: PaymentMethodResource;
  payment_account: PaymentAccountResource;
  payments: PaymentPauseResource;
  refund: RefundResource;
  dispute: DisputeResource;
  benefit_grant: ManagedBenefitGrantResource;
  product: ProductResource;
  webhook_endpoint: WebhookEndpointResource;
};

const PREFIXES = [
  "bft",
  "bgr",
  "chk",
  "crn",
  "cus",
  "dsp",
  "inv",
  "iln",
  "pac",
  "pay",
  "pm",
  "pps",
  "prd",
  "rfd",
  "sub",
  "whk",
] as const satisfies IdPrefix[];

/** The ids and instants by which the resources of one purchase refer to each other. */
export type Purchase = {
  id: Record<(typeof PREFIXES)[number], string>;
  yesterday: string;
  now: string;
  tomorrow: string;
  periodEnd: string;
  externalId: string;
};

const CURRENCY = "eur";
const [PRICE, TAX] = [2900, 551];
const TOTAL = PRICE + TAX;
const ADDRESS = { country: "DE", line1: "Hauptstr. 1", line2: null, postalCode: "10115", city: "Berlin", state: null };
const CARD = { type: "card", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 } as const;
const RATE = { name: "VAT", basisPoints: 1900, inclusive: false, reverseCharge: false };
const UNIT_NAME = { en: { one: "seat", other: "seats" } };
const UNITS = { quantity: 1, unitAmount: PRICE };
const PERIOD = { interval: "month", intervalCount: 1 } as const;
const NO_VALUES = { fieldValues: null, metadata: {} };
/** An invoice that no operator touched. */
const UNTOUCHED = { nextAttemptAt: null, heldReason: null, paymentNote: null, voidedAt: null, voidReason: null };
const ORIGIN = "https://billing.example.com";

/** A purchase with new ids, made at `now`. */
export function newPurchase(now: Instant): Purchase {
  const id = Object.fromEntries(PREFIXES.map((prefix) => [prefix, newId(prefix)])) as Purchase["id"];
  return {
    id,
    now: formatInstant(now),
    yesterday: formatInstant(addDays24(now, -1)),
    tomorrow: formatInstant(addDays24(now, 1)),
    periodEnd: formatInstant(addCalendar(now, "Europe/Berlin", "P1M")),
    externalId: `workspace_${id.cus.slice(-8)}`,
  };
}

/**
 * The resources of a purchase that went well: bought, paid, granted. Their text is plain ASCII, so that special
 * characters occur only in the checks for them.
 */
export function resourcesOf(purchase: Purchase): Resources {
  return {
    ...whoBuysWhat(purchase),
    checkout: checkoutOf(purchase),
    subscription: subscriptionOf(purchase),
    benefit_grant: grantOf(purchase),
    invoice: invoiceOf(purchase),
    ...movements(purchase),
    payment_method: cardOnFileOf(purchase),
    payment_account: accountOf(purchase),
  };
}

const stamps = ({ now }: Purchase) => ({ createdAt: now, updatedAt: now });
const whose = ({ id, externalId }: Purchase) => ({ customerId: id.cus, externalCustomerId: externalId });

function whoBuysWhat(purchase: Purchase): Pick<Resources, "customer" | "product" | "webhook_endpoint"> {
  const { id, externalId } = purchase;
  const customer = {
    id: id.cus,
    email: "ada@example.com",
    name: "Ada Lovelace",
    companyName: null,
    externalId,
    billingAddress: ADDRESS,
    taxId: null,
    locale: null,
    metadata: { seats: 3, beta: true },
    ...stamps(purchase),
  };
  const product = {
    id: id.prd,
    key: "pro",
    name: "Pro",
    description: "Everything, for a team",
    group: "plans",
    ...PERIOD,
    trialDays: null,
    trialCard: "required" as const,
    quantity: { minimum: 1, maximum: 100 },
    unitName: UNIT_NAME,
    prices: [{ currency: CURRENCY, amount: PRICE }],
    benefitIds: [id.bft],
    archived: false,
    metadata: {},
    ...stamps(purchase),
  };
  const endpoint = {
    id: id.whk,
    url: "https://app.example.com/webhooks/billow",
    description: null,
    events: ["*" as const],
    status: "enabled" as const,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    pausedUntil: null,
    previousSecretUntil: null,
    ...stamps(purchase),
  };
  return { customer, product, webhook_endpoint: endpoint };
}

function checkoutOf(purchase: Purchase): Resources["checkout"] {
  const { id, now, tomorrow } = purchase;
  return {
    id: id.chk,
    status: "completed",
    url: `${ORIGIN}/checkout/${id.chk}?secret=example`,
    paymentLinkId: null,
    productId: id.prd,
    ...whose(purchase),
    subscriptionId: id.sub,
    invoiceId: id.inv,
    currency: CURRENCY,
    ...UNITS,
    quantityChange: null,
    unitName: UNIT_NAME,
    subtotalAmount: PRICE,
    discountAmount: 0,
    taxAmount: TAX,
    totalAmount: TOTAL,
    balanceApplied: 0,
    amountDue: TOTAL,
    recurringAmount: PRICE,
    ...PERIOD,
    trialDays: null,
    discountId: null,
    allowDiscountCodes: true,
    successUrl: "https://app.example.com/welcome?checkout={CHECKOUT_ID}",
    cancelUrl: null,
    locale: null,
    lastPaymentError: null,
    expiresAt: tomorrow,
    completedAt: now,
    fields: null,
    ...NO_VALUES,
    ...stamps(purchase),
  };
}

/** A Subscription of which neither the end, nor a change, nor a pause, nor a new price is planned. */
const NO_PLAN = { cancelAt: null, canceledAt: null, pendingChange: null, pause: null, priceChange: null };
const RUNNING_HERE = { endedAt: null, cancellationReason: null, cancellationComment: null, imported: null };

function subscriptionOf(purchase: Purchase): Resources["subscription"] {
  const { id, now, periodEnd } = purchase;
  return {
    id: id.sub,
    status: "active",
    ...whose(purchase),
    productId: id.prd,
    checkoutId: id.chk,
    currency: CURRENCY,
    amount: PRICE,
    ...UNITS,
    ...PERIOD,
    currentPeriodStart: now,
    currentPeriodEnd: periodEnd,
    trialStart: null,
    trialEnd: null,
    cancelAtPeriodEnd: false,
    ...NO_PLAN,
    ...RUNNING_HERE,
    discountId: null,
    pendingDiscount: null,
    ...NO_VALUES,
    startedAt: now,
    ...stamps(purchase),
  };
}

function grantOf(purchase: Purchase): Resources["benefit_grant"] {
  const { id, now } = purchase;
  const feature = { feature: "sso", value: true };
  const benefit = {
    id: id.bft,
    key: "sso",
    type: "feature" as const,
    name: "SSO",
    description: null,
    properties: feature,
    metadata: {},
  };
  const source = { subscriptionId: id.sub, invoiceId: null, quantity: 1 };
  return {
    id: id.bgr,
    ...whose(purchase),
    benefitId: id.bft,
    ...source,
    benefit,
    properties: feature,
    grantedAt: now,
    expiresAt: null,
    createdAt: now,
    status: "active",
    revokedAt: null,
    reason: "purchased",
  };
}

function invoiceOf(purchase: Purchase): Resources["invoice"] {
  const { id, now, periodEnd } = purchase;
  const period = { periodStart: now, periodEnd };
  const amounts = { subtotalAmount: PRICE, discountAmount: 0, taxAmount: TAX, totalAmount: TOTAL };
  const product = { description: "Pro", productId: id.prd };
  const line = {
    id: id.iln,
    ...product,
    ...UNITS,
    amount: PRICE,
    discountAmount: 0,
    discountedPart: null,
    taxAmount: TAX,
    taxRate: RATE,
  };
  return {
    id: id.inv,
    number: `INV-${id.cus.slice(-8).toUpperCase()}-0001`,
    url: `${ORIGIN}/invoices/${id.inv}?secret=example`,
    status: "paid",
    reason: "checkout",
    customerId: id.cus,
    subscriptionId: id.sub,
    checkoutId: id.chk,
    currency: CURRENCY,
    locale: null,
    lines: [{ ...line, proration: false, ...period, creditedLineId: null }],
    ...amounts,
    taxes: [{ ...RATE, country: "DE", region: null, taxableAmount: PRICE, taxAmount: TAX }],
    taxNote: null,
    balanceApplied: 0,
    amountDue: TOTAL,
    amountPaid: TOTAL,
    refundedAmount: 0,
    refundableToCard: TOTAL,
    refundableToBalance: TOTAL,
    seller: { name: "Example GmbH", email: "billing@example.com", address: ADDRESS, taxId: null },
    buyer: { name: "Ada Lovelace", companyName: null, email: "ada@example.com", address: ADDRESS, taxId: null },
    ...period,
    restarted: false,
    paidAt: now,
    paidOutside: false,
    ...UNTOUCHED,
    ...NO_VALUES,
    ...stamps(purchase),
  };
}

function movements({ id, now }: Purchase): Pick<Resources, "payment" | "payments" | "refund" | "dispute"> {
  const payment = {
    id: id.pay,
    invoiceId: id.inv,
    checkoutId: id.chk,
    subscriptionId: id.sub,
    customerId: id.cus,
    status: "succeeded" as const,
    amount: TOTAL,
    currency: CURRENCY,
    trigger: "checkout" as const,
    method: CARD,
    processing: false,
    failureCode: null,
    nextAction: null,
    createdAt: now,
    settledAt: now,
  };
  const refund = {
    id: id.rfd,
    purpose: "invoice" as const,
    origin: "billow" as const,
    invoiceId: id.inv,
    paymentId: id.pay,
    customerId: id.cus,
    status: "pending" as const,
    amount: TOTAL,
    taxAmount: TAX,
    fromBalance: 0,
    currency: CURRENCY,
    to: "card" as const,
    reason: "Bought by mistake",
    creditNoteId: null,
    failureCode: null,
    createdAt: now,
    settledAt: null,
    failedAt: null,
  };
  const dispute = {
    id: id.dsp,
    paymentId: id.pay,
    invoiceId: id.inv,
    subscriptionId: id.sub,
    customerId: id.cus,
    status: "open" as const,
    reason: "unrecognized" as const,
    amount: TOTAL,
    currency: CURRENCY,
    evidenceDueAt: null,
    fee: 1500,
    feeCurrency: CURRENCY,
    createdAt: now,
    closedAt: null,
  };
  const payments = {
    id: id.pps,
    provider: "sandbox",
    reason: "account_restricted" as const,
    since: now,
    endedAt: null,
  };
  return { payment, payments, refund, dispute };
}

const cardOnFileOf = ({ id, now }: Purchase): Resources["payment_method"] => ({
  id: id.pm,
  customerId: id.cus,
  ...CARD,
  isDefault: true,
  disputed: false,
  detachedAt: null,
  createdAt: now,
});

const accountOf = ({ id, now }: Purchase): Resources["payment_account"] => ({
  id: id.pac,
  provider: "stripe",
  account: "acct_1ExampleOfASeller",
  mode: "live",
  keyVariable: null,
  notices: "inbound",
  connectedAt: now,
  disconnectedAt: null,
});
