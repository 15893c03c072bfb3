import { html } from "hono/html";
import { limitsFor } from "../../../actions/load-context.ts";
import type { Context } from "../../../context.ts";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { defaultCurrency, periodOf, priceIn, type Product } from "../../../domain/model/product.ts";
import { draftCheckout } from "../../../domain/checkout/create.ts";
import type { Checkout } from "../../../domain/model/checkout.ts";
import { totalOf } from "../../../domain/model/quantity.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { summary } from "../../checkout/summary.ts";
import { termsOf } from "../../checkout/terms.ts";
import type { Html } from "../../layout.ts";
import { offerText } from "../../portal/plans.ts";
import { wordsOf } from "../refusal.ts";
import { inOneText } from "../sent-form.ts";

/**
 * A purchase that is drawn before it can be made. `currency`: the currency of the picture, if there is a price in this
 * currency. `now`: the present billing time.
 */
export type Pictured = {
  organization: Organization;
  now: Instant;
  product: Product;
  benefits: readonly Benefit[];
  currency: string | null;
  discount: Discount | null;
};

const NO_WISHES = {
  successUrl: null,
  cancelUrl: null,
  locale: null,
  expiresInMinutes: null,
  metadata: {},
  allowDiscountCodes: true,
  discountCode: null,
  quantityChange: null,
  fields: null,
};

/** The currency of the picture: the chosen one, or the one of a Checkout that names no currency, or the first one. */
export function picturedCurrency(product: Product, organization: Organization, chosen: string | null): string | null {
  if (chosen !== null && priceIn(product, chosen) !== null) return chosen;
  return defaultCurrency(product, organization.defaultCurrency) ?? product.prices[0]?.currency ?? null;
}

/**
 * The smallest quantity and its total. The total of typed values can be more than a Checkout can have (rule Q4): the
 * picture then shows one unit.
 */
function smallestSale(product: Product, currency: string): { quantity: number; amount: number } {
  const unit = priceIn(product, currency)!;
  const amount = totalOf(unit, product.quantityMinimum);
  return amount === null ? { quantity: 1, amount: unit } : { quantity: product.quantityMinimum, amount };
}

/** The Checkout that a buyer without a Customer would get now. @throws Refusal if the Discount can't be used */
function draft(ctx: Context, { organization, now, product, currency, discount }: Pictured, shown: string): Checkout {
  const { quantity, amount } = smallestSale(product, shown);
  const sale = { product, quantity, price: { currency: shown, amount } };
  const options = { ...NO_WISHES, discountCode: discount?.code ?? null };
  const limits = limitsFor(ctx, organization, currency ?? shown);
  const seller = { organization, hasProvider: true, limits, now };
  return draftCheckout(seller, { sale, discount, options, usesBalance: false }, null);
}

function checkoutPicture(ctx: Context, pictured: Pictured, shown: string): Html {
  const { organization, now, product, benefits } = pictured;
  const checkout = draft(ctx, pictured, shown);
  const circumstances = { words: ENGLISH, organization, at: now, nextChargeAt: null, anchor: null };
  const terms = termsOf(checkout, circumstances);
  return summary({
    words: ENGLISH,
    organization,
    checkout,
    product,
    benefits: [...benefits],
    quote: null,
    terms,
  });
}

/** The entry of a recurring Product among the plans of the portal. A Product without a group is never offered there. */
function portalPicture({ product, benefits }: Pictured, currency: string): Html | "" {
  const period = periodOf(product);
  if (period === null || product.groupKey === null) return "";
  const { name, description, unitName } = product;
  const offer = { ...period, name, description, unitName, benefits, ...smallestSale(product, currency) };
  return html`<p class="caption">As a plan in the portal</p>
<div class="offers"><div class="paper">${offerText(ENGLISH, offer, { currency, tax: null }, "h2")}</div></div>`;
}

/** The pages of the buyer, as the typed values make them; or the sentence that says which value is missing. */
export function picture(ctx: Context, pictured: Pictured): Html {
  const { product, organization, currency } = pictured;
  const shown = picturedCurrency(product, organization, currency);
  if (shown === null) return html`<p class="hint">The preview appears once you type a price.</p>`;
  try {
    return html`<p class="caption">In the Checkout</p>
<div class="screen">${checkoutPicture(ctx, pictured, shown)}</div>
${pictured.discount === null ? portalPicture(pictured, shown) : ""}`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = inOneText(wordsOf(error));
    return html`<p class="hint">A buyer of <bdi>${product.name}</bdi> can't use this Discount. ${why}</p>`;
  }
}
