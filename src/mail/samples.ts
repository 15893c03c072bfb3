import { invoiceDocument } from "../documents/invoice.ts";
import { addDays24, type Instant } from "../domain/calendar.ts";
import { invoiceNumber } from "../domain/model/customer.ts";
import { CONFIRM_HOURS, UNDO_DAYS } from "../domain/model/email-change.ts";
import { LINK_MINUTES } from "../domain/model/portal-session.ts";
import type { BuyerEmailKind } from "../domain/model/email.ts";
import { fullLine, NO_LIMITS, totalsOf, type Invoice, type InvoiceLine } from "../domain/model/invoice.ts";
import { ONE_UNIT } from "../domain/model/quantity.ts";
import { displayName, type Organization } from "../domain/model/organization.ts";
import { portalAllows } from "../domain/model/portal-settings.ts";
import { brandName, cardName } from "../domain/model/card-name.ts";
import { taxFor } from "../domain/tax/tax.ts";
import { rhythmOf } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";
import type { EmailFacts } from "./email-contents.ts";
import type { NextCharge } from "./next-charge.ts";

/**
 * A purchase that the e-mails of a preview are about. `price`: minor units before tax. `now`: the day of the e-mail.
 * `next`: the end of the period. `page`: stands for the pages whose links are for one recipient alone.
 */
export type Sample = {
  organization: Organization;
  words: Words;
  product: string;
  currency: string;
  price: number;
  now: Instant;
  next: Instant;
  portal: string;
  portalCard: string;
  page: string;
};

const CARD = { type: "card", brand: "visa", last4: "4242", expMonth: 4, expYear: 2031 } as const;
const CUSTOMER = "cus_01k0sample0sample0sample00";
const BUYER = {
  name: "Ada King-Noel",
  companyName: null,
  email: "ada@example.com",
  taxId: null,
};
/** The buyer's country if the seller has no tax rates. */
const COUNTRY = "DE";

/** The invoice of the purchase, by the seller's own tax rates. */
function invoiceOf({ organization, product, price, currency, now, next, words }: Sample) {
  const { id: organizationId, taxRates, legalName, name, address, taxId, invoicePrefix } = organization;
  const country = taxRates[0]?.country ?? COUNTRY;
  const sampleAddress = {
    line1: "1 Example Street",
    line2: null,
    postalCode: "10115",
    city: "Berlin",
    state: null,
    country,
  };
  const tax = taxFor(organization, { address: sampleAddress, taxId: null });
  const draft = fullLine(
    { id: "prd_sample", name: product, price, currency, ...ONE_UNIT },
    { start: now, end: next },
    { discount: null, tax },
  );
  const at = { organizationId, invoiceId: "inv_sample", subscriptionId: "sub_sample" };
  const line: InvoiceLine = { ...draft, ...at, id: "inl_sample", position: 0, sources: null };
  const totals = totalsOf([line], 0, NO_LIMITS);
  const invoice: Invoice = {
    ...totals,
    organizationId,
    id: "inv_sample",
    number: invoiceNumber(invoicePrefix, CUSTOMER, 1),
    status: "paid",
    reason: "checkout",
    customerId: CUSTOMER,
    subscriptionId: "sub_sample",
    checkoutId: null,
    periodNumber: 1,
    restarted: false,
    currency,
    locale: words.locale,
    balanceSources: null,
    amountPaid: totals.amountDue,
    refundedAmount: 0,
    seller: { name: legalName ?? name, email: null, address, taxId },
    buyer: { ...BUYER, address: sampleAddress },
    periodStart: now,
    periodEnd: next,
    nextAttemptAt: null,
    collections: 0,
    heldReason: null,
    paidAt: now,
    paidOutside: false,
    paymentNote: null,
    voidedAt: null,
    voidReason: null,
    fieldAnswers: null,
    metadata: {},
    version: 1,
    eventSequence: 1,
    createdAt: now,
    updatedAt: now,
  };
  return { invoice, lines: [line] };
}

type Common = { seller: string; amount: string; day: string; card: string; next: NextCharge };

/** The words that several e-mails share. */
function commonOf({ organization, words, currency, next: renewal }: Sample, { totalAmount }: Invoice): Common {
  const seller = displayName(organization);
  const day = words.day(renewal, organization.timeZone);
  const amount = words.money(totalAmount, currency);
  const card = cardName(CARD);
  const charge = words.portal.toCard({ amount, card });
  const next = {
    rows: [{ name: words.portal.nextCharge, value: words.portal.chargeOn({ day, charge }) }],
    text: portalAllows(organization, "cancel")
      ? words.mailSubscription.cancel({ day })
      : words.seller.cancelBySeller({ seller }),
  };
  return { seller, amount, day, card, next };
}

const DELIVERABLES = {
  keys: [{ benefit: "Desktop", key: "ATLAS-7K2M9-QX4TD-PV83N-HW5CZ", devices: 3 }],
  files: [{ benefit: "Handbook", names: ["handbook.pdf"] }],
  notes: [],
  others: ["Beacon"],
};

/** An open invoice, with the days of the Organization's dunning. */
function unpaidOf({ organization, words, product, now, page: url }: Sample, { amount, card }: Common) {
  const { retryDays, graceDays, timeZone } = organization;
  const day = (after: number) => words.day(addDays24(now, after), timeZone);
  const access = words.unpaidNotice.yourAccessStays({ day: day(graceDays) });
  return { amount, product, card, isDisputed: false, retryOn: day(retryDays[0]!), end: null, access, url };
}

/** A price that rises by a fifth. */
function newPriceOf({ organization, words, product, price, currency, portal }: Sample, { seller, day }: Common) {
  const rhythm = rhythmOf(words, { interval: "month", intervalCount: 1 });
  const priceOf = (amount: number) => words.portal.priceEvery({ price: words.money(amount, currency), rhythm });
  return {
    product,
    day,
    before: priceOf(price),
    unitsBefore: null,
    price: priceOf(Math.round(price * 1.2)),
    units: null,
    seller,
    consentUrl: null,
    portal: portalAllows(organization, "cancel") ? portal : null,
  };
}

/** Sample facts for the usual state of each kind of e-mail, as an occasion gathers them. */
export function sampleFacts(sample: Sample): { [Kind in BuyerEmailKind]: EmailFacts[Kind] } {
  const { organization, words, product, portal, portalCard, page: url } = sample;
  const { invoice, lines } = invoiceOf(sample);
  const common = commonOf(sample, invoice);
  const { seller, amount, day, card, next } = common;
  const { websiteUrl: website } = organization;
  const ahead = {
    product,
    day,
    amount,
    period: { interval: "month", intervalCount: 1 },
    paidBy: { means: "card", name: card },
    isDisputed: false,
    seller,
    portal: portalAllows(organization, "cancel") ? portal : null,
    portalCard,
  } as const;
  const unpaid = unpaidOf(sample, common);
  const end = { seller, product, day, ended: "paid" as const };
  const charge = { method: CARD, settledAt: invoice.paidAt };
  const document = invoiceDocument({ invoice, lines, charge, refunds: [], issuer: organization, words });
  const effect = words.portalCancel.until({ product, day });
  const { brand, ...expiring } = CARD;
  const newPrice = newPriceOf(sample, common);
  return {
    receipt: {
      document,
      seller,
      total: amount,
      url,
      portal,
      website,
      deliverables: DELIVERABLES,
      hasDeliverables: true,
      next,
    },
    payment_failed: { ...unpaid, reason: words.decline.card_declined },
    authentication_required: { ...unpaid, reason: words.unpaidNotice.confirmFirst },
    order_confirmation: { product, seller, url, portal, website, deliverables: DELIVERABLES, next: null },
    trial_started: { product, seller, day, portal, website, deliverables: DELIVERABLES, next },
    trial_extended: { product, day, portal, next },
    trial_ending: ahead,
    renewal_upcoming: ahead,
    cancellation_scheduled: { product, day, effect, lost: ["Beacon"], portal },
    cancellation_undone: { product, seller, ...next, portal },
    pause_scheduled: { product, hasBegun: false, day, until: null, access: "revoke", portal },
    pause_undone: { product, seller, ...next, portal },
    pause_begun: { product, hasBegun: true, day, until: null, access: "revoke", portal },
    resume_upcoming: ahead,
    price_change: newPrice,
    price_change_reminder: { ...newPrice, consentUrl: url },
    change_dropped: { product, seller, day, ...next, portal },
    renewal_failed: end,
    canceled: end,
    card_expiring: { ...expiring, brand: brandName(brand), products: [product], url: portalCard },
    card_request: { ...ahead, paidBy: null, isTrial: false },
    portal_sign_in: { seller, minutes: LINK_MINUTES, accounts: [{ name: BUYER.name, url }] },
    portal_email_confirm: { seller, hours: CONFIRM_HOURS, url },
    portal_email_changed: { seller, address: "n•••@example.com", days: UNDO_DAYS, url },
  };
}
