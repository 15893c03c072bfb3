import { html } from "hono/html";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { Instant } from "../../../domain/calendar.ts";
import type { Html } from "../../layout.ts";
import type { Choice } from "../components/choices.ts";
import { areaField, checkField, OPTIONAL, radioField, selectField, textField } from "../fields.ts";
import { EDIT, typed, type Sent } from "../sent-form.ts";
import { filled, livePart, picturedForm } from "./frame.ts";
import { metadataPart } from "./metadata.ts";
import { picture, picturedCurrency } from "./picture.ts";
import { priceFields, priceNames } from "./prices.ts";
import { fixedFacts } from "./product-facts.ts";
import { benefitsAmong, picturedProduct, productFields, siblingFields } from "./product-values.ts";
import { QUANTITY_NAMES, quantityFields } from "./quantity.ts";
import { PRODUCTS } from "./resources.ts";
import { YEARLY_NAMES, yearlyFields } from "./yearly.ts";

/**
 * The state of a form of a Product. `product` null: the form makes a new one. `benefits`: all Benefits that can be
 * chosen. `suggestion`: a free key that fits the name; null: there is none.
 */
export type ProductData = {
  product: Product | null;
  /** For a new Product: the Product with the same plan and another period. */
  like: Product | null;
  benefits: readonly Benefit[];
  now: Instant;
  suggestion: string | null;
};

const NAMES = [
  "name",
  "key",
  "description",
  "sold",
  "interval",
  "intervalCount",
  "trialDays",
  "trialCard",
  "group",
  "prices",
  "benefitIds",
  "metadata",
];

/** A new Product is a monthly plan of the group of the plans, at a price in the Organization's currency. */
const FIRST = new URLSearchParams([
  ["sold", "recurring"],
  ["interval", "month"],
  ["intervalCount", "1"],
  ["group", "plans"],
  ["trialCard", "required"],
  ["quantity.minimum", "1"],
  ["quantity.maximum", "1"],
]);

/** The first fields of a new Product. `like`: the same plan with another period. */
export function newFields(like: Product | null): URLSearchParams {
  const own = like === null ? [] : siblingFields(like);
  const names = new Set(own.map(([name]) => name));
  return new URLSearchParams([...[...FIRST].filter(([name]) => !names.has(name)), ...own]);
}

/** The beginning of the value of the button that takes a suggested key. */
const LIKE = "key:";

/** The form after a click on the suggested key. */
function withKey(sent: Sent): Sent {
  const asked = sent.fields.get(EDIT);
  if (!asked?.startsWith(LIKE)) return sent;
  const fields = new URLSearchParams(sent.fields);
  fields.set("key", asked.slice(LIKE.length));
  return { ...sent, fields };
}

/** The key that fits the name, with a button that takes the key. */
function keySuggestion(sent: Sent, suggestion: string | null): Html {
  const isOpen = suggestion !== null && typed(sent, "key") === "";
  const button = html`<button class="link-like" type="submit" name="${EDIT}" 
 value="${LIKE}${suggestion ?? ""}">Use the key
<code>${suggestion}</code></button>`;
  return livePart("key", isOpen ? button : "");
}

const SOLD = [
  ["recurring", "Recurring", "The Customer pays for each period."],
  ["once", "One-time", "The buyer pays once, and keeps the Benefits."],
] as const;
const TRIAL_CARDS = [
  ["required", "The trial asks for a card", "The card is charged at the end of the trial."],
  ["optional", "The card is optional", "Without a card, the Subscription ends with the trial."],
] as const;

function rhythmFields(sent: Sent, hasYearly: boolean): Html {
  return html`${radioField(sent, "sold", { legend: "Billing", choices: SOLD })}
<div class="recurring">
<div class="pair">
${textField(sent, "intervalCount", { label: "Billed every", maxlength: 4, inputmode: "numeric", placeholder: "1" })}
${selectField(sent, "interval", {
  label: "Period",
  options: [
    ["day", "days"],
    ["week", "weeks"],
    ["month", "months"],
    ["year", "years"],
  ],
})}
</div>
${hasYearly ? yearlyFields(sent) : ""}
${textField(sent, "trialDays", {
  label: "Free trial, in days",
  mark: OPTIONAL,
  maxlength: 3,
  inputmode: "numeric",
  hint: "Leave the field empty for no trial.",
})}
${radioField(sent, "trialCard", { legend: "Card in a trial", choices: TRIAL_CARDS })}
${textField(sent, "group", {
  label: "Group",
  mark: OPTIONAL,
  maxlength: 64,
  hint:
    "A Customer has at most one Subscription in each group, and can change to another plan of the group. The usual " +
    "group is plans. Leave the field empty for a Product beside the plans, such as an add-on.",
})}
</div>`;
}

const benefitOption = ({ id, name, key }: Benefit): Choice => [
  id,
  html`<bdi>${name}</bdi>${key === null ? "" : html` <code>${key}</code>`}`,
];

/** The currencies of the rows, if there are several: the buyer sees one of them. */
function currencyChoice(sent: Sent, product: Product, shown: string | null): Html | "" {
  if (product.prices.length < 2) return "";
  const options = product.prices.map(({ currency }) => [currency, currency.toUpperCase()] as const);
  const fields = new URLSearchParams(sent.fields);
  fields.set("pictured", shown ?? "");
  return selectField({ ...sent, fields }, "pictured", { label: "Currency of the preview", options });
}

/** The form of a new Product, or of the fields that can change later, with its picture. */
export function productForm(data: ProductData, given: Sent): { title: string; body: Html } {
  const { product, like, benefits, now, suggestion } = data;
  const { ctx, organization, self } = given.request;
  const sent = withKey(filled(given, product === null ? newFields(like) : productFields(product)));
  const wanted = picturedProduct(organization, sent, product);
  const currency = picturedCurrency(wanted, organization, sent.fields.get("pictured"));
  // The form for another period of a plan makes one Product.
  const hasYearly = product === null && like === null;
  const key = html`${textField(sent, "key", {
    label: "Key",
    mark: OPTIONAL,
    maxlength: 64,
    hint: "The name of the Product in your programs, such as pro. The key never changes.",
  })}
${keySuggestion(sent, suggestion)}`;
  const fields = html`${textField(sent, "name", {
    label: "Name",
    maxlength: 256,
    hint: "Buyers see the name in the Checkout.",
  })}
${product === null ? key : ""}
${areaField(sent, "description", { label: "Description", mark: OPTIONAL, maxlength: 2000 })}
${product === null ? rhythmFields(sent, hasYearly) : ""}
${priceFields(sent, organization.defaultCurrency, hasYearly)}
${livePart("currency", currencyChoice(sent, wanted, currency))}
${quantityFields(sent)}
${checkField(sent, "benefitIds", {
  legend: "Benefits",
  choices: benefits.map(benefitOption),
  none: html`There are no Benefits yet. <a href="${self}/benefits/new">Create a Benefit</a> first.`,
})}
${product === null ? "" : fixedFacts(product)}
${metadataPart(sent)}`;
  const included = benefitsAmong(benefits, wanted.benefitIds);
  const drawn = picture(ctx, { organization, now, product: wanted, benefits: included, currency, discount: null });
  const names = [...NAMES, ...YEARLY_NAMES, ...QUANTITY_NAMES, ...priceNames(sent.fields)];
  return picturedForm(PRODUCTS, product, sent, { names, fields, drawn });
}
