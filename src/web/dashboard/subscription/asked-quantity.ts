import { html } from "hono/html";
import { limitsOf, type Product } from "../../../domain/model/product.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { ProrationBehavior } from "../../../domain/model/proration.ts";
import type { Subscription } from "../../../domain/model/subscription.ts";
import { unitsOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { QUANTITY_LENGTH } from "../quantity-field.ts";
import { isSoldByQuantity, rangeInWords } from "../quantity-range.ts";
import { hiddenValues } from "../sent-form.ts";
import type { Held } from "./page-data.ts";

/** `quantity` null: the page asks for none, so the present quantity stays (rule Q6). A text: as it was typed. */
type Quantity = number | string | null;

/** The Product and the quantity of a change, as the page asks for them. */
export type AskedOnPage = { product: Product; quantity: Quantity };

type Asked = { productId: string; quantity?: Quantity };

export const isQuantity = (value: string): boolean => /^[1-9]\d{0,5}$/.test(value);

/** The fields of the address and of the form. */
export const addressOf = ({ product, quantity }: AskedOnPage): { productId: string; quantity?: string } => ({
  productId: product.id,
  ...(quantity !== null && { quantity: String(quantity) }),
});

/** Whether the quantity alone changes: then the price of a unit stays as sold (rule Q6a). */
export const isQuantityAlone = ({ productId }: Subscription, asked: Asked): boolean =>
  asked.productId === productId && asked.quantity != null;

/**
 * The body of the PATCH. A change of the Product, and a new price of the current one, is at the catalogue's price (rule
 * P7). `undoes`: the page said that the change undoes the scheduled cancellation.
 */
export function bodyOf(
  subscription: Subscription,
  asked: Asked,
  prorationBehavior: ProrationBehavior,
  undoes: boolean,
): object {
  const { productId, quantity = null } = asked;
  const common = { prorationBehavior, ...(undoes && { cancelAtPeriodEnd: false }) };
  if (isQuantityAlone(subscription, asked)) return { quantity, ...common };
  return { productId, ...(quantity !== null && { quantity }), price: "catalogue", ...common };
}

export const quantityOf = ({ quantity: present }: Subscription, { quantity }: AskedOnPage): number =>
  typeof quantity === "number" ? quantity : present;

/** The Organization's default for this change (rule Q7). */
export function usualBehavior(
  { defaultProration, quantityRise, quantityFall }: Organization,
  subscription: Subscription,
  asked: AskedOnPage,
): ProrationBehavior {
  if (!isQuantityAlone(subscription, addressOf(asked))) return defaultProration;
  return quantityOf(subscription, asked) > subscription.quantity ? quantityRise : quantityFall;
}

/** The wanted Product with its units: `Team`, `8 seats of Team`. */
export function nameOf(subscription: Subscription, asked: AskedOnPage): string {
  const { product } = asked;
  const quantity = quantityOf(subscription, asked);
  if (quantity === 1 && !isSoldByQuantity(product)) return product.name;
  return `${unitsOf(ENGLISH, { quantity, unitName: product.unitName })} of ${product.name}`;
}

/** Asks for the preview of another quantity of a Product. Empty for a Product that is sold as one unit. */
export function quantityForm({ path, subscription }: Held, asked: AskedOnPage): Html | "" {
  const { product, quantity } = asked;
  const { minimum, maximum } = limitsOf(product);
  const shown = quantity ?? subscription.quantity;
  if (minimum === maximum && shown === minimum) return "";
  const range = `Sold in ${rangeInWords(product)}.`;
  return html`<form method="get" action="${path}/change" class="narrow">
${hiddenValues({ productId: product.id })}
<div class="field">
<label for="quantity">Quantity of ${product.name}</label>
<input id="quantity" name="quantity" type="text" inputmode="numeric" autocomplete="off" maxlength="${QUANTITY_LENGTH}"
 value="${shown}" required aria-describedby="quantity-hint">
<p class="hint" id="quantity-hint">${range}</p>
</div>
<button class="button small other" type="submit">Preview this quantity</button>
</form>`;
}
