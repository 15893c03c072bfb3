import { html } from "hono/html";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { periodOf, type Product } from "../../../domain/model/product.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id, money, NONE, time } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import type { DashboardRequest } from "../request.ts";
import { shownRow } from "./frame.ts";
import { writtenMetadata } from "./metadata.ts";
import { picture } from "./picture.ts";
import { fixedDefinitions } from "./product-facts.ts";
import { quantityDefinition } from "./quantity.ts";
import { PRODUCTS } from "./resources.ts";

/** `live`: its live Subscriptions. `open`: its open Checkouts. */
export type ProductView = {
  product: Product;
  benefits: readonly Benefit[];
  live: number;
  open: number;
  now: Instant;
  done: Html | "";
};

/** The links to the forms, and to the form for the same plan with another period. */
function linksOf({ self }: DashboardRequest, product: Product) {
  const hasSiblings = periodOf(product) !== null && product.groupKey !== null;
  const sibling = [`${self}/products/new?like=${product.id}`, "Add another period"] as const;
  return [
    ["edit", "Edit"] as const,
    ...(hasSiblings ? [sibling] : []),
    ["archive", product.archived ? "Unarchive" : "Archive"] as const,
  ];
}

function factsOf(
  { self, organization }: DashboardRequest,
  { product, benefits, live, open }: ProductView,
): Definition[] {
  const zone = organization.timeZone;
  const sales = `${self}/subscriptions?productId=${product.id}`;
  const benefit = (each: Benefit) => html`<li><a href="${self}/benefits/${each.id}"><bdi>${each.name}</bdi></a></li>`;
  return [
    ["State", product.archived ? badge("quiet", "Archived") : badge("good", "For sale")],
    [
      "Prices",
      html`<ul>${product.prices.map((price) => html`<li>${money(price.amount, price.currency)}</li>`)}</ul>
<a href="${self}/products/${product.id}/prices">All prices, and how many pay each</a>`,
    ],
    ...quantityDefinition(product),
    ...fixedDefinitions(product),
    ["Benefits", benefits.length === 0 ? NONE : html`<ul>${benefits.map(benefit)}</ul>`],
    ...(product.interval === null ? [] : [["Live Subscriptions", html`<a href="${sales}">${live}</a>`] as const]),
    ["Open Checkouts", html`<a href="${self}/checkouts?productId=${product.id}&amp;status=open">${open}</a>`],
    [
      "Metadata",
      Object.keys(product.metadata).length === 0 ? NONE : html`<pre>${writtenMetadata(product.metadata)}</pre>`,
    ],
    ["Created", time(product.createdAt, zone)],
    ["Id", id(product.id)],
  ];
}

/** One Product with its sales, beside the buyer's view of it. */
export function productPage(request: DashboardRequest, shown: ProductView): Html {
  const { product, benefits, now, done } = shown;
  const waiting = notice("hint", "Billow is still applying an edit of the Benefits to the Customers.");
  const facts = html`<div>${product.syncAt === null ? "" : waiting}${definitions(factsOf(request, shown))}</div>`;
  const wanted = { organization: request.organization, now, product, benefits, currency: null, discount: null };
  const drawn = picture(request.ctx, wanted);
  return shownRow(PRODUCTS, request, product, { done, facts, drawn, links: linksOf(request, product) });
}
