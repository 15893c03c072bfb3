import { html } from "hono/html";
import type { Fact } from "../../documents/billing-document.ts";
import { formatDate, type Instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { portalAllows } from "../../domain/organization/portal-settings.ts";
import { unbrokenCardName } from "../../domain/payment/card-name.ts";
import type { PaymentMethod } from "../../domain/payment/payment.ts";
import { accessInWords } from "../../domain/payment/unpaid-words.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import { rhythmOf } from "../../texts/phrases.ts";
import { ENGLISH } from "../../texts/words.ts";
import { fact } from "../components/fact.ts";
import type { Html } from "../layout.ts";
import { money } from "../money.ts";
import type { Account, Holding } from "./account.ts";
import { planLink } from "./plan-link.ts";
import { section } from "./section.ts";
import type { Visit } from "./visit.ts";

type Zone = Pick<Organization, "timeZone">;

const STATUSES: Record<Subscription["status"], string> = {
  trialing: "Free trial",
  active: "Active",
  past_due: "Payment overdue",
  canceled: "Ended",
};

function statusOf(
  { status, endedAt, cancelAt, cancelAtPeriodEnd }: Subscription,
  day: (at: Instant) => string,
): string {
  if (endedAt !== null) return `Ended on ${day(endedAt)}`;
  const planned = cancelAtPeriodEnd && cancelAt !== null ? ` · ends on ${day(cancelAt)}` : "";
  return STATUSES[status] + planned;
}

/** Why a card is not charged off-session (rule D6). */
export const heldBack = (card: PaymentMethod) =>
  `${unbrokenCardName(card)} is not charged automatically, because your bank reversed a payment with it`;

/** The charge at the end of the period, and its means of payment. */
function nextCharge({ subscription: { status, currency }, next }: Holding): string {
  const { totalAmount, amountDue, paidBy, card, isCardDisputed } = next!;
  if (paidBy === "nothing") return "no charge";
  if (paidBy === "balance") return `${money(totalAmount, currency)}, from your account balance`;
  const due = money(amountDue, currency);
  if (card && isCardDisputed) return `${due}; ${heldBack(card)}`;
  if (card) return `${due}, to ${unbrokenCardName(card)}`;
  return status === "trialing"
    ? `${due}; there is no card on file, so access ends then`
    : `${due}; there is no card on file`;
}

function factsOf(holding: Holding, { timeZone }: Zone): Fact[] {
  const { subscription, next } = holding;
  const { status, amount, currency, currentPeriodEnd, cancelAtPeriodEnd, pendingChange } = subscription;
  const day = (at: Instant) => formatDate(at, timeZone);
  const price = { name: "Price", value: `${money(amount, currency)} ${rhythmOf(ENGLISH, subscription)}` };
  if (status === "canceled") return [price];
  const trial = status === "trialing" ? [{ name: "Free until", value: day(currentPeriodEnd) }] : [];
  // A cancellation at the end of the period drops the pending change (rule S1).
  const change = cancelAtPeriodEnd ? null : pendingChange;
  const planned = change && {
    name: subscription.grantsSuspended ? "From the next period" : `From ${day(change.effectiveAt)}`,
    value: `${change.productName}, ${money(change.amount, currency)} ${rhythmOf(ENGLISH, change)}`,
  };
  const charge = next ? [{ name: "Next charge", value: `${day(currentPeriodEnd)}: ${nextCharge(holding)}` }] : [];
  const words = accessInWords(subscription, timeZone);
  const access = words === null ? [] : [{ name: "Access", value: words }];
  return [price, ...trial, ...(planned ? [planned] : []), ...charge, ...access];
}

/**
 * The buttons of a Subscription. An ended Subscription has no buttons, nor one with a change that is being paid. A
 * cancellation can be undone even if the seller allows no cancellation (rule I10).
 */
function control({ subscription, product }: Holding, organization: Organization, self: string): Html | "" {
  const { id, status, cancelAtPeriodEnd, changeId } = subscription;
  if (status === "canceled" || changeId !== null) return "";
  const path = `${self}/subscriptions/${id}`;
  const which = html`<span class="unseen">: ${product}</span>`;
  if (!cancelAtPeriodEnd && !portalAllows(organization, "cancel")) return "";
  if (!cancelAtPeriodEnd) return html`<a class="button other small" href="${path}/cancel">Cancel${which}</a>`;
  return html`<form method="post" action="${path}/keep" data-once>
<button class="button small" type="submit">Keep it${which}</button>
</form>`;
}

/** A Subscription in words, with its buttons. */
function holdingEntry(holding: Holding, visit: Visit): Html {
  const { organization, self } = visit;
  const day = (at: Instant) => formatDate(at, organization.timeZone);
  const facts = factsOf(holding, organization).map(({ name, value }) => fact(name, value));
  return html`<li>
<h3><bdi>${holding.product}</bdi></h3>
<p class="note">${statusOf(holding.subscription, day)}</p>
<dl class="facts">${facts}</dl>
${planLink(holding, visit)} ${control(holding, organization, self)}
</li>`;
}

/** A page of the Subscriptions. */
export function subscriptionsSection(visit: Visit, { holdings, more }: Account): Html {
  const others =
    more === null ? "" : html`<p class="aside"><a href="?subscriptions=${more}">More subscriptions</a></p>`;
  const entries = holdings.map((holding) => holdingEntry(holding, visit));
  return section("subscriptions", "Subscriptions", entries, "You have no subscription.", others);
}
