import { html } from "hono/html";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { cardNeed } from "../../domain/model/checkout.ts";
import { cardOfQuote, figuresOfQuote, type PortalQuote } from "../../domain/change/portal-quote.ts";
import type { Product } from "../../domain/model/product.ts";
import { cardName } from "../../domain/model/card-name.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { rhythmOf, unitsOf } from "../../texts/phrases.ts";
import { changeFigures, changeNotes } from "../checkout/change-figures.ts";
import { obstacleSaid, type Obstacle } from "../checkout/obstacle.ts";
import { priceLine } from "../checkout/summary.ts";
import { termsOf, type Terms } from "../checkout/terms.ts";
import { agreedFields } from "../components/agreed-fields.ts";
import { messagePage } from "../components/message.ts";
import { formNotice } from "../components/notice.ts";
import { layout, merchantName, type Html } from "../layout.ts";
import { benefitList, planStyles } from "./plans.ts";
import { quantityField } from "./quantity-field.ts";
import type { PortalRequest } from "./request.ts";
import { plainSoldName, soldName } from "../components/sold-name.ts";

/** A Customer's visit of the pages of a change. */
export type PlanRequest = PortalRequest & { subscription: Subscription };

/**
 * A change as its page shows it: the figures, and the Benefits that come and go. `isQuantity`: no Product changes.
 * `asked`: the new Product, if the page asks for its quantity (rule Q9e).
 */
export type ChangeView = PlanRequest & {
  quote: PortalQuote;
  benefits: readonly Benefit[];
  lost: readonly Benefit[];
  isQuantity: boolean;
  asked: Product | null;
};

/** The part of the page before that differs from the present state, so the Customer has to agree again. */
export type Surprise = "end" | "start" | "quantity" | "amount" | "price" | "card";

/** The path of the page with all plans. */
export const plansPath = ({ self, subscription }: PlanRequest) => `${self}/subscriptions/${subscription.id}/plan`;

/** The path of the page of the change to another plan. */
export const planPath = (request: PlanRequest, productId: string) => `${plansPath(request)}/${productId}`;

/** The path of the page with the quantity to choose. */
export const quantityPath = ({ self, subscription }: PlanRequest) =>
  `${self}/subscriptions/${subscription.id}/quantity`;

function waysBack(view: ChangeView): Html {
  const { plan } = view.words;
  const others = view.isQuantity
    ? html`<a href="${quantityPath(view)}">${plan.otherQuantity}</a>`
    : html`<a href="${plansPath(view)}">${plan.otherPlans}</a>`;
  return html`<p class="aside">${others}</p>
<p class="aside"><a href="${view.self}">${plan.back}</a></p>`;
}

/** The Product and the units that the Customer has now. */
const currentName = ({ words, subscription, quote }: ChangeView): Html =>
  soldName(words, { ...subscription, ...quote.currentUnits, productName: quote.currentProductName });

function nextCharge({ words, organization, quote }: ChangeView): string | null {
  const { next, nextChargeAt, checkout } = quote;
  if (!next) return null;
  const day = words.day(nextChargeAt, organization.timeZone);
  if (next.paidBy === "nothing") return words.plan.noCharge({ day });
  if (next.paidBy === "balance")
    return words.plan.fromBalance({ amount: words.money(next.totalAmount, checkout.currency), day });
  return words.terms.chargeOn({ price: words.money(next.amountDue, checkout.currency), day });
}

/**
 * The card of the change: the one that pays now, or the one that pays later. Null if the page names no card, because no
 * charge is to come.
 */
function cardFact({ words, self, quote }: ChangeView): { name: string; value: Html | string } | null {
  const { plan } = words;
  const need = cardNeed(quote.checkout);
  const shown = cardOfQuote(quote);
  if (!shown)
    return need === "none" ? null : { name: need === "charge" ? plan.paidWith : plan.card, value: plan.cardNext };
  const value = html`<bdi>${cardName(shown)}</bdi> <a href="${self}/card">${plan.otherCard}</a>`;
  return { name: need === "charge" ? plan.paidWith : plan.paidLaterWith, value };
}

/** The day of the change, in words. */
const startOf = ({ words, organization, quote: { scheduledFor } }: ChangeView): string =>
  scheduledFor === null ? words.plan.atOnce : words.day(scheduledFor, organization.timeZone);

/** The day of the change, the card that pays, and the next charge. */
function facts(view: ChangeView): Html {
  const { words } = view;
  const { plan } = words;
  const card = cardFact(view);
  const next = nextCharge(view);
  const row = (name: string, value: Html | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="figures when">
${row(plan.begins, startOf(view))}
${card === null ? "" : row(card.name, card.value)}
${next === null ? "" : row(plan.nextCharge, next)}
</dl>`;
}

function submitLabel({ words, organization, quote }: ChangeView, terms: Terms): string {
  const { plan, card, checkout: texts } = words;
  const need = cardNeed(quote.checkout);
  if (need !== "none" && !quote.card) return need === "charge" ? card.toPayment : card.toCard;
  if (need === "charge") return plan.confirmPay({ amount: terms.today });
  const { scheduledFor, checkout } = quote;
  // The button of a change to a paid plan says that the plan costs money (rule C11b).
  const isPaid = checkout.amount > 0;
  if (scheduledFor === null) return isPaid ? plan.orderNow : texts.changeNow;
  const day = words.day(scheduledFor, organization.timeZone);
  return isPaid ? plan.orderOn({ day }) : plan.confirmOn({ day });
}

function surpriseInWords(view: ChangeView, terms: Terms, surprise: Surprise): string {
  const { words, organization, quote } = view;
  const { fault, plan, money, day } = words;
  const { checkout, endsAt } = quote;
  if (surprise === "amount") return fault.amount({ amount: terms.today });
  if (surprise === "start") return words.deliverables.valued({ benefit: plan.begins, value: startOf(view) });
  if (surprise === "quantity") {
    const { deliverables, checkout: texts } = words;
    return deliverables.valued({ benefit: texts.quantity, value: unitsOf(words, checkout) });
  }
  if (surprise === "end")
    return endsAt === null ? plan.endUndone : plan.endScheduled({ day: day(endsAt, organization.timeZone) });
  if (surprise === "price") {
    const price = money(checkout.amount, checkout.currency);
    return plan.priceChanged({ product: checkout.productName, price, rhythm: rhythmOf(words, checkout) });
  }
  const card = cardOfQuote(quote);
  return card ? plan.cardChanged({ card: cardName(card) }) : plan.cardGone;
}

/** The notice on a state that is not that of the page before. */
function notice(view: ChangeView, terms: Terms, surprise: Surprise | null): Html | "" {
  if (surprise === null) return "";
  const { words } = view;
  const { amountTitle } = words.fault;
  const title = surprise === "amount" || surprise === "price" ? amountTitle : words.plan.checkAgain;
  const problem = { title, text: surpriseInWords(view, terms, surprise) };
  return formNotice(words, [], { faults: {}, problem });
}

function benefitChanges({ words, benefits, lost, quote: { checkout, currentUnits } }: ChangeView): Html {
  const { plan } = words;
  const part = (heading: string, list: readonly Benefit[], quantity: number, style: string) =>
    list.length === 0 ? "" : html`<h2>${heading}</h2>${benefitList(words, list, quantity, style)}`;
  const included = part(plan.included, benefits, checkout.quantity, "benefits");
  return html`${included}${part(plan.lost, lost, currentUnits.quantity, "benefits lost")}`;
}

const FORM = "change";

const pathOf = (view: ChangeView) =>
  view.isQuantity ? quantityPath(view) : planPath(view, view.quote.checkout.productId);

/**
 * Asks for the quantity of the new plan (rule Q9e). The field is of the form that makes the change: a quantity that was
 * typed right before that click is not left out. The button here is the form's first one, which the Enter key presses.
 */
function askedQuantity(view: ChangeView): Html | "" {
  const { words, asked, quote } = view;
  if (asked === null) return "";
  return html`<div class="asked">
${quantityField(words, asked, { value: String(quote.checkout.quantity), form: FORM })}
<button class="button other small" type="submit" form="${FORM}" formaction="${pathOf(view)}/figures" data-shows>${
    words.plan.showPrice
  }</button>
</div>`;
}

/** The form that makes the change, with the figures to which the Customer agrees. */
function changeForm(view: ChangeView, terms: Terms): Html {
  const { words, isQuantity, quote } = view;
  return html`<form id="${FORM}" method="post" action="${pathOf(view)}" novalidate data-once>
${isQuantity ? html`<input type="hidden" name="quantity" value="${quote.checkout.quantity}">` : ""}
${agreedFields({ figures: figuresOfQuote(quote), shownAt: quote.at })}
<button class="button" type="submit">${submitLabel(view, terms)}</button>
<p class="status" role="status" data-busy="${words.plan.busy}"></p>
${terms.consent === null ? "" : html`<p class="consent"><bdi>${terms.consent}</bdi></p>`}
</form>`;
}

/** The exact figures and dates of a change, and the button that makes the change (rule P11). */
export function changePage(ctx: Context, view: ChangeView, surprise: Surprise | null = null): Html {
  const { words, organization, quote } = view;
  const { checkout, at, nextChargeAt, anchor } = quote;
  const zone = organization.timeZone;
  const terms = termsOf(checkout, { words, organization, at, nextChargeAt, anchor });
  const row = ({ label, amount }: Terms["figures"][number]) =>
    html`<div><dt>${label}</dt><dd class="amount">${amount}</dd></div>`;
  const figures = changeFigures(words, quote, zone);
  const plain = words.checkout.changeTo({ product: plainSoldName(words, checkout) });
  const body = html`<main class="message portal plan-change">
<div class="panel">
${merchantName(organization)}
${notice(view, terms, surprise)}
<h1>${words.checkout.changeTo.markup({ product: soldName(words, checkout) })}</h1>
<p class="later">${words.checkout.currentPlan.markup({ product: currentName(view) })}</p>
${priceLine(words, terms)}
${terms.sequel === null ? "" : html`<p class="later">${terms.sequel}</p>`}
${askedQuantity(view)}
${benefitChanges(view)}
${figures.length === 0 ? "" : html`<dl class="figures">${figures.map(row)}</dl>`}
<dl class="figures total">${row({ label: words.checkout.dueToday, amount: terms.today })}</dl>
${changeNotes(words, quote, zone).map((note) => html`<p class="later">${note}</p>`)}
${facts(view)}
${changeForm(view, terms)}
${waysBack(view)}
</div>
</main>`;
  const title = surprise === null ? plain : words.frame.errorTitle({ title: plain });
  return layout(ctx, { words, organization, title, head: planStyles(ctx), body });
}

/** The Customer has the plan and quantity, or is going to have them. */
export function changedPage(ctx: Context, request: PlanRequest, current: Pick<Product, "name" | "unitName">): Html {
  const { words, organization, subscription } = request;
  const { plan, outcome, day } = words;
  const { pendingChange } = subscription;
  const { name: productName, unitName } = current;
  const product = soldName(words, { ...subscription, productName, unitName, ...pendingChange });
  const on = pendingChange && day(pendingChange.effectiveAt, organization.timeZone);
  return messagePage(ctx, {
    words,
    organization,
    icon: "done",
    title: on === null ? plan.changedTitle : plan.plannedTitle,
    text: on === null ? outcome.changedTo.markup({ product }) : outcome.changesOn.markup({ product, day: on }),
    more: html`<a class="button" href="${request.self}">${plan.back}</a>`,
  });
}

/** An obstacle to a change to the named Product. `onward`: the page on which another change is being paid. */
export type Blocked = { obstacle: Obstacle; productName: string; onward: string | null };

/** Why the plan can't be changed now, in words. */
export function obstaclePage(ctx: Context, request: PlanRequest, { obstacle, productName, onward }: Blocked): Html {
  const { words, organization, self } = request;
  return messagePage(ctx, {
    words,
    organization,
    icon: "stopped",
    ...obstacleSaid(words, obstacle, productName),
    more: html`${onward === null ? "" : html`<a class="button" href="${onward}">${words.card.toPayment}</a>`}
<a class="${onward === null ? "button" : "button other"}" href="${self}">${words.plan.back}</a>`,
  });
}
