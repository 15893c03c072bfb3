import { SAMPLE_PRODUCT, samplePrice } from "../../../actions/email/sample-email.ts";
import { limitsFor } from "../../../actions/load-context.ts";
import type { Context } from "../../../context.ts";
import { boundary, DAY, instant } from "../../../domain/calendar.ts";
import type { Product } from "../../../domain/model/product.ts";
import { ONE_UNIT } from "../../../domain/model/quantity.ts";
import { checkoutTax } from "../../../domain/model/checkout.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { billingNow } from "../../../store/organizations.ts";
import type { ReadCheckout } from "../../../store/checkouts.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { termsOf } from "../../checkout/terms.ts";
import type { View } from "../../checkout/view.ts";

const PERIOD = { interval: "month", intervalCount: 1 } as const;

function productOf({ id: organizationId, defaultCurrency: currency, createdAt }: Organization): Product {
  return {
    organizationId,
    id: "prd_sample",
    key: null,
    name: SAMPLE_PRODUCT,
    description: "This is a sample Product. The name and the description of your own Product appear here.",
    groupKey: null,
    ...PERIOD,
    trialDays: null,
    trialCard: "required",
    quantityMinimum: 1,
    quantityMaximum: 1,
    unitName: null,
    prices: [{ currency, amount: samplePrice(currency) }],
    benefitIds: [],
    archived: false,
    metadata: {},
    syncAt: null,
    syncCursor: null,
    version: 1,
    eventSequence: 1,
    createdAt,
    updatedAt: createdAt,
  };
}

/** An open Checkout that is stored nowhere. */
async function checkoutOf(ctx: Context, organization: Organization, product: Product): Promise<ReadCheckout> {
  const { id: organizationId, provider, providerAccount, defaultCurrency: currency } = organization;
  const now = await billingNow(ctx.db.read, organizationId);
  const sale = { productId: product.id, amount: product.prices[0]!.amount, interval: PERIOD.interval, discount: null };
  return {
    ...sale,
    organizationId,
    id: "chk_sample",
    status: "open",
    customerId: null,
    customerNamed: false,
    subscriptionId: null,
    invoiceId: null,
    productName: product.name,
    groupKey: null,
    currency,
    ...ONE_UNIT,
    quantityChange: null,
    ...PERIOD,
    trialDays: null,
    trialCard: "required",
    allowDiscountCodes: false,
    paymentLinkId: null,
    billing: null,
    tax: checkoutTax(organization, null, sale, limitsFor(ctx, organization, currency)),
    change: null,
    usesBalance: false,
    settlement: null,
    successUrl: null,
    cancelUrl: null,
    locale: null,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    fields: null,
    fieldAnswers: null,
    metadata: {},
    expiresAt: instant(now + DAY),
    completedAt: null,
    dueAt: null,
    simulated: true,
    version: 1,
    eventSequence: 1,
    createdAt: now,
    updatedAt: now,
    externalCustomerId: null,
    now,
    provider,
    providerAccount,
    balance: 0,
  };
}

/** A sample Checkout, in the form in which `findView` reads a real Checkout. The form of the page can't be sent. */
export async function sampleView(ctx: Context, organization: Organization): Promise<View> {
  const product = productOf(organization);
  const checkout = await checkoutOf(ctx, organization, product);
  const { timeZone: zone } = organization;
  const nextChargeAt = boundary(checkout.now, zone, PERIOD, 1);
  const circumstances = { words: ENGLISH, organization, at: checkout.now, nextChargeAt, anchor: null };
  return {
    checkout,
    asksBilling: true,
    located: null,
    preset: null,
    hasCodes: false,
    credit: 0,
    quote: null,
    onFile: null,
    refusal: null,
    nextChargeAt: null,
    anchor: null,
    hosted: null,
    closed: null,
    words: ENGLISH,
    locale: null,
    organization,
    limits: limitsFor(ctx, organization, checkout.currency),
    status: "open",
    payment: null,
    product,
    benefits: [],
    terms: termsOf(checkout, circumstances),
    trialUsed: false,
    self: "",
    buyer: null,
    remembered: null,
  };
}
