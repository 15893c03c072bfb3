import { limitsFor } from "../../actions/load-context.ts";
import type { LinkVisit } from "../../actions/checkout/read-link.ts";
import type { Context } from "../../context.ts";
import { draftCheckout } from "../../domain/checkout/create.ts";
import type { LinkOffer } from "../../domain/checkout/link-offer.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { cardNeed, type Checkout } from "../../domain/model/checkout.ts";
import type { Words } from "../../texts/words.ts";
import { termsOf, type Terms } from "../checkout/terms.ts";

/** One Product of a link with its figures, as the Checkout of a click would have them now. */
export type OfferView = LinkOffer & { checkout: Checkout; terms: Terms; benefits: readonly Benefit[] };

/** The draft of the Checkout that a click on this offer makes. It is not written. */
function draftOf(ctx: Context, { organization, now, link, code }: LinkVisit, offer: LinkOffer): Checkout {
  const discount = code?.productIds.has(offer.product.id) ? code.discount : null;
  const options = {
    successUrl: link.successUrl,
    cancelUrl: null,
    locale: null,
    expiresInMinutes: null,
    metadata: {},
    allowDiscountCodes: link.allowDiscountCodes,
    discountCode: discount?.code ?? null,
    quantityChange: offer.range,
    fields: link.fields,
  };
  const limits = limitsFor(ctx, organization, offer.price.currency);
  const seller = { organization, hasProvider: true, limits, now };
  return draftCheckout(seller, { sale: offer, discount, options, usesBalance: false }, null);
}

export function offerViews(ctx: Context, visit: LinkVisit, words: Words): OfferView[] {
  const { organization, now: at } = visit;
  return visit.offers.map((offer) => {
    const checkout = draftOf(ctx, visit, offer);
    const terms = termsOf(checkout, { words, organization, at, nextChargeAt: null, anchor: null });
    return { ...offer, checkout, terms, benefits: visit.benefits.get(offer.product.id) ?? [] };
  });
}

/** Why no offer of the page can be bought now; null: at least one can. */
export function closedFor({ closed }: Pick<LinkVisit, "closed">, offers: readonly OfferView[]): LinkVisit["closed"] {
  if (closed === null) return null;
  const isOpen = ({ checkout }: OfferView) => {
    const need = cardNeed(checkout);
    return need === "none" || (need === "optional" && closed === "payments_paused");
  };
  return offers.some(isOpen) ? null : closed;
}
