import { html } from "hono/html";
import type { Product } from "../../../domain/model/product.ts";
import { MOST_NOTICE_DAYS } from "../../../domain/model/price-change.ts";
import type { Html } from "../../layout.ts";
import { moneyText } from "../components/cells.ts";
import { PRODUCTS } from "../catalogue/resources.ts";
import { checkField, dateField, OPTIONAL, radioField, textField } from "../fields.ts";
import { rowPath } from "../resource-forms.ts";
import { hiddenFields, refusalNotice, type Sent } from "../sent-form.ts";
import { BEFORE, BELOW } from "./form-values.ts";

const CONSENTS = [
  [
    "notice",
    "The notice is enough",
    "The Customer can cancel before the first day of the new price. Otherwise, the Subscription goes on at this price.",
  ],
  [
    "required",
    "The Customer has to agree",
    "The Customer agrees in the portal. Otherwise, the Subscription ends on the first day of the new price. Sellers " +
      "in the EU, above all in Germany, need this as a rule.",
  ],
] as const;

const NAMES = ["currencies", BEFORE, BELOW, "noticeDays", "consent"];

function currencyField(sent: Sent, { prices }: Product): Html {
  const [only] = prices;
  if (prices.length === 1)
    return html`<p>The new price of a unit is ${moneyText(only!.amount, only!.currency)}, as in the catalogue.</p>`;
  return checkField(sent, "currencies", {
    legend: "New prices of a unit, as in the catalogue",
    choices: prices.map(({ currency, amount }) => [currency, moneyText(amount, currency)] as const),
    known: prices.map(({ currency }) => currency),
  });
}

/** The fields of a price change. The prices are those of the catalogue, so the form has no field for them. */
export function priceChangeForm(product: Product, sent: Sent): Html {
  const { request } = sent;
  const form = html`<form method="post" data-once novalidate>
${hiddenFields(sent)}
${refusalNotice(sent, NAMES)}
${currencyField(sent, product)}
${dateField(sent, BEFORE, {
  label: "Only Subscriptions that began before",
  mark: OPTIONAL,
  hint: "Leave the field empty for all Subscriptions.",
})}
${textField(sent, BELOW, {
  label: "Only if a unit costs less than",
  mark: OPTIONAL,
  maxlength: 16,
  hint: "An amount such as 20.00, in the chosen currency.",
})}
${textField(sent, "noticeDays", {
  label: "Days of notice",
  maxlength: 3,
  inputmode: "numeric",
  known: "30",
  hint:
    `0 to ${MOST_NOTICE_DAYS}. The price of a Subscription changes with its first period that begins so many days ` +
    "after its own notice, or later.",
})}
${radioField(sent, "consent", { legend: "Consent", choices: CONSENTS })}
<p class="actions">
<button class="button small" type="submit">Preview</button>
<a href="${rowPath(PRODUCTS, request, product)}/prices">Not now</a>
</p>
</form>`;
  return PRODUCTS.frame(request, `New prices for those who subscribed: ${product.name}`, form);
}
