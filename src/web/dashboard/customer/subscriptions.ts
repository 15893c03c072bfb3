import { html } from "hono/html";
import { readProspects } from "../../../actions/subscription/outlook.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { Outlook } from "../../../domain/subscription/outlook.ts";
import type { Subscription } from "../../../domain/model/subscription.ts";
import { valueInWords } from "../../../domain/words.ts";
import { presentPage } from "../../../resources/page.ts";
import { products } from "../../../store/products.ts";
import { listSubscriptions } from "../../../store/subscriptions.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id as shownId, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { actionLinks } from "../subscription/links.ts";
import { listUnfinished } from "../subscription/unfinished-checkouts.ts";
import { table } from "../table.ts";
import type { ListOf, Place, Scene } from "./part.ts";

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

/** The next date of a Subscription, and its meaning. */
export function nextStep({ subscription, outlook }: Plan, zone: string): Html {
  const { status, endedAt, cancelAt, cancellationReason, trialEnd, currentPeriodEnd } = subscription;
  if (endedAt !== null) {
    const why = cancellationReason === null ? "" : ` (${valueInWords(cancellationReason)})`;
    return html`Ended ${time(endedAt, zone)}${why}`;
  }
  if (cancelAt !== null) return html`Ends ${time(cancelAt, zone)}`;
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

/** The change at the end of the period, as planned. */
function planned({ outlook }: Plan, zone: string): Html | "" {
  if (!outlook?.change) return "";
  const { productName, effectiveAt } = outlook.change;
  return html` <span class="note">Changes to <bdi>${productName}</bdi> ${time(effectiveAt, zone)}</span>`;
}

function row(scene: Scene, plan: Plan): Html {
  const { zone } = scene;
  const { subscription, product, isUnfinished } = plan;
  const { id, status, amount, currency, productId, startedAt } = subscription;
  const name = product?.name ?? productId;
  return html`<tr id="${id}">
<th scope="row"><bdi>${name}</bdi></th>
<td>${statusBadge("subscription", status)} <span class="note">${nextStep(plan, zone)}</span>${planned(plan, zone)}
${isUnfinished ? badge("warn", "A change waits for the buyer") : ""}
${actionLinks(scene, { subscription, name, isUnfinished })}</td>
<td class="number">${moneyText(amount, currency)} <span class="note">${rhythmOf(ENGLISH, subscription)}</span></td>
<td class="wide">${nextCharge(plan, zone) ?? ""}</td>
<td class="wide">${time(startedAt, zone)}</td>
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
export function subscriptionTable(scene: Scene, plans: readonly Plan[]): Html {
  if (plans.length === 0) return emptyState("There is no Subscription. Create a Checkout link or a Subscription.");
  const rows = plans.map((plan) => row(scene, plan));
  return table("Subscriptions", HEADINGS, rows);
}

/** The most Subscriptions on the Customer's page. */
export const MOST_SUBSCRIPTIONS = 100;

/** A page of the Subscriptions of a Customer. `prospects` null: the Customer is deleted. */
export async function readPlans(scene: Scene, wanted: Place) {
  const { ctx, visit, customer } = scene;
  const { read } = ctx.db;
  const { id: organizationId } = visit.organization;
  const [rows, unfinished] = await Promise.all([
    listSubscriptions(read, organizationId, { ...wanted, customerId: customer.id }),
    listUnfinished(scene),
  ]);
  const { data, nextCursor: next } = presentPage(rows, wanted.limit, (subscription) => subscription);
  const live = data.filter(({ status }) => status !== "canceled").map(({ id }) => id);
  const [prospects, sold] = await Promise.all([
    customer.deletedAt === null ? readProspects(ctx, organizationId, customer.id, live) : null,
    products.findAll(read, organizationId, [...new Set(data.map(({ productId }) => productId))]),
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
export const subscriptionList: ListOf = {
  name: "subscriptions",
  title: "Subscriptions",
  cursor: "sub",
  few: MOST_SUBSCRIPTIONS,
  older: "Older Subscriptions",
  async read(scene, wanted) {
    const { plans, next } = await readPlans(scene, wanted);
    return { ids: plans.map(({ subscription: { id } }) => id), body: subscriptionTable(scene, plans), next };
  },
};
