import { html } from "hono/html";
import type { Product } from "../../../domain/catalogue/product.ts";
import type { Outlook } from "../../../domain/subscription/outlook.ts";
import type { Subscription } from "../../../domain/subscription/subscription.ts";
import { valueInWords } from "../../../domain/words.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, moneyText, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { statusBadge } from "../components/status.ts";
import { table } from "../table.ts";

/** A Subscription with its Product. `outlook` undefined: the Subscription has ended. */
export type Plan = { subscription: Subscription; product: Product | undefined; outlook: Outlook | undefined };

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
    return at === null ? html`No retry is planned` : html`The charge is tried again ${time(at, zone)}`;
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

function row(plan: Plan, zone: string): Html {
  const { subscription, product } = plan;
  const { id, status, amount, currency, productId, startedAt } = subscription;
  return html`<tr id="${id}">
<th scope="row"><bdi>${product?.name ?? productId}</bdi></th>
<td>${statusBadge("subscription", status)} <span class="note">${nextStep(plan, zone)}</span></td>
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
export function subscriptionTable(plans: readonly Plan[], zone: string): Html {
  if (plans.length === 0) return emptyState("There is no Subscription. A Checkout of a plan begins one.");
  const rows = plans.map((plan) => row(plan, zone));
  return table("Subscriptions", HEADINGS, rows);
}
