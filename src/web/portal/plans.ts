import { html } from "hono/html";
import type { Plan } from "../../actions/subscription/portal-plans.ts";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { limitsOf, type Product } from "../../domain/model/product.ts";
import { isOffered, nearestOffered, type QuantityRange, type UnitName } from "../../domain/model/quantity.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import type { Period } from "../../domain/calendar.ts";
import { taxOn } from "../../domain/invoice/order.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import type { LineTax } from "../../domain/tax/tax.ts";
import { benefitName, rhythmOf, taxedPrice, unitsAtTotal, unitsOf } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { planStylesPath, portalStylesPath } from "../assets.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { rangeWords } from "./quantity-field.ts";
import type { PortalRequest } from "./request.ts";
import { soldName } from "../components/sold-name.ts";

/** The current plan of a Subscription, at the price as sold. */
export type CurrentPlan = Pick<Product, "name" | "description" | "unitName"> & { benefits: Benefit[] };

export type PlansView = PortalRequest & { subscription: Subscription; currentPlan: CurrentPlan; plans: Plan[] };

/** A plan as the page shows it. `amount`: the total of a period. */
type Offer = Period & {
  productId: string;
  name: string;
  description: string | null;
  amount: number;
  quantity: number;
  unitName: UnitName | null;
  /** The quantities in which the Product is sold, if the present one is not among them; null: it is. */
  soldIn: QuantityRange | null;
  benefits: readonly Pick<Benefit, "name" | "properties">[];
};

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const;
const lengthOf = ({ interval, intervalCount }: Period) => DAYS[interval] * intervalCount;
const sameRhythm = (one: Period, other: Period) =>
  one.interval === other.interval && one.intervalCount === other.intervalCount;

/** All plans, the shorter rhythms and the lower prices first. */
function offersOf({ subscription, currentPlan, plans }: PlansView): Offer[] {
  const { productId, amount, quantity, interval, intervalCount } = subscription;
  const pendingChange = plannedChange(subscription);
  const others = plans.map(({ product, amount: price, benefits }): Offer => {
    const limits = limitsOf(product);
    const isPlanned = product.id === pendingChange?.productId;
    // The nearest quantity of the Product shows a price that a buyer of the Product can have.
    const shown = isPlanned ? pendingChange.quantity : nearestOffered(limits, quantity);
    return {
      productId: product.id,
      name: product.name,
      description: product.description,
      amount: isPlanned ? pendingChange.amount : price * shown,
      quantity: shown,
      unitName: product.unitName,
      soldIn: isOffered(limits, quantity) ? null : limits,
      interval: product.interval!,
      intervalCount: product.intervalCount!,
      benefits,
    };
  });
  const current = { productId, ...currentPlan, amount, quantity, soldIn: null, interval, intervalCount };
  return [current, ...others].sort((one, other) => lengthOf(one) - lengthOf(other) || one.amount - other.amount);
}

export function benefitList(
  words: Words,
  benefits: readonly Pick<Benefit, "name" | "properties">[],
  quantity = 1,
  style = "benefits",
): Html | "" {
  const entries = benefits.map((benefit) => html`<li><bdi>${benefitName(words, benefit, quantity)}</bdi></li>`);
  return entries.length === 0 ? "" : html`<ul class="${style}">${entries}</ul>`;
}

/** The change to another plan that is to come; null: there is none, or the Subscription ends first. */
const plannedChange = ({ cancelAtPeriodEnd, pendingChange }: Subscription) =>
  cancelAtPeriodEnd ? null : pendingChange;

function limitsOfOffer(words: Words, range: QuantityRange, unitName: UnitName | null): string {
  const { minimum, maximum } = range;
  if (minimum < maximum) return words.plan.soldIn(rangeWords(words, range, unitName));
  return words.plan.soldOnlyIn({ quantity: unitsOf(words, { quantity: maximum, unitName }) });
}

/**
 * The mark of the present or planned plan, or the link that chooses the plan. The limits are named if the plan is not
 * sold in the present quantity. It can then be chosen only where the seller allows another quantity (rules Q9d, Q9e).
 */
function choice(view: PlansView, offer: Offer): Html {
  const { words, organization, self, subscription } = view;
  const { productId, name, soldIn, unitName } = offer;
  const { plan, day } = words;
  const pendingChange = plannedChange(subscription);
  if (productId === subscription.productId) return html`<p><span class="mark">${plan.current}</span></p>`;
  if (productId === pendingChange?.productId) {
    const on = day(pendingChange.effectiveAt, organization.timeZone);
    return html`<p><span class="mark">${plan.planned({ day: on })}</span></p>`;
  }
  const limits = soldIn === null ? "" : html`<p>${limitsOfOffer(words, soldIn, unitName)}</p>`;
  if (soldIn !== null && !portalAllows(organization, "changeQuantity")) return html`${limits}`;
  const label = plan.choose.markup({ product: html`<bdi>${name}</bdi>` });
  const path = `${self}/subscriptions/${subscription.id}/plan/${productId}`;
  return html`${limits}<a class="button other" href="${path}">${label}</a>`;
}

/** The name, the price and the Benefits of a plan, as the portal offers it. `tax`: the rate of the Customer's place. */
export function offerText(
  words: Words,
  offer: Omit<Offer, "productId" | "soldIn">,
  { currency, tax }: { currency: string; tax: LineTax | null },
  heading: "h2" | "h3",
): Html {
  const name = html`<bdi>${offer.name}</bdi>`;
  const price = taxedPrice(words, offer.amount, currency, tax);
  const units = unitsAtTotal(words, offer, currency);
  const priced = words.portal.priceEvery.markup({ price, rhythm: html`<span>${rhythmOf(words, offer)}</span>` });
  return html`${heading === "h2" ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
<p class="price">${offer.amount === 0 ? words.terms.free : priced}</p>
${units === null ? "" : html`<p class="note">${units}</p>`}
${offer.description === null ? "" : html`<p class="description" dir="auto">${offer.description}</p>`}
${benefitList(words, offer.benefits, offer.quantity)}`;
}

function offerEntry(view: PlansView, offer: Offer, isAlone: boolean): Html {
  const { words, organization, subscription, visitor } = view;
  const tax = taxOn({ organization, customer: visitor.customer }, null);
  return html`<li class="paper ${offer.productId === subscription.productId ? "current" : ""}">
${offerText(words, offer, { currency: subscription.currency, tax }, isAlone ? "h2" : "h3")}
<div class="choose">${choice(view, offer)}</div>
</li>`;
}

export function rhythmHeading({ plan }: Words, { interval, intervalCount: count }: Period): string {
  const billed = {
    day: plan.billedByDay,
    week: plan.billedByWeek,
    month: plan.billedByMonth,
    year: plan.billedByYear,
  };
  return billed[interval]({ count });
}

/** Plans of one rhythm stand side by side. With several rhythms, each has a heading. */
function groups(view: PlansView): Html[] {
  const { words } = view;
  const offers = offersOf(view);
  const rhythms = offers.filter((offer, n) => offers.findIndex((each) => sameRhythm(each, offer)) === n);
  const isAlone = rhythms.length === 1;
  return rhythms.map((rhythm, n) => {
    const entries = offers.filter((offer) => sameRhythm(offer, rhythm));
    const heading = isAlone ? "" : html`<h2 id="rhythm-${n}">${rhythmHeading(words, rhythm)}</h2>`;
    const label = isAlone ? html`aria-label="${words.plan.others}"` : html`aria-labelledby="rhythm-${n}"`;
    return html`<section ${label}>
${heading}
<ul class="offers">${entries.map((offer) => offerEntry(view, offer, isAlone))}</ul>
</section>`;
  });
}

/** The end or the change that is planned already, and the way to keep the current plan. */
function planned({ words, organization, self, subscription, currentPlan }: PlansView): Html | "" {
  const { plan, day } = words;
  const { id, cancelAtPeriodEnd, cancelAt, pendingChange } = subscription;
  const on = (at: Parameters<typeof day>[0]) => day(at, organization.timeZone);
  if (cancelAtPeriodEnd && cancelAt !== null) return html`<p class="planned">${plan.ending({ day: on(cancelAt) })}</p>`;
  if (!pendingChange) return "";
  const name = html`<bdi>${currentPlan.name}</bdi>`;
  const to = soldName(words, { ...pendingChange, currency: subscription.currency });
  return html`<form class="planned" method="post" action="${self}/subscriptions/${id}/plan/keep" data-once>
<p>${plan.pending.markup({ product: to, day: on(pendingChange.effectiveAt) })}</p>
<button class="button other small" type="submit">${plan.keep.markup({ product: name })}</button>
</form>`;
}

/** The plans of a Subscription's group side by side, the present one marked (rule P11). */
export function plansPage(ctx: Context, view: PlansView): Html {
  const { words, organization, self, currentPlan, plans } = view;
  const { plan } = words;
  const body = html`<main class="document portal plans">
<p class="back"><a href="${self}">${plan.back}</a></p>
<header>
${merchantName(organization)}
<h1>${plan.title}</h1>
<p>${plan.youHave.markup({ product: html`<bdi>${currentPlan.name}</bdi>` })}</p>
</header>
${planned(view)}
${groups(view)}
${plans.length === 0 ? html`<p class="planned">${plan.noOthers}</p>` : ""}
</main>`;
  return layout(ctx, { words, organization, title: plan.title, head: planStyles(ctx), body });
}

export const planStyles = (ctx: Context) =>
  html`${stylesheet(portalStylesPath(ctx))}
${stylesheet(planStylesPath(ctx))}`;
