import { quoteChange } from "../../actions/checkout/quote.ts";
import { readCredit } from "../../actions/checkout/read.ts";
import { readNextCharges } from "../../actions/subscription/next-charge.ts";
import { checkoutUrl, openCheckoutUrl } from "../../actions/links.ts";
import { carryOutPayment } from "../../actions/payment/carry-out.ts";
import { entryWith, type Entry } from "../../actions/provider.ts";
import { limitsFor } from "../../actions/load-context.ts";
import type { Context } from "../../context.ts";
import type { CheckoutQuote } from "../../domain/change/quote.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { Instant } from "../../domain/calendar.ts";
import { isTaxable, type CheckoutStatus } from "../../domain/model/checkout.ts";
import { purchaseAt, purchaseOf, purchaseWithoutTrial } from "../../domain/checkout/open-purchase.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Locale } from "../../domain/locale.ts";
import type { ChargeLimits } from "../../domain/model/charge-limits.ts";
import type { Payment, PaymentMethod } from "../../domain/model/payment.ts";
import type { Anchor } from "../../domain/model/period.ts";
import type { Product } from "../../domain/model/product.ts";
import { renews } from "../../domain/model/subscription.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { chargeFor } from "../../domain/subscription/preview-renewal.ts";
import { isId } from "../../ids.ts";
import { statusAt } from "../../resources/checkout.ts";
import { readCheckoutPage, type CheckoutPageRows } from "../../store/checkout-page.ts";
import type { ReadCheckout } from "../../store/checkouts.ts";
import { knownOf } from "../../texts/language.ts";
import { wordsFor, type Words } from "../../texts/words.ts";
import { subscriptions } from "../../store/subscriptions.ts";
import { plainSentences } from "../../texts/phrases.ts";
import { basePath } from "../assets.ts";
import { needsRegion } from "../components/address-fields.ts";
import type { Faults, RememberedInput } from "./form.ts";
import { termsOf, type Terms } from "./terms.ts";

/** Facts about a Checkout beyond its row. They depend on the sale and on the buyer. */
type Facts = {
  checkout: ReadCheckout;
  /** Whether the page asks for billing data (rules C3g, C3m). */
  asksBilling: boolean;
  /** The named Customer, if the Customer has an address. */
  located: Customer | null;
  /** Whether there are discount codes that a buyer could type. */
  hasCodes: boolean;
  /** The credit that an open Checkout can use, in minor units; 0 if the Checkout uses no balance (rule C7). */
  credit: number;
  /** Only for an open Checkout that changes a Subscription. */
  quote: CheckoutQuote | null;
  /** The card on file that the page offers first, because the buyer's bank asked about it (rule P1). */
  onFile: PaymentMethod | null;
  /** Why the Checkout's change can't be made any more. */
  refusal: Refusal | null;
  /**
   * The next charge of a Subscription that this Checkout changes or has changed; null if that charge does not depend
   * on this Checkout any more.
   */
  nextChargeAt: Instant | null;
  /** The anchor of that Subscription's periods from the next charge on. */
  anchor: Anchor | null;
};

/** A Checkout with everything that its page shows. */
export type View = Facts &
  Entry & {
    /** In the language of the Checkout, else of the Customer, else of the browser. */
    words: Words;
    /** That language; null: the words are in British English, because no language is known. */
    locale: Locale | null;
    organization: Organization;
    /** The amounts that the provider of new payments charges (rule M5). */
    limits: ChargeLimits;
    /** Exact at this moment (rule C5). */
    status: CheckoutStatus;
    /** The payment attempt of a Checkout in `processing`, also if this request has just settled the attempt. */
    payment: Payment | null;
    product: Product;
    benefits: Benefit[];
    terms: Terms;
    /** Whether the page said that the buyer has already used the trial. */
    trialUsed: boolean;
    /** The page's own path, as a browser sees it. */
    self: string;
    /** The Customer of a Checkout that names one, or that changes a Subscription. */
    buyer: Customer | null;
    /** The values that this browser has typed before. */
    remembered: Partial<RememberedInput> | null;
    /** The country that the page presets, with the tax of this country (rule C3p); null: there is none. */
    preset: string | null;
  };

/**
 * Queries the provider for the payment's status at once, so that a buyer back from the bank need not wait for a worker.
 */
async function ask(ctx: Context, found: CheckoutPageRows): Promise<CheckoutPageRows> {
  const { organizationId, id, status } = found.checkout;
  if (status !== "processing") return { ...found, payment: null };
  if (found.payment?.status !== "requires_action") return found;
  const payment = await carryOutPayment(ctx, organizationId, found.payment.id);
  return { ...(await readCheckoutPage(ctx.db.read, organizationId, id))!, payment };
}

const NOTHING_ASKED = {
  asksBilling: false,
  located: null,
  hasCodes: false,
  credit: 0,
  quote: null,
  onFile: null,
  refusal: null,
  nextChargeAt: null,
  anchor: null,
};

/** Only the credit of a named Customer needs a further trip: due work comes before it. */
async function purchaseFacts(ctx: Context, { checkout, organization, customer, hasDiscounts }: CheckoutPageRows) {
  const credit = await readCredit(ctx, checkout);
  const terms = { organization, limits: limitsFor(ctx, organization, checkout.currency), credit };
  const purchase = purchaseOf(terms, checkout, checkout.customerNamed ? customer : null);
  return { ...NOTHING_ASKED, hasCodes: checkout.amount > 0 && hasDiscounts, credit, ...purchase };
}

async function changeFacts(ctx: Context, checkout: ReadCheckout): Promise<Facts> {
  const change = await quoteChange(ctx, checkout);
  if ("refusal" in change) return { ...NOTHING_ASKED, checkout, refusal: change.refusal };
  const { quote, onFile } = change;
  const { nextChargeAt, anchor } = quote;
  return { ...NOTHING_ASKED, checkout: { ...checkout, ...quote.checkout }, quote, onFile, nextChargeAt, anchor };
}

/** The state of a completed change. Its Subscription may have been changed again since, or have ended. */
async function changedFacts(ctx: Context, checkout: ReadCheckout): Promise<Facts> {
  const { organizationId, subscriptionId, productId } = checkout;
  const subscription = await subscriptions.find(ctx.db.read, organizationId, subscriptionId!);
  if (subscription === null || !renews(subscription)) return { ...NOTHING_ASKED, checkout };
  const charges = await readNextCharges(ctx, organizationId, subscription.customerId, [subscription]);
  return { ...NOTHING_ASKED, checkout, ...chargeFor(productId, charges.get(subscription.id)) };
}

function factsOf(ctx: Context, rows: CheckoutPageRows): Promise<Facts> | Facts {
  const { checkout } = rows;
  const status = statusAt(checkout, checkout.now);
  if (status === "open") return checkout.change ? changeFacts(ctx, checkout) : purchaseFacts(ctx, rows);
  return status === "completed" && checkout.change ? changedFacts(ctx, checkout) : { ...NOTHING_ASKED, checkout };
}

/** The Checkout's Customer, unless the buyer typed the e-mail address that found the Customer. */
function buyerOf({ customerNamed, change }: ReadCheckout, customer: Customer | null): Customer | null {
  return (customerNamed || change) && customer?.deletedAt === null ? customer : null;
}

/**
 * Null for anything but the whole link of a Checkout: the holder of that link may see and pay the Checkout. `accepted`:
 * the locales of the browser.
 */
export async function findView(
  ctx: Context,
  id: string,
  secret: string,
  accepted: readonly Locale[],
): Promise<View | null> {
  const opened = isId("chk", id) ? openCheckoutUrl(ctx, id, secret) : null;
  const found = opened && (await readCheckoutPage(ctx.db.read, opened.organizationId, id));
  if (!found) return null;
  const rows = await ask(ctx, found);
  const { checkout, organization, customer, payment, product, benefits } = rows;
  const [entry, facts] = await Promise.all([entryWith(ctx, organization, rows.closed), factsOf(ctx, rows)]);
  const limits = limitsFor(ctx, organization, checkout.currency);
  const buyer = buyerOf(checkout, customer);
  const self = `${basePath(ctx)}/checkout/${id}/${secret}`;
  const locale = knownOf([checkout.locale, customer?.locale ?? null, ...accepted]);
  const words = wordsFor(locale);
  const shown = { words, locale, organization, limits, payment, product, benefits, self, buyer };
  const seen = { ...facts, ...shown, ...entry, remembered: null, preset: null, trialUsed: false };
  return withCheckout(seen, facts.checkout);
}

/** As `findView`, for a Checkout of this Organization without its link. */
export function findOwnView(
  ctx: Context,
  organizationId: string,
  id: string,
  accepted: readonly Locale[],
): Promise<View | null> {
  const secret = checkoutUrl(ctx, { organizationId, id }).split("/").at(-1)!;
  return findView(ctx, id, secret, accepted);
}

/** The same page for another state of the Checkout. */
function withCheckout(view: Omit<View, "status" | "terms">, checkout: ReadCheckout): View {
  const { words, organization, nextChargeAt, anchor } = view;
  const at = checkout.completedAt ?? checkout.now;
  const terms = termsOf(checkout, { words, organization, at, nextChargeAt, anchor });
  const noted = view.preset === null ? terms : { ...terms, taxNote: presetNote(words, view.preset, checkout, terms) };
  return { ...view, checkout, status: statusAt(checkout, checkout.now), terms: noted };
}

/** Says for which country the page shows its amounts, or that the amounts need more than the country. */
function presetNote(words: Words, preset: string, { tax }: ReadCheckout, { taxNote }: Terms): string | null {
  if (tax) return plainSentences(words, words.terms.taxFor({ country: words.country(preset) }), taxNote ?? "");
  return taxNote === null ? null : words.terms.addressIncomplete;
}

/**
 * The page with a preset country, and with its amounts for this country, if the buyer's place is not known
 * (rule C3p). If the tax depends on a region of the country, the amounts have to wait for the region.
 */
export function withPreset(view: View, country: string | null): View {
  const { checkout, organization, asksBilling, remembered } = view;
  const isPreset =
    asksBilling && remembered?.country === undefined && !checkout.billing?.address && isTaxable(organization, checkout);
  if (!isPreset || country === null || view.status !== "open") return view;
  const address = { country, line1: null, line2: null, postalCode: null, city: null, state: null };
  const billing = needsRegion(organization.taxRates, country) ? null : { address, taxId: null };
  return withCheckout({ ...view, preset: country }, purchaseAt(view, checkout, billing));
}

/** The page without the trial, for a buyer with an earlier trial. */
export function withoutTrial(view: View): View {
  return { ...withCheckout(view, purchaseWithoutTrial(view, view.checkout)), trialUsed: true };
}

/**
 * The page while the buyer's place is missing or has faults. If the country is valid, a note asks the buyer to correct
 * the other fields.
 */
export function withoutTax(view: View, faults: Faults): View {
  if (!isTaxable(view.organization, view.checkout)) return view;
  const untaxed = withCheckout({ ...view, preset: null }, { ...view.checkout, tax: null, settlement: null });
  if (faults.country !== undefined || untaxed.terms.taxNote === null) return untaxed;
  return {
    ...untaxed,
    terms: { ...untaxed.terms, taxNote: view.words.terms.addressIncomplete },
  };
}
