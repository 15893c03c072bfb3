import type { Hono } from "hono";
import { html } from "hono/html";
import { createCheckout } from "../../../actions/checkout/create.ts";
import type { ShownCheckout } from "../../../actions/shown.ts";
import type { Context } from "../../../context.ts";
import { CreateCheckoutParams } from "../../../resources/checkout.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { emptyState } from "../components/empty-state.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { selectField, textField } from "../fields.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { hiddenFields, originOf, parsed, refusalNotice, typedOrNull, type Sent } from "../sent.ts";
import { currencyOptions, productOption, productsForSale } from "../subscription/products.ts";
import { deedPage } from "./money/deed-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "./part.ts";

const FIELDS = ["productId", "currency", "discountCode"] as const;

async function page(scene: Scene, sent: Sent): Promise<Html> {
  const { ctx, visit, customer } = scene;
  const products = await productsForSale(ctx, visit.organization.id);
  const title = `Checkout for ${nameOf(customer)}`;
  if (products.length === 0)
    return deedPage(scene, title, emptyState("There is no Product for sale. Create a Product first."));
  const body = html`<p class="back">The Customer buys the Product on the page of a Checkout. The next page
shows the link. Send the link to the Customer. The link works for 24 hours, and no charge is made
before the Customer pays.</p> <form method="post" class="narrow" data-once novalidate>
${hiddenFields(sent)}
${refusalNotice(sent, FIELDS)}
${selectField(sent, "productId", { label: "Product", options: products.map(productOption) })}
${selectField(sent, "currency", { label: "Currency", none: "As the Product", options: currencyOptions(products) })}
${textField(sent, "discountCode", { label: "Discount code", maxlength: 64 })}
<button class="button small" type="submit">Create the Checkout</button>
</form>`;
  return deedPage(scene, title, body);
}

async function act(ctx: Context, { visit, customer }: Scene, sent: Sent): Promise<string> {
  const body = {
    customerId: customer.id,
    productId: typedOrNull(sent, "productId"),
    currency: typedOrNull(sent, "currency"),
    discountCode: typedOrNull(sent, "discountCode"),
  };
  const what = { operation: "createCheckout", customerId: customer.id, body };
  const { checkout } = await createCheckout(
    ctx,
    originOf<ShownCheckout>(sent, what),
    parsed(CreateCheckoutParams, body),
  );
  return `${visit.self}/checkouts/${checkout.id}`;
}

const WORDS = {
  already_subscribed: "The Customer has a Subscription of this group. Change the plan of that Subscription instead.",
  payment_provider_missing: "No payment provider is connected. Only free Products can be sold.",
} as const;

/** `…/customers/{customerId}/checkout`: a Checkout for this Customer, with the link to send. */
export function checkoutLinkPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/checkout`,
    permission: "customers",
    scene: (c, visit) => livingSceneOf(ctx, c, visit),
    page,
    act: (scene, sent) => act(ctx, scene, sent),
    after: ({ customer }, { self }) => `${self}/checkouts?customerId=${customer.id}`,
    words: WORDS,
  });
}
