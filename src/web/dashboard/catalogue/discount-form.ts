import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { priceIn, type Product } from "../../../domain/model/product.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { definitions } from "../components/definitions.ts";
import { durationOf } from "../lists/discounts.ts";
import { dashboardPage } from "../frame.ts";
import { hiddenFields, refusalNotice, type Sent } from "../sent.ts";
import { discountFields, picturedDiscount } from "./discount-typed.ts";
import { checkField, enterButton, filled, radioField, selectField, sentMark, textField, timeField } from "./fields.ts";
import { catalogueHead } from "./head.ts";
import { besides, formButtons, livePart, picture } from "./picture.ts";
import { CURRENCY_OPTIONS } from "./prices.ts";
import { benefitsAmong } from "./product-typed.ts";

/** The state of a form of a Discount. `discount` null: the form makes a new one. `products`: those for sale. */
export type DiscountScene = {
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
  ctx: Context,
  { products, benefits, now }: DiscountScene,
  { visit, fields }: Pick<Sent, "visit" | "fields">,
  discount: Discount | null,
): Html {
  if (products.length === 0)
    return html`<p class="hint">The preview needs a Product for sale.
<a href="${visit.self}/products/new">Create a Product</a></p>`;
  if (discount === null) return html`<p class="hint">The preview appears once you type the reduction.</p>`;
  const covered = coveredBy(discount, products);
  const product = covered.find(({ id }) => id === fields.get("pictured")) ?? covered[0];
  if (!product) return html`<p class="hint">No Product for sale has a price in the currency of this Discount.</p>`;
  return picture(ctx, {
    organization: visit.organization,
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

function termFields(sent: Sent, products: readonly Product[]): Html {
  const product = ({ id, name, interval, intervalCount }: Product) =>
    [id, html`<bdi>${name}</bdi>, ${rhythmOf(ENGLISH, { interval, intervalCount })}`] as const;
  return html`${radioField(sent, "type", "Reduction", [
    ["percentage", "A percentage of the price"],
    ["fixed", "An amount of each price"],
  ])}
<div class="only-percentage">
${textField(sent, "basisPoints", { label: "Percent off", maxlength: 8, hint: "Such as 25 or 12.5." })}
</div>
<div class="only-fixed pair">
${textField(sent, "amount", { label: "Amount off", maxlength: 20, hint: "Such as 5.00." })}
${selectField(sent, "currency", { label: "Currency", options: CURRENCY_OPTIONS })}
</div>
${radioField(sent, "duration", "Duration in a Subscription", [
  ["once", "The first payment"],
  ["repeating", "Some months"],
  ["forever", "For ever"],
])}
<div class="only-repeating">${textField(sent, "months", { label: "Months", maxlength: 4, inputmode: "numeric" })}</div>
${checkField(sent, "productIds", "Products", products.map(product), "There are no Products for sale yet.")}
<p class="hint">Without a choice, the Discount covers all Products.</p>`;
}

/** The form of a new Discount, or of the fields that can change later, with its picture. */
export function discountForm(ctx: Context, scene: DiscountScene, given: Sent): Html {
  const { discount, products, now } = scene;
  const { visit } = given;
  const { organization, self } = visit;
  const first = new URLSearchParams({ type: "percentage", duration: "once", currency: organization.defaultCurrency });
  const sent = filled(given, discount === null ? first : discountFields(discount, organization));
  const drawn =
    discount === null
      ? picturedDiscount(organization, sent, now)
      : {
          ...discount,
          code: sent.fields.get("code") || discount.code,
          startsAt: null,
          endsAt: null,
          maxRedemptions: null,
        };
  const path = `${self}/discounts`;
  const version =
    discount === null ? "" : html`<input type="hidden" name="version" value="${sent.fields.get("version") ?? ""}">`;
  const back = discount === null ? path : `${path}/${discount.id}`;
  const zone = `In the time zone ${organization.timeZone}.`;
  const form = html`<form method="post" class="catalogue" data-once data-pictured novalidate>
${enterButton}${hiddenFields(sent)}${sentMark}${version}
${refusalNotice(sent, NAMES)}
${textField(sent, "code", { label: "Code", maxlength: 64, hint: "Buyers type the code. Letter case does not count." })}
${discount === null ? termFields(sent, products) : ""}
${textField(sent, "maxRedemptions", {
  label: "Maximum uses",
  mark: "optional",
  maxlength: 10,
  inputmode: "numeric",
  hint:
    discount === null
      ? "Leave the field empty for no limit."
      : `Leave the field empty for no limit. The code has been used ${discount.redemptions} times.`,
})}
${timeField(sent, "startsAt", { label: "Start", mark: "optional", hint: zone })}
${timeField(sent, "endsAt", { label: "End", mark: "optional", hint: zone })}
${discount === null ? "" : fixedTerms(discount)}
${livePart("choice", picturedChoice(sent, drawn, products))}
${formButtons(discount === null ? "Create the Discount" : "Preview", back)}
</form>`;
  const title = discount === null ? "New Discount" : `Edit ${discount.code}`;
  const body = besides(form, "What the buyer will see", discountPicture(ctx, scene, sent, drawn));
  return dashboardPage(ctx, visit, { section: "discounts", title, body, head: catalogueHead(ctx) });
}
