import { html } from "hono/html";
import { createPriceChange } from "../../../actions/price-change/create.ts";
import { previewPriceChange } from "../../../actions/price-change/preview.ts";
import type { PriceChangeView } from "../../../actions/price-change/view.ts";
import type { Product } from "../../../domain/model/product.ts";
import { counted } from "../../../domain/words.ts";
import type { CreatePriceChangeParams } from "../../../resources/price-change.ts";
import { customers } from "../../../store/customers.ts";
import type { Html } from "../../layout.ts";
import { effectPanel } from "../components/confirm-panel.ts";
import { notice } from "../components/notice.ts";
import { PRODUCTS } from "../catalogue/resources.ts";
import { formPages } from "../form-action.ts";
import { rowAt, rowPath } from "../resource-forms.ts";
import { ROOT } from "../request.ts";
import { originOf, refusalNotice, requireSeen, type Sent } from "../sent-form.ts";
import { movingIn, priceChangeEffect, type Effect } from "./effect.ts";
import { readPriceChange } from "./form-values.ts";
import { priceChangeForm } from "./form.ts";
import { PRICE_CHANGES } from "./resource.ts";

async function preview(product: Product, params: CreatePriceChangeParams, { request }: Sent): Promise<Effect> {
  const { ctx, organization } = request;
  const found = await previewPriceChange(ctx, organization.id, product.id, params);
  const ids = [...new Set(found.examples.map(({ subscription }) => subscription.customerId))];
  return { preview: found, customers: await customers.findAll(ctx.db.read, organization.id, ids) };
}

const NONE =
  "No Subscription would get notice. Subscriptions for which these prices wait already keep the terms of their " +
  "notice, until that price change is withdrawn.";

/** The effect, with the button that begins the price change. Without a Subscription there is no button. */
function effectPage(product: Product, sent: Sent, effect: Effect): Html {
  const { request } = sent;
  const moving = movingIn(effect.preview);
  const back = `${rowPath(PRODUCTS, request, product)}/prices`;
  const shown = priceChangeEffect(effect, request);
  const again = html`${notice("hint", NONE)}${shown}
<p><a href="${back.replace(/prices$/, "price-changes/new")}">Choose other values</a></p>`;
  const panel = effectPanel(sent, {
    effect: shown,
    label: `Give notice to ${counted(moving, "Subscription")}`,
    values: { version: String(product.version) },
    back,
  });
  const body = html`${refusalNotice(sent)}${moving === 0 ? again : panel}`;
  return PRODUCTS.frame(request, `New prices for those who subscribed: ${product.name}`, body);
}

/** The form that begins a price change, with the effect before the click (rules N1, N2). */
export const newPriceChange = formPages<Product, CreatePriceChangeParams, Effect>({
  path: `${ROOT}/products/:productId/price-changes/new`,
  permission: "catalogue",
  load: (c, request) => rowAt(PRODUCTS, c, request),
  read: readPriceChange,
  preview,
  page: (product, sent, effect) =>
    effect === null ? priceChangeForm(product, sent) : effectPage(product, sent, effect),
  async act(product, params, sent) {
    const { ctx } = sent.request;
    const origin = originOf<PriceChangeView>(sent, { operation: "createPriceChange", body: params });
    const { round } = await createPriceChange(ctx, origin, product.id, params, (row) => requireSeen(row, sent));
    return rowPath(PRICE_CHANGES, sent.request, round);
  },
  after: (product, request) => `${rowPath(PRODUCTS, request, product)}/prices`,
  words: {
    precondition_failed:
      "The Product has been changed since you opened this page. Check the effect again before you go on.",
  },
});
