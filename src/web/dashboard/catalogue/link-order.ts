import { html } from "hono/html";
import type { Product } from "../../../domain/model/product.ts";
import type { Html } from "../../layout.ts";
import { EDIT, type Sent } from "../sent-form.ts";
import { livePart } from "./frame.ts";

type Form = Pick<Sent, "fields">;

/** The name of the hidden inputs with the order of the chosen Products. */
const ORDER = "order";
/** The beginning of the value of the button that moves a Product up. */
const UP = "up:";

/** The ids of the chosen Products in the order of the page. Products that were chosen last come last. */
export function chosenIn({ fields }: Form): string[] {
  const order = fields.getAll(ORDER);
  const rankOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...new Set(fields.getAll("products"))].sort((one, other) => rankOf(one) - rankOf(other));
}

/** The form after a click on a button of the order. */
export function withMoved(sent: Sent): Sent {
  const asked = sent.fields.get(EDIT);
  if (!asked?.startsWith(UP)) return sent;
  const order = chosenIn(sent);
  const place = order.indexOf(asked.slice(UP.length));
  if (place < 1) return sent;
  order.splice(place - 1, 2, order[place]!, order[place - 1]!);
  const fields = new URLSearchParams([...sent.fields].filter(([name]) => name !== ORDER));
  for (const id of order) fields.append(ORDER, id);
  return { ...sent, fields };
}

/** The chosen Products in their order, each with a button that moves the Product up, also without a script. */
export function orderPart(sent: Sent, products: readonly Product[]): Html {
  const chosen = chosenIn(sent).flatMap((id) => products.find((each) => each.id === id) ?? []);
  const row = ({ id, name }: Product, place: number) => html`<li><input type="hidden" name="${ORDER}" value="${id}">
<bdi>${name}</bdi>${
    place === 0
      ? ""
      : html` <button class="link-like" type="submit" name="${EDIT}" value="${UP}${id}">Move up<span class="hidden">
 <bdi>${name}</bdi></span></button>`
  }</li>`;
  const list = html`<fieldset class="order"><legend>Order on the page</legend><ol>${chosen.map(row)}</ol></fieldset>`;
  return livePart("order", chosen.length < 2 ? "" : list);
}
