import { quote } from "../balance/quote.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { findProduct } from "../catalogue/find-product.ts";
import { MINUTE, type Instant } from "../calendar.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import { planChange, type ChangePlan, type ChangeTarget } from "../model/plan-change.ts";
import type { AskedChange } from "../model/checkout.ts";
import { openInvoicesOf, waitingLines } from "../invoice/bills.ts";
import { findBilledLine } from "../invoice/returns.ts";
import { taxOn } from "../invoice/order.ts";
import { cardOf } from "../payment/card.ts";
import type { Organization } from "../model/organization.ts";
import type { ProrationBehavior } from "../model/proration.ts";
import type { Subscription } from "../model/subscription.ts";
import { refusalError, requirePossible } from "../collection/change-refusal.ts";
import { findTarget, type AgreedPrice, type AskedProduct } from "./change-target.ts";

/** The longest time for which the amounts on a page are valid. Amounts of a proration change with every moment. */
const QUOTE_MILLISECONDS = 30 * MINUTE;

/**
 * The instant as of which a change is decided: the instant at which its page showed the change. If that instant is too
 * long ago, or the Subscription has changed since, the change is decided as of now (rule C6).
 */
export function quotedAt(
  { now }: Pick<CustomerBilling, "now">,
  { updatedAt }: Subscription,
  shownAt: Instant | null,
): Instant {
  const isFresh = shownAt !== null && shownAt <= now && now - shownAt <= QUOTE_MILLISECONDS && shownAt >= updatedAt;
  return isFresh ? shownAt : now;
}

/**
 * `cardMissing`: an amount is to be paid, now or later, and there is no card to charge (rule P9). No other rule
 * refuses the change.
 */
export type DecidedChange = {
  plan: Exclude<ChangePlan, { refusal: unknown }>;
  target: ChangeTarget;
  asked: AskedChange;
  cardMissing: boolean;
};

/**
 * The Organization's default for a change: for another Product or another price of the units, or for a rise or a fall
 * of the quantity alone (rule Q7).
 */
function defaultBehavior(
  { defaultProration, quantityRise, quantityFall }: Organization,
  { productId, quantity }: Subscription,
  target: ChangeTarget,
): ProrationBehavior {
  if (target.productId !== productId || target.quantity === quantity) return defaultProration;
  return target.quantity > quantity ? quantityRise : quantityFall;
}

/**
 * Decides the change of a Subscription's Product or quantity as of `now` (rules P1 to P10), and changes no row.
 * `agreed`: the price of a Checkout; null: the catalogue's present price.
 * @throws Refusal 409, 422
 */
export function decideChange(
  billing: CustomerBilling,
  subscription: Subscription,
  params: AskedProduct,
  now: Instant,
  agreed: AgreedPrice | null = null,
): DecidedChange {
  const { organization } = billing;
  const target = findTarget(billing, subscription, params, agreed);
  const current = findProduct(billing, subscription.productId);
  const asked = {
    behavior: params.prorationBehavior ?? defaultBehavior(organization, subscription, target),
    ...(params.price && { price: params.price }),
    undo: params.cancelAtPeriodEnd === false,
  };
  const facts = {
    target,
    productName: current?.name ?? "",
    unitName: current?.unitName ?? null,
    billed: subscription.paidRate > 0 ? findBilledLine(billing, subscription) : null,
    ...asked,
    atCatalogue: params.price === "catalogue",
    hasOpenInvoice: openInvoicesOf(billing, subscription.id).length > 0,
    tax: taxOn(billing, subscription.billing),
    timeZone: organization.timeZone,
    now,
  };
  const plan = planChange(subscription, { ...facts, hasCard: true });
  if ("refusal" in plan) throw refusalError(billing, subscription, plan.refusal);
  if (!("unchanged" in plan)) {
    requirePossible(billing, subscription, target, {
      takes: plan.set.paidRate !== undefined && asked.behavior !== "none",
    });
  }
  const hasCard = cardOf(billing, subscription) !== null;
  const cardMissing = !hasCard && "refusal" in planChange(subscription, { ...facts, hasCard });
  return { plan, target, asked, cardMissing };
}

/** A plan with its totals: the part that the balance settles is fixed, too. Null: the change has no effect. */
export function freezePlan(
  billing: CustomerBilling,
  subscription: Subscription,
  { plan, asked, target }: DecidedChange,
): FrozenPlan | null {
  if ("unchanged" in plan) return null;
  const lines = plan.bill === "now" ? [...waitingLines(billing, subscription.id), ...plan.lines] : [];
  const totals = quote(billing, subscription.currency, lines);
  const { set, restarted, bill } = plan;
  return { set, lines: plan.lines, restarted, bill, totals, currency: subscription.currency, asked, target };
}
