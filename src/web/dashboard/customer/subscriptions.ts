import { html } from "hono/html";
import { readProspects } from "../../../actions/subscription/outlook.ts";
import type { Product } from "../../../domain/model/product.ts";
import { newTotalOf } from "../../../domain/model/price-change.ts";
import { lacksConsent } from "../../../domain/model/scheduled-price.ts";
import type { Outlook } from "../../../domain/subscription/outlook.ts";
import { plannedDiscountOf } from "../../../domain/model/discount-change.ts";
import {
  changesAt,
  endsByPrice,
  isHeldForImport,
  nextPeriodAt,
  type Subscription,
} from "../../../domain/model/subscription.ts";
import { valueInWords } from "../../../domain/words.ts";
import { presentPage } from "../../../resources/page.ts";
import { products } from "../../../store/products.ts";
import { listSubscriptions } from "../../../store/subscriptions.ts";
import { rhythmOf, unitsAtTotal } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id as shownId, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { unitsNote } from "../subscription/units.ts";
import { listUnfinished } from "../subscription/unfinished-checkouts.ts";
import { ownValueLines } from "../own-values.ts";
import { table } from "../table.ts";
import { listOf, type PageRequest, type CustomerPageData } from "./part.ts";
import { allows } from "../../../domain/team/role.ts";

/** `before`: the words between the label and the name of the plan, for a person who hears the link. */
type Link = readonly [page: string, label: string, before?: string];

/** A pause needs a Subscription that owes nothing and goes on (rule S8c). */
function pauseLinks({ status, cancelAtPeriodEnd, pause }: Subscription): Link[] {
  if (cancelAtPeriodEnd || status === "past_due") return [];
  if (pause === null) return [["pause", "Pause"]];
  const resume: Link = ["resume", status === "paused" ? "Resume" : "Undo the pause"];
  return [resume, ["pause", "Change the pause"]];
}

/** The operations that the state of a Subscription allows. `isUnfinished`: the buyer has a page to finish a change. */
function linksOf(subscription: Subscription, isUnfinished: boolean): Link[] {
  const { status, changeId, cancelAtPeriodEnd, pendingChange, pause } = subscription;
  const outcome: Link = ["change/outcome", "See the change"];
  if (status === "canceled") return [];
  if (isHeldForImport(subscription)) return [["cancel-now", "Give up the import", " of "]];
  if (changeId !== null) return [outcome];
  return [
    ...(isUnfinished ? [outcome] : []),
    ["change", "Change the plan"],
    ...(pendingChange === null || cancelAtPeriodEnd ? [] : [["keep-plan", "Keep the current plan"] satisfies Link]),
    [
      "discount",
      plannedDiscountOf(subscription) === null ? "Give a discount" : "Change the discount",
      plannedDiscountOf(subscription) === null ? " for " : " of ",
    ],
    ...(status === "trialing" && pause === null ? [["trial", "Lengthen the trial"] satisfies Link] : []),
    ...pauseLinks(subscription),
    ...(cancelAtPeriodEnd ? [["undo-cancellation", "Undo the cancellation"] satisfies Link] : []),
    ...(cancelAtPeriodEnd || pause !== null ? [] : [["cancel", "Cancel at period end", " for "] satisfies Link]),
    ["cancel-now", "Cancel immediately", " for "],
  ];
}

/** The links to the operations on a Subscription, for roles that may do them. */
function actionLinks(
  { request, self }: CustomerPageData,
  { subscription, name, isUnfinished }: { subscription: Subscription; name: string; isUnfinished: boolean },
): Html | "" {
  if (!allows(request.role, "subscriptions")) return "";
  const links = linksOf(subscription, isUnfinished);
  if (links.length === 0) return "";
  const path = `${self}/subscriptions/${subscription.id}`;
  const link = ([page, label, before = " of "]: Link) =>
    html`<a href="${path}/${page}">${label}<span class="hidden">${before}${name}</span></a>`;
  return html`<div class="actions">${links.map(link)}</div>`;
}

/**
 * A Subscription with its Product. `outlook` undefined: the Subscription has ended. `isUnfinished`: the buyer has a
 * page to finish a change.
 */
export type Plan = {
  subscription: Subscription;
  product: Product | undefined;
  outlook: Outlook | undefined;
  isUnfinished: boolean;
};

function pauseText({ status, pause, currentPeriodEnd }: Subscription, zone: string): Html {
  const resumesAt = pause?.resumesAt ?? null;
  const until = resumesAt === null ? "" : html` until ${time(resumesAt, zone)}`;
  return status === "paused"
    ? html`Since ${time(currentPeriodEnd, zone)}${until}`
    : html`Pauses ${time(currentPeriodEnd, zone)}${until}`;
}

/** The names of the systems that bill a held Subscription. */
const SOURCES = { stripe: "Stripe", csv: "Another system" } as const;

/** The subscription of the other system, for an imported Subscription. */
function origin({ imported }: Subscription): Html | "" {
  return imported === null ? "" : html` <span class="note">Imported: ${shownId(imported.ref)}</span>`;
}

/** The values that the buyer gave in own fields of the purchase (rule C14d). */
const ownValues = ({ fieldAnswers }: Subscription): Html[] =>
  ownValueLines(fieldAnswers).map((line) => html` <span class="note">${line}</span>`);

/** The next date of a Subscription, and its meaning. */
export function nextStep({ subscription, outlook }: Plan, zone: string): Html {
  const { status, endedAt, cancelAt, cancellationReason, trialEnd, currentPeriodEnd, pause } = subscription;
  if (endedAt !== null) {
    const why = cancellationReason === null ? "" : ` (${valueInWords(cancellationReason)})`;
    return html`Ended ${time(endedAt, zone)}${why}`;
  }
  if (isHeldForImport(subscription)) return html`${SOURCES[subscription.imported!.source]} still bills it`;
  if (cancelAt !== null) return html`Ends ${time(cancelAt, zone)}`;
  const end = endsByPrice(subscription) ? nextPeriodAt(subscription) : null;
  if (pause !== null && end === null) return pauseText(subscription, zone);
  if (end !== null) return html`Ends ${time(end, zone)} unless the Customer agrees to the new price`;
  if (status === "trialing" && trialEnd !== null) return html`The trial ends ${time(trialEnd, zone)}`;
  if (status === "past_due" && outlook !== undefined) {
    const at = subscription.nextRetryAt;
    return at === null ? html`No retry is scheduled` : html`The charge is tried again ${time(at, zone)}`;
  }
  return html`Renews ${time(currentPeriodEnd, zone)}`;
}

/** The charge at the end of a live Subscription's period. Null: there is none. */
export function nextCharge({ subscription: { currency }, outlook }: Plan, zone: string): Html | null {
  const end = outlook?.end ?? null;
  if (end === null || end.endsInstead) return null;
  const { at, paidBy, amountDue, fromBalance, card, isCardDisputed } = end;
  if (paidBy === "balance") return html`${time(at, zone)}: ${moneyText(fromBalance, currency)} from the balance`;
  if (paidBy !== "charge") return null;
  const hindered = isCardDisputed ? ". A dispute holds the card back" : card === null ? ". There is no card" : "";
  return html`${time(at, zone)}: ${moneyText(amountDue, currency)}${hindered}`;
}

/** The new price that waits, with its first day and the consent that it needs (rule N4). */
function newPrice({ subscription }: Plan, zone: string): Html | "" {
  const { priceChange, currency } = subscription;
  if (priceChange === null) return "";
  const { effectiveAt, consentedAt } = priceChange;
  const { amount } = newTotalOf(subscription, priceChange);
  const agreed = consentedAt === null ? "" : html`, agreed ${time(consentedAt, zone)}`;
  const consent = lacksConsent(priceChange) ? ", if the Customer agrees" : agreed;
  return html` <span class="note">New price
${moneyText(amount, currency)} from ${time(effectiveAt, zone)}${consent}</span>`;
}

/** The discount of the next period if it is not the held one (rule X4a). */
function newDiscount({ subscription }: Plan, zone: string): Html | "" {
  const { pendingDiscount } = subscription;
  if (pendingDiscount === null) return "";
  const { discount } = pendingDiscount;
  const on = time(changesAt(subscription), zone);
  return discount === null
    ? html` <span class="note">No discount from ${on}</span>`
    : html` <span class="note">Discount <bdi>${discount.code}</bdi> from ${on}</span>`;
}

/** The change at the end of the period, as planned. */
function planned({ outlook, subscription: { currency } }: Plan, zone: string): Html | "" {
  if (!outlook?.change) return "";
  const { productName, effectiveAt } = outlook.change;
  const units = unitsAtTotal(ENGLISH, outlook.change, currency);
  const said = units === null ? "" : ` (${units})`;
  return html` <span class="note">Changes to <bdi>${productName}</bdi>${said} ${time(effectiveAt, zone)}</span>`;
}

function row(pageData: CustomerPageData, plan: Plan): Html {
  const { zone } = pageData;
  const { subscription, product, isUnfinished } = plan;
  const { id, status, amount, currency, productId, startedAt } = subscription;
  const name = product?.name ?? productId;
  return html`<tr id="${id}">
<th scope="row"><bdi>${name}</bdi></th>
<td>${statusBadge("subscription", status)} <span class="note">${nextStep(plan, zone)}</span>
${planned(plan, zone)}${newPrice(plan, zone)}${newDiscount(plan, zone)}
${isUnfinished ? badge("warn", "A change waits for the buyer") : ""}
${actionLinks(pageData, { subscription, name, isUnfinished })}</td>
<td class="number">${moneyText(amount, currency)} <span class="note">${rhythmOf(ENGLISH, subscription)}</span>
${unitsNote(subscription, product?.unitName ?? null)}</td>
<td class="wide">${nextCharge(plan, zone) ?? ""}</td>
<td class="wide">${time(startedAt, zone)}${origin(subscription)}${ownValues(subscription)}</td>
<td class="wide">${shownId(id)}</td>
</tr>`;
}

const HEADINGS = [
  "Product",
  "Status",
  { label: "Price", isNumber: true },
  { label: "Next charge", isWide: true },
  { label: "Started", isWide: true },
  { label: "Id", isWide: true },
];

/** The Subscriptions of a Customer, newest first, ended ones included. */
export function subscriptionTable(pageData: CustomerPageData, plans: readonly Plan[]): Html {
  if (plans.length === 0) return emptyState("There is no Subscription. Create a Checkout link or a Subscription.");
  const rows = plans.map((plan) => row(pageData, plan));
  return table("Subscriptions", HEADINGS, rows);
}

/** The most Subscriptions on the Customer's page. */
export const MOST_SUBSCRIPTIONS = 100;

/** A page of the Subscriptions of a Customer. `prospects` null: the Customer is deleted. */
export async function readPlans(pageData: CustomerPageData, wanted: PageRequest) {
  const { ctx, request, customer } = pageData;
  const { stale } = ctx.db;
  const { id: organizationId } = request.organization;
  const [rows, unfinished] = await Promise.all([
    listSubscriptions(stale, organizationId, { ...wanted, customerId: customer.id }),
    listUnfinished(pageData),
  ]);
  const { data, nextCursor: next } = presentPage(rows, wanted.limit, (subscription) => subscription);
  const live = data.filter(({ status }) => status !== "canceled").map(({ id }) => id);
  const [prospects, sold] = await Promise.all([
    customer.deletedAt === null ? readProspects(ctx, organizationId, customer.id, live) : null,
    products.findAll(stale, organizationId, [...new Set(data.map(({ productId }) => productId))]),
  ]);
  const waiting = new Set(unfinished.map(({ subscriptionId }) => subscriptionId));
  const plans = data.map((subscription): Plan => {
    const { id, productId } = subscription;
    const outlook = prospects?.outlooks.get(id);
    return { subscription, product: sold.get(productId), outlook, isUnfinished: waiting.has(id) };
  });
  return { plans, prospects, next };
}

/** The Subscriptions of a Customer, newest first, ended ones included. */
export const subscriptionList = listOf<Plan[]>({
  name: "subscriptions",
  title: "Subscriptions",
  cursor: "sub",
  few: MOST_SUBSCRIPTIONS,
  older: "Older Subscriptions",
  async read(pageData, wanted) {
    const { plans, next } = await readPlans(pageData, wanted);
    return { ids: plans.map(({ subscription: { id } }) => id), next, data: plans };
  },
  draw: subscriptionTable,
});
