import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { Instant } from "../../../domain/calendar.ts";
import type { Html } from "../../layout.ts";
import { dashboardPage } from "../frame.ts";
import { hiddenFields, refusalNotice, typed, type Sent } from "../sent.ts";
import {
  areaField,
  checkField,
  enterButton,
  filled,
  radioField,
  selectField,
  sentMark,
  textField,
  type Described,
} from "./fields.ts";
import { metadataField } from "./metadata.ts";
import { besides, formButtons, livePart, picture, picturedCurrency } from "./picture.ts";
import { priceFields, priceNames } from "./prices.ts";
import { catalogueHead } from "./head.ts";
import { fixedFacts } from "./product-facts.ts";
import { benefitsAmong, picturedProduct, productFields, siblingFields } from "./product-typed.ts";

/**
 * The state of a form of a Product. `product` null: the form makes a new one. `benefits`: all Benefits that can be
 * chosen. `suggestion`: a free key that fits the name; null: there is none.
 */
export type ProductScene = {
  product: Product | null;
  /** For a new Product: the Product with the same plan and another period. */
  like: Product | null;
  benefits: readonly Benefit[];
  now: Instant;
  suggest(sent: Sent): Promise<string | null>;
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
]);

/** The first fields of a new Product. `like`: the same plan with another period. */
function newFields(like: Product | null): URLSearchParams {
  const own = like === null ? [] : siblingFields(like);
  const names = new Set(own.map(([name]) => name));
  return new URLSearchParams([...[...FIRST].filter(([name]) => !names.has(name)), ...own]);
}

/** The key that fits the name, with a button that takes the key. */
function keySuggestion(sent: Sent, suggestion: string | null): Html {
  const isOpen = suggestion !== null && typed(sent, "key") === "";
  const button = html`<button class="link-like" type="submit" name="key-like" value="${suggestion ?? ""}">Use the key
<code>${suggestion}</code></button>`;
  return livePart("key", isOpen ? button : "");
}

function rhythmFields(sent: Sent): Html {
  return html`${radioField(sent, "sold", "Billing", [
    ["recurring", "Recurring", "The Customer pays for each period."],
    ["once", "One-time", "The buyer pays once, and keeps the Benefits."],
  ])}
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
${textField(sent, "trialDays", {
  label: "Free trial, in days",
  mark: "optional",
  maxlength: 3,
  inputmode: "numeric",
  hint: "Leave the field empty for no trial.",
})}
${radioField(sent, "trialCard", "Card in a trial", [
  ["required", "The trial asks for a card", "The card is charged at the end of the trial."],
  ["optional", "The card is optional", "Without a card, the Subscription ends with the trial."],
])}
${textField(sent, "group", {
  label: "Group",
  mark: "optional",
  maxlength: 64,
  hint:
    "A Customer has at most one Subscription in each group, and can change to another plan of the group. The usual " +
    "group is plans. Leave the field empty for a Product beside the plans, such as an add-on.",
})}
</div>`;
}

const benefitOption = ({ id, name, key }: Benefit): Described => [
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
export async function productForm(ctx: Context, scene: ProductScene, given: Sent): Promise<Html> {
  const { product, like, benefits, now, suggest } = scene;
  const { visit } = given;
  const { organization, self } = visit;
  const sent = filled(given, product === null ? newFields(like) : productFields(product));
  const drawn = picturedProduct(organization, sent, product);
  const currency = picturedCurrency(drawn, organization, sent.fields.get("pictured"));
  const path = `${self}/products`;
  const own =
    product === null
      ? html`${textField(sent, "key", {
          label: "Key",
          mark: "optional",
          maxlength: 64,
          hint: "The name of the Product in your programs, such as pro. The key never changes.",
        })}
${keySuggestion(sent, await suggest(sent))}`
      : html`<input type="hidden" name="version" value="${sent.fields.get("version") ?? ""}">`;
  const form = html`<form method="post" class="catalogue" data-once data-pictured novalidate>
${enterButton}${hiddenFields(sent)}${sentMark}
${refusalNotice(sent, [...NAMES, ...priceNames(sent.fields)])}
${textField(sent, "name", { label: "Name", maxlength: 256, hint: "Buyers see the name in the Checkout." })}
${own}
${areaField(sent, "description", { label: "Description", mark: "optional", maxlength: 2000 })}
${product === null ? rhythmFields(sent) : ""}
${priceFields(sent, organization.defaultCurrency)}
${livePart("currency", currencyChoice(sent, drawn, currency))}
${checkField(
  sent,
  "benefitIds",
  "Benefits",
  benefits.map(benefitOption),
  html`There are no Benefits yet. <a href="${self}/benefits/new">Create a Benefit</a> first.`,
)}
${product === null ? "" : fixedFacts(product)}
<details class="more"${sent.fields.get("metadata") ? html` open` : ""}><summary>Metadata</summary>
${metadataField(sent)}</details>
${formButtons(product === null ? "Create the Product" : "Preview", product === null ? path : `${path}/${product.id}`)}
</form>`;
  const shown = picture(ctx, {
    organization,
    now,
    product: drawn,
    benefits: benefitsAmong(benefits, drawn.benefitIds),
    currency,
    discount: null,
  });
  const title = product === null ? "New Product" : `Edit ${product.name}`;
  const body = besides(form, "What the buyer will see", shown);
  return dashboardPage(ctx, visit, { section: "products", title, body, head: catalogueHead(ctx) });
}
