import type { Hono } from "hono";
import { isId } from "../../../ids.ts";
import { html } from "hono/html";
import { createCheckout } from "../../../actions/checkout/create.ts";
import type { ShownCheckout } from "../../../actions/shown.ts";
import type { Context } from "../../../context.ts";
import { allows } from "../../../domain/team/role.ts";
import { CreateCheckoutParams } from "../../../resources/checkout.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { emptyState } from "../components/empty-state.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { selectField, textField } from "../fields.ts";
import { dashboardPage } from "../frame.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { hiddenFields, originOf, parsed, refusalNotice, typedOrNull, type Sent } from "../sent.ts";
import { currencyOptions, productOption, productsForSale } from "../subscription/products.ts";
import { ROOT, type Visit } from "../visit.ts";
import { deedPage } from "./money/deed-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "./part.ts";

const FIELDS = ["productId", "currency", "discountCode"] as const;

/** The form of a Checkout, or the way to a first Product. */
async function form(ctx: Context, sent: Sent): Promise<Html> {
  const { organization, role, self } = sent.visit;
  const products = await productsForSale(ctx, organization.id);
  if (products.length === 0)
    return emptyState(
      "There is no Product for sale. Create a Product first.",
      allows(role, "catalogue") ? { href: `${self}/products/new`, label: "New Product" } : undefined,
    );
  return html`<form method="post" class="narrow" data-once novalidate>
${hiddenFields(sent)}
${refusalNotice(sent, FIELDS)}
${selectField(sent, "productId", { label: "Product", options: products.map(productOption) })}
${selectField(sent, "currency", { label: "Currency", none: "As the Product", options: currencyOptions(products) })}
${textField(sent, "discountCode", { label: "Discount code", maxlength: 64 })}
<button class="button small" type="submit">Create the Checkout link</button>
</form>`;
}

/** `customerId` null: the buyer enters an e-mail address in the Checkout. */
async function create(ctx: Context, sent: Sent, customerId: string | null): Promise<string> {
  const body = {
    customerId,
    productId: typedOrNull(sent, "productId"),
    currency: typedOrNull(sent, "currency"),
    discountCode: typedOrNull(sent, "discountCode"),
  };
  const what = { operation: "createCheckout", customerId, body };
  const { checkout } = await createCheckout(
    ctx,
    originOf<ShownCheckout>(sent, what),
    parsed(CreateCheckoutParams, body),
  );
  return `${sent.visit.self}/checkouts/${checkout.id}?done=created`;
}

const WORDS = {
  already_subscribed: "The Customer has a Subscription of this group. Change the plan of that Subscription instead.",
  payment_provider_missing: "No payment provider is connected. Only free Products can be sold.",
} as const;

async function customerPage(scene: Scene, sent: Sent): Promise<Html> {
  const lead = html`<p class="back">The Customer buys the Product on the page of a Checkout. The next page
shows the link. Send the link to the Customer. The link works for 24 hours, and no charge is made
before the Customer pays.</p>`;
  return deedPage(scene, `Checkout for ${nameOf(scene.customer)}`, html`${lead}${await form(scene.ctx, sent)}`);
}

async function anyonePage(ctx: Context, visit: Visit, sent: Sent): Promise<Html> {
  const lead = html`A Checkout is a page on which one buyer buys one Product. The buyer enters an e-mail address and a
card there. The next page shows the link to send, which works for 24 hours. For a Customer that exists, create the link
on the <a href="${visit.self}/customers">page of the Customer</a>.`;
  const body = await form(ctx, sent);
  return dashboardPage(ctx, visit, { section: "checkouts", title: "New Checkout link", lead, body });
}

/**
 * `…/customers/{customerId}/checkout`: a Checkout for this Customer, with the link to send. `…/checkouts/new`: a
 * Checkout for a buyer who is not known yet.
 */
export function checkoutLinkPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/checkout`,
    permission: "customers",
    scene: (c, visit) => livingSceneOf(ctx, c, visit),
    page: customerPage,
    act: ({ customer }, sent) => create(ctx, sent, customer.id),
    after: ({ customer }, { self }) => `${self}/checkouts?customerId=${customer.id}`,
    words: WORDS,
  });
  deed<Visit>(app, door, {
    path: `${ROOT}/checkouts/new`,
    permission: "customers",
    scene: async (_, visit) => visit,
    takes: { productId: (value) => isId("prd", value) },
    page: (visit, sent) => anyonePage(ctx, visit, sent),
    act: (_, sent) => create(ctx, sent, null),
    after: ({ self }) => `${self}/checkouts`,
    words: WORDS,
  });
}
