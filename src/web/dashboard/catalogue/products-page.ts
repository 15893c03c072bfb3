import { html } from "hono/html";
import type { Benefit } from "../../../domain/model/benefit.ts";
import { plansByGroup, type Plan, type GroupOfPlans } from "../../../domain/model/product-plan.ts";
import type { Product } from "../../../domain/model/product.ts";
import { allows } from "../../../domain/team/role.ts";
import { counted } from "../../../domain/words.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { moneyText } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { filterBar } from "../components/filter-bar.ts";
import { notice } from "../components/notice.ts";
import type { DashboardRequest } from "../request.ts";
import { PRODUCTS } from "./resources.ts";
import { trialOf } from "./product-facts.ts";
import { benefitsAmong } from "./product-values.ts";

/**
 * `live`: the live Subscriptions of each Product. `isCut`: there are older Products that the page does not show.
 * `search`: the part of a name that was searched; empty: all Products.
 */
export type Catalogue = {
  products: readonly Product[];
  archived: readonly Product[];
  benefits: readonly Benefit[];
  live: ReadonlyMap<string, number>;
  isCut: boolean;
  search: string;
  done: Html | "";
};

const linkOf = ({ self }: DashboardRequest, { id }: Product, content: Html | string): Html =>
  html`<a href="${self}/products/${id}">${content}</a>`;

function variant(request: DashboardRequest, plan: Plan, product: Product, live: number): Html {
  const [first, ...others] = product.prices;
  const trial = trialOf(product);
  const rhythm = rhythmOf(ENGLISH, product);
  const name = html`<bdi>${product.name}</bdi>, `;
  // The name of the plan stands above. For screen readers, each link has its own name.
  const named = product.name === plan.name ? html`<span class="hidden">${name}</span>` : name;
  return html`<li>
<p>${linkOf(request, product, html`${named}${rhythm}`)}</p>
<p class="price">${moneyText(first!.amount, first!.currency)}</p>
${others.map(({ currency, amount }) => html`<span class="note">${moneyText(amount, currency)}</span>`)}
${trial === null ? "" : html`<span class="note">Trial: ${trial}</span>`}
${product.interval === null ? "" : html`<span class="note">${counted(live, "live Subscription")}</span>`}
</li>`;
}

function planCard(request: DashboardRequest, plan: Plan, { benefits, live }: Catalogue): Html {
  const ids = [...new Set(plan.variants.flatMap(({ benefitIds }) => benefitIds))];
  const names = benefitsAmong(benefits, ids).map(({ id, name }) => {
    const isShared = plan.variants.every(({ benefitIds }) => benefitIds.includes(id));
    return html`<li><bdi>${name}</bdi>${isShared ? "" : html` <span class="hint">not in each period</span>`}</li>`;
  });
  return html`<article class="plan">
<h3><bdi>${plan.name}</bdi></h3>
<ul class="variants">${plan.variants.map((each) => variant(request, plan, each, live.get(each.id) ?? 0))}</ul>
${names.length === 0 ? "" : html`<ul class="benefits">${names}</ul>`}
</article>`;
}

const cards = (request: DashboardRequest, plans: readonly Plan[], catalogue: Catalogue): Html =>
  html`<div class="plans-of-group">${plans.map((plan) => planCard(request, plan, catalogue))}</div>`;

function groupSection(request: DashboardRequest, { group, plans }: GroupOfPlans, catalogue: Catalogue): Html {
  const heading =
    group === null
      ? "Subscriptions without a group"
      : html`Group <code>${group}</code> <span class="hint">A Customer has one Subscription of these.</span>`;
  return html`<section><h2>${heading}</h2>${cards(request, plans, catalogue)}</section>`;
}

function archivedList(request: DashboardRequest, { archived, live }: Catalogue): Html | "" {
  if (archived.length === 0) return "";
  const entry = (product: Product) => {
    const count = live.get(product.id) ?? 0;
    return html`<li>${linkOf(request, product, html`<bdi>${product.name}</bdi>`)}, ${rhythmOf(ENGLISH, product)}
${badge("quiet", "Archived")}
${count === 0 ? "" : html`<span class="hint">${counted(count, "live Subscription")}</span>`}</li>`;
  };
  return html`<details class="archived"><summary>Archived Products (${archived.length})</summary>
<ul class="hits">${archived.map(entry)}</ul></details>`;
}

function emptyCatalogue({ self, role }: DashboardRequest, search: string): Html {
  if (search !== "")
    return emptyState("No Product for sale has this name.", { href: `${self}/products`, label: "Show all" });
  const text = "A Product is an item for sale, such as a plan by month. Each Product that you create appears here.";
  return allows(role, "catalogue")
    ? emptyState(text, { href: `${self}/products/new`, label: "Create the first Product" })
    : emptyState(text);
}

/** The Products for sale as plans, those that are sold once, and the archived ones. */
export function productsPage(request: DashboardRequest, catalogue: Catalogue): Html {
  const { self, role } = request;
  const { products, search, isCut, done } = catalogue;
  const once = products.filter(({ interval }) => interval === null);
  const alone = once.map((product): Plan => ({ name: product.name, variants: [product] }));
  const here = `${self}/products`;
  const fields = [{ name: "search", label: "A part of the name", value: search }];
  const body = html`${done}
${products.length > 8 || search !== "" ? filterBar(here, fields, search === "" ? null : here) : ""}
${isCut ? notice("hint", "These are the newest Products. Search for an older one by its name.") : ""}
${products.length === 0 ? emptyCatalogue(request, search) : ""}
${plansByGroup(products).map((each) => groupSection(request, each, catalogue))}
${alone.length === 0 ? "" : html`<section><h2>One-time Products</h2>${cards(request, alone, catalogue)}</section>`}
${archivedList(request, catalogue)}`;
  const actions = allows(role, "catalogue")
    ? html`<a class="button small" href="${here}/new">New Product</a>`
    : undefined;
  const lead = products.length === 0 ? undefined : "Products with the same name or the same Benefits are one plan.";
  return PRODUCTS.frame(request, "Products", body, actions, lead);
}
