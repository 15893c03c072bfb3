import { html } from "hono/html";
import { visitWith, type LinkRows } from "../../../actions/checkout/read-link.ts";
import { codeKey, type Discount } from "../../../domain/model/discount.ts";
import { LANGUAGES } from "../../../domain/locale.ts";
import type { CountedPaymentLink, PaymentLink } from "../../../domain/model/payment-link.ts";
import { wordsFor } from "../../../texts/words.ts";
import { offerGrid } from "../../buy/offers.ts";
import { offerViews } from "../../buy/view.ts";
import { ownName } from "../../components/language-name.ts";
import type { Html } from "../../layout.ts";
import { checkField, OPTIONAL, radioField, selectField, textField } from "../fields.ts";
import { quantityField, QUANTITY_LENGTH } from "../quantity-field.ts";
import type { DashboardRequest } from "../request.ts";
import type { Sent } from "../sent-form.ts";
import { currencyOptions, productOption } from "../subscription/products.ts";
import { filled, picturedForm } from "./frame.ts";
import { chosenIn, orderPart, withMoved } from "./link-order.ts";
import { LEAST, linkFields, MOST, NAMES, picturedLink } from "./link-values.ts";
import { fieldNames, ownFields } from "./own-fields.ts";
import { PAYMENT_LINKS } from "./resources.ts";

/** The state of a form of a link. `link` null: the form makes a new one. `discounts`: of its code and of the typed one. */
export type LinkData = Omit<LinkRows, "discount"> & { link: CountedPaymentLink | null; discounts: readonly Discount[] };

const NO_WISH = { product: null, quantity: null, currency: null };

/** The offers as a visit without a wish sees them. */
export function linkPicture(data: LinkData, { ctx }: DashboardRequest, link: PaymentLink | null): Html {
  if (link === null) return html`<p class="hint">The preview appears once you choose a Product.</p>`;
  const { discountCode: code } = link;
  const discount = data.discounts.find((each) => code !== null && each.codeKey === codeKey(code)) ?? null;
  const products = link.productIds.flatMap((id) => data.products.find((each) => each.id === id) ?? []);
  const visit = visitWith(ctx, { ...data, products, discount }, link, NO_WISH, code);
  if (visit.offers.length === 0) return html`<p class="hint">No Product of this link is for sale.</p>`;
  const words = wordsFor(link.locale);
  const offers = offerViews(ctx, visit, words);
  const label = (name: string) =>
    offers.length === 1 ? words.buy.onward : words.buy.onwardWith.markup({ product: html`<bdi>${name}</bdi>` });
  const choose = ({ product }: (typeof offers)[number]) => html`<p class="button">${label(product.name)}</p>`;
  const drawn = { words, organization: data.organization };
  return html`<div class="screen"><div class="plans buy" lang="${words.locale}">
${offerGrid(drawn, offers, choose)}
</div></div>`;
}

function quantityFields(sent: Sent): Html {
  const limit = (name: string, label: string) =>
    textField(sent, name, { label, mark: OPTIONAL, maxlength: QUANTITY_LENGTH, inputmode: "numeric" });
  return html`${quantityField(sent)}
<div class="pair">
${limit(LEAST, "The buyer can choose from")}
${limit(MOST, "The buyer can choose up to")}
</div>`;
}

/** The form of a link with the picture of its page. */
export function linkForm(data: LinkData, given: Sent): { title: string; body: Html } {
  const { link, products, organization, now } = data;
  const first = link === null ? new URLSearchParams({ allowDiscountCodes: "yes" }) : linkFields(link);
  const sent = withMoved(filled(given, first));
  const languages = LANGUAGES.map((each) => [each, ownName(each)] as const);
  // The API takes any language tag.
  const other =
    link?.locale && !LANGUAGES.some((each) => each === link.locale) ? [[link.locale, link.locale] as const] : [];
  const fields = html`${textField(sent, "name", { label: "Name", maxlength: 128, hint: "Buyers do not see the name." })}
${checkField(sent, "products", {
  legend: "Products",
  choices: products.map((product) => productOption(product)),
  none: "There are no Products for sale yet.",
})}
<p class="hint">One to ten Products.</p>
${orderPart(sent, products)}
${selectField(sent, "currency", {
  label: "Currency",
  mark: OPTIONAL,
  none: "As each Product",
  options: currencyOptions(products),
})}
${quantityFields(sent)}
${textField(sent, "discountCode", { label: "Discount code", mark: OPTIONAL, maxlength: 64 })}
${radioField(sent, "allowDiscountCodes", {
  legend: "Codes that buyers type in the Checkout",
  choices: [
    ["yes", "Are taken"],
    ["no", "Are not taken"],
  ],
})}
${selectField(sent, "locale", {
  label: "Language",
  mark: OPTIONAL,
  none: "As the browser of the buyer",
  options: [...languages, ...other],
})}
${textField(sent, "successUrl", {
  label: "Page after the purchase",
  mark: OPTIONAL,
  maxlength: 2048,
  placeholder: "https://",
})}
${ownFields(sent)}`;
  const pictured = picturedLink(organization, sent, now);
  const drawn =
    pictured === null && chosenIn(sent).length > 0
      ? html`<p class="hint">The preview appears once each field has a value that can be used.</p>`
      : linkPicture(data, given.request, pictured);
  const names = [...NAMES, "fields", ...fieldNames(sent)];
  return picturedForm(PAYMENT_LINKS, link, sent, { names, fields, drawn });
}
