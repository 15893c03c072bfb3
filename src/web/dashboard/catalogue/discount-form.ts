import { html } from "hono/html";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { priceIn, type Product } from "../../../domain/model/product.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { definitions } from "../components/definitions.ts";
import { durationOf } from "../lists/discounts.ts";
import { checkField, dateField, OPTIONAL, radioField, selectField, textField } from "../fields.ts";
import type { Sent } from "../sent-form.ts";
import { discountFields, picturedDiscount } from "./discount-values.ts";
import { filled, livePart, picturedForm } from "./frame.ts";
import { picture } from "./picture.ts";
import { CURRENCY_OPTIONS } from "./prices.ts";
import { benefitsAmong } from "./product-values.ts";
import { DISCOUNTS } from "./resources.ts";

/** The state of a form of a Discount. `discount` null: the form makes a new one. `products`: those for sale. */
export type DiscountData = {
  discount: Discount | null;
  products: readonly Product[];
  benefits: readonly Benefit[];
  now: Instant;
};

const NAMES = [
  "code",
  "type",
  "basisPoints",
  "amount",
  "currency",
  "duration",
  "months",
  "maxRedemptions",
  "startsAt",
  "endsAt",
  "productIds",
];

/** The Products that a Discount covers and in whose currency the Discount is. */
function coveredBy({ productIds, currency }: Discount, products: readonly Product[]): Product[] {
  return products.filter(
    (product) =>
      (productIds === null || productIds.includes(product.id)) &&
      (currency === null || priceIn(product, currency) !== null) &&
      product.prices.some(({ amount }) => amount > 0),
  );
}

/** The Checkout of a Product with the Discount: of the chosen Product, or of the first one. */
export function discountPicture(
  { products, benefits, now }: DiscountData,
  { request, fields }: Pick<Sent, "request" | "fields">,
  discount: Discount | null,
): Html {
  if (products.length === 0)
    return html`<p class="hint">The preview needs a Product for sale.
<a href="${request.self}/products/new">Create a Product</a></p>`;
  if (discount === null) return html`<p class="hint">The preview appears once you type the reduction.</p>`;
  const covered = coveredBy(discount, products);
  const product = covered.find(({ id }) => id === fields.get("pictured")) ?? covered[0];
  if (!product) return html`<p class="hint">No Product for sale has a price in the currency of this Discount.</p>`;
  return picture(request.ctx, {
    organization: request.organization,
    now,
    product,
    benefits: benefitsAmong(benefits, product.benefitIds),
    currency: discount.currency,
    discount,
  });
}

function picturedChoice(sent: Sent, discount: Discount | null, products: readonly Product[]): Html | "" {
  const covered = discount === null ? [] : coveredBy(discount, products);
  if (covered.length < 2) return "";
  const options = covered.map((each) => [each.id, `${each.name}, ${rhythmOf(ENGLISH, each)}`] as const);
  return selectField(sent, "pictured", { label: "Product of the preview", options });
}

/** The agreed reduction, which no edit changes. */
function fixedTerms(discount: Discount): Html {
  const { basisPoints, amount, currency } = discount;
  return html`<section class="fixed" aria-labelledby="fixed">
<h2 id="fixed">Fixed at the start</h2>
<p class="hint">Buyers have agreed to this reduction. For another one, create another Discount and delete this one.</p>
${definitions([
  ["Reduction", basisPoints === null ? ENGLISH.money(amount!, currency!) : ENGLISH.percent(basisPoints)],
  ["Duration", durationOf(discount)],
])}
</section>`;
}

const TYPES = [
  ["percentage", "A percentage of the price"],
  ["fixed", "An amount of each price"],
] as const;
const DURATIONS = [
  ["once", "The first payment"],
  ["repeating", "Some months"],
  ["forever", "For ever"],
] as const;

function termFields(sent: Sent, products: readonly Product[]): Html {
  const product = ({ id, name, interval, intervalCount }: Product) =>
    [id, html`<bdi>${name}</bdi>, ${rhythmOf(ENGLISH, { interval, intervalCount })}`] as const;
  return html`${radioField(sent, "type", { legend: "Reduction", choices: TYPES })}
<div class="only-percentage">
${textField(sent, "basisPoints", { label: "Percent off", maxlength: 8, hint: "Such as 25 or 12.5." })}
</div>
<div class="only-fixed pair">
${textField(sent, "amount", { label: "Amount off", maxlength: 20, hint: "Such as 5.00." })}
${selectField(sent, "currency", { label: "Currency", options: CURRENCY_OPTIONS })}
</div>
${radioField(sent, "duration", { legend: "Duration in a Subscription", choices: DURATIONS })}
<div class="only-repeating">${textField(sent, "months", { label: "Months", maxlength: 4, inputmode: "numeric" })}</div>
${checkField(sent, "productIds", {
  legend: "Products",
  choices: products.map(product),
  none: "There are no Products for sale yet.",
})}
<p class="hint">Without a choice, the Discount covers all Products.</p>`;
}

/** The form of a new Discount, or of the fields that can change later, with its picture. */
export function discountForm(data: DiscountData, given: Sent): { title: string; body: Html } {
  const { discount, products, now } = data;
  const { organization } = given.request;
  const first = new URLSearchParams({ type: "percentage", duration: "once", currency: organization.defaultCurrency });
  const sent = filled(given, discount === null ? first : discountFields(discount, organization));
  const code = sent.fields.get("code") || discount?.code;
  const wanted =
    discount === null
      ? picturedDiscount(organization, sent, now)
      : { ...discount, code: code!, startsAt: null, endsAt: null, maxRedemptions: null };
  const time = { type: "datetime-local", mark: OPTIONAL, hint: `In the time zone ${organization.timeZone}.` } as const;
  const used = discount === null ? "" : ` The code has been used ${discount.redemptions} times.`;
  const fields = html`${textField(sent, "code", {
    label: "Code",
    maxlength: 64,
    hint: "Buyers type the code. Letter case does not count.",
  })}
${discount === null ? termFields(sent, products) : ""}
${textField(sent, "maxRedemptions", {
  label: "Maximum uses",
  mark: OPTIONAL,
  maxlength: 10,
  inputmode: "numeric",
  hint: `Leave the field empty for no limit.${used}`,
})}
${dateField(sent, "startsAt", { label: "Start", ...time })}
${dateField(sent, "endsAt", { label: "End", ...time })}
${discount === null ? "" : fixedTerms(discount)}
${livePart("choice", picturedChoice(sent, wanted, products))}`;
  return picturedForm(DISCOUNTS, discount, sent, { names: NAMES, fields, drawn: discountPicture(data, sent, wanted) });
}
