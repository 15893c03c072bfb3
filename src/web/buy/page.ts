import { html } from "hono/html";
import type { LinkVisit } from "../../actions/checkout/read-link.ts";
import type { Context } from "../../context.ts";
import { unitWord } from "../../domain/model/quantity.ts";
import { languageOf } from "../../texts/language.ts";
import { unitsOf } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { buyStylesPath } from "../assets.ts";
import { obstacleSaid } from "../checkout/obstacle.ts";
import { faultMark, faultText } from "../components/fault.ts";
import { messagePage } from "../components/message.ts";
import { contactLink } from "../components/seller-footer.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { planStyles } from "../portal/plans.ts";
import { carried, type Asked } from "./asked.ts";
import { offerGrid } from "./offers.ts";
import type { OfferView } from "./view.ts";

/** `notices`: sentences about values of the address that are not used. `fault`: of the typed quantity. */
export type BuyPage = {
  words: Words;
  visit: LinkVisit;
  offers: readonly OfferView[];
  asked: Asked;
  notices: readonly string[];
  fault: { text: string; typed: string } | null;
  /** The path of the page, as a browser sees it. */
  self: string;
  /** The key of one click. */
  once: string;
};

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;

/** The limits of a quantity in words: `2` and `50 seats`. */
export function limitsOf(words: Words, { range, product, quantity }: OfferView) {
  const { minimum, maximum } = range ?? { minimum: quantity, maximum: quantity };
  return {
    minimum: unitsOf(words, { quantity: minimum, unitName: null }),
    maximum: unitsOf(words, { quantity: maximum, unitName: product.unitName }),
  };
}

/** The field for the quantity where the buyer may choose one. `id`: of the field, because each offer has one. */
function quantityField({ words, fault }: BuyPage, offer: OfferView, id: string): Html {
  const { range, product, quantity } = offer;
  if (range === null || range.minimum === range.maximum) return hidden("quantity", String(quantity));
  const unit = unitWord(product.unitName, range.maximum, languageOf(words.locale));
  const label = unit === null ? words.checkout.quantity : words.checkout.quantityIn({ unit });
  const hint = words.checkout.quantityLimits(limitsOf(words, offer));
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="quantity" type="text" value="${fault?.typed ?? String(quantity)}" inputmode="numeric"
 autocomplete="off" maxlength="12" required ${faultMark(id, fault?.text, hint)}>
<p class="hint" id="${id}-hint">${hint}</p>
${faultText(id, fault?.text)}
</div>`;
}

/** The form of one offer. Its click makes the Checkout. */
function chooseForm(page: BuyPage, offer: OfferView, place: number): Html {
  const { words, self, once, asked, offers } = page;
  const name = html`<bdi>${offer.product.name}</bdi>`;
  const label = offers.length === 1 ? words.buy.onward : words.buy.onwardWith.markup({ product: name });
  return html`<form method="post" action="${self}" data-once novalidate>
${hidden("once", once)}${hidden("product", offer.product.id)}
${carried(asked).map(([key, value]) => hidden(key, value))}
${quantityField(page, offer, `quantity-${place}`)}
<button class="button" type="submit">${label}</button>
<p class="busy" role="status" data-busy="${words.frame.oneMoment}"></p>
</form>`;
}

/** The address of the page with its values, without the product. */
function othersPath({ self, asked }: BuyPage): string {
  const query = new URLSearchParams(carried(asked)).toString();
  return query === "" ? self : `${self}?${query}`;
}

/** The page on which a buyer chooses among the Products of a link. No visit makes a row. */
export function buyPage(ctx: Context, page: BuyPage): Html {
  const { words, visit, offers, notices, fault } = page;
  const { organization } = visit;
  const title = offers.length === 1 ? offers[0]!.product.name : words.buy.title;
  const drawn = { words, organization };
  const noted = notices.map((text) => html`<p>${text}</p>`);
  const isPart = offers.length < visit.sold;
  const body = html`<main class="document portal plans buy">
<header>
${merchantName(organization)}
<h1>${offers.length === 1 ? html`<bdi>${title}</bdi>` : title}</h1>
</header>
${noted.length === 0 ? "" : html`<div class="planned" role="status">${noted}</div>`}
${offerGrid(drawn, offers, (offer, place) => chooseForm(page, offer, place))}
<p class="aside">${words.buy.nextPage}</p>
${isPart ? html`<p class="aside"><a href="${othersPath(page)}">${words.buy.others}</a></p>` : ""}
</main>`;
  return layout(ctx, {
    words,
    organization,
    title: fault === null ? title : words.frame.errorTitle({ title }),
    head: buyStyles(ctx),
    body,
  });
}

export const buyStyles = (ctx: Context): Html => html`${planStyles(ctx)}
${stylesheet(buyStylesPath(ctx))}`;

/** Why a link sells nothing now. */
export type Ended = "off" | "unsold" | "ended" | NonNullable<LinkVisit["closed"]>;

/** The page of a link that sells nothing now, with the way to the seller. */
export function endedPage(
  ctx: Context,
  { words, organization }: Pick<BuyPage, "words"> & Pick<LinkVisit, "organization">,
  why: Ended,
): Html {
  const { buy } = words;
  const said =
    why === "off" || why === "ended"
      ? { title: buy[`${why}Title`], text: buy[why] }
      : obstacleSaid(words, why === "unsold" ? "product_archived" : why, "");
  return messagePage(ctx, {
    words,
    organization,
    ...said,
    icon: "stopped",
    more: html`${contactLink(words, organization)}`,
  });
}
