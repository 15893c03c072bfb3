import type { Account } from "../account/account.ts";
import { quote } from "../balance/quote.ts";
import type { Instant } from "../calendar.ts";
import { planChange, type ChangePlan, type ChangeRefusal, type ChangeTarget } from "../change.ts";
import type { AskedChange } from "../checkout.ts";
import type { Change, FrozenPlan } from "../frozen-plan.ts";
import { openInvoicesOf, waitingLines } from "../invoice/bills.ts";
import { findBilledLine, isRateAtStake, isRateLowered } from "../invoice/given-back.ts";
import { taxOn } from "../invoice/issue.ts";
import { cardOf } from "../payment/card.ts";
import { periodOf, priceIn, type Product } from "../product.ts";
import type { ProrationBehavior } from "../proration.ts";
import type { Subscription } from "../subscription.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { requireFreeGroup } from "./group.ts";
import { isChangePossible } from "./pending-change.ts";
import { findProduct } from "../catalogue/product.ts";

/** The Product that a caller asks for, by id or key, and how. */
export type AskedProduct = {
  productId?: string | undefined;
  productKey?: string | undefined;
  prorationBehavior?: ProrationBehavior | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
};

type AgreedPrice = Pick<ChangeTarget, "amount" | "interval" | "intervalCount">;

/** `cardMissing`: with anything to pay, now or later, there is no card that could be charged (rule P9); no other rule is in the way. */
export type DecidedChange = {
  plan: Exclude<ChangePlan, { refusal: unknown }>;
  target: ChangeTarget;
  asked: AskedChange;
  cardMissing: boolean;
};

/** Nothing else may happen to a Subscription while a change of it is being paid (rule P1). */
export function requireNoChange(subscription: Subscription): void {
  if (subscription.changeId) throw changeInProgress();
}

function changeInProgress(): AppError {
  return new AppError("change_in_progress", { headers: { "Retry-After": "1" } });
}

/** A change may credit what a refund that is not settled yet gives back, or not: too early to decide (rule P). */
function refundInProgress(): AppError {
  return new AppError("refund_in_progress", { headers: { "Retry-After": "1" } });
}

/** The Product that a body names, as a target for this Subscription; 422 at the pointer when it can't be one. */
function findTarget(account: Account, subscription: Subscription, { productId, productKey }: AskedProduct): ChangeTarget {
  const pointer = productId === undefined ? "/productKey" : "/productId";
  account.need(productId === undefined ? { part: "product_by_key", key: productKey! } : { part: "product", id: productId });
  const [product] = account.products.where(({ id, key }) => (productId === undefined ? key === productKey : id === productId));
  if (!product) throw invalid(pointer, "unknown_product", "No such Product exists.");
  const present = product.id === subscription.productId;
  // A Product that is sold already stays sold: an archived present one may be named, to clear a pending change.
  if (product.archived && !present) throw archived(pointer);
  return targetOf(product, subscription, pointer);
}

function targetOf(product: Product, subscription: Subscription, pointer: string): ChangeTarget {
  const period = periodOf(product);
  if (!period) throw invalid(pointer, "product_not_recurring", "The Product is sold once; a Subscription needs a recurring one.");
  const price = product.archived ? subscription.amount : priceIn(product, subscription.currency);
  if (price === null) throw invalid(pointer, "currency_missing", `The Product has no price in ${subscription.currency}.`);
  return { productId: product.id, productName: product.name, groupKey: product.groupKey, amount: price, ...period };
}

/**
 * Decides the change of a Subscription's Product as of `now` (rules P1 to P10), and changes no row. `agreed`: the price of a Checkout,
 * whatever the catalogue says by now (rule C3). @throws AppError 409, 422
 */
export function decideChange(
  account: Account,
  subscription: Subscription,
  params: AskedProduct,
  now: Instant,
  agreed: Partial<AgreedPrice> = {},
): DecidedChange {
  const { organization } = account;
  const target = { ...findTarget(account, subscription, params), ...agreed };
  const asked = { behavior: params.prorationBehavior ?? organization.defaultProration, undo: params.cancelAtPeriodEnd === false };
  const facts = {
    target,
    productName: findProduct(account, subscription.productId)?.name ?? "",
    billed: subscription.paidRate > 0 ? findBilledLine(account, subscription) : null,
    ...asked,
    hasOpenInvoice: openInvoicesOf(account, subscription.id).length > 0,
    tax: taxOn(account, subscription.billing),
    timeZone: organization.timeZone,
    now,
  };
  const plan = planChange(subscription, { ...facts, hasCard: true });
  if ("refusal" in plan) throw refusalError(plan.refusal);
  // A new period without a credit for the old one (`none`) takes nothing of it.
  if (!("unchanged" in plan) && plan.set.paidRate !== undefined && asked.behavior !== "none") {
    if (isRateLowered(account, subscription)) throw refundInProgress();
    if (isRateAtStake(account, subscription)) throw new AppError("payment_disputed");
  }
  if (!("unchanged" in plan) && target.groupKey !== subscription.groupKey) requireFreeGroup(account, target.groupKey);
  requirePossible(account, subscription, plan);
  const hasCard = cardOf(account, subscription) !== null;
  const cardMissing = !hasCard && "refusal" in planChange(subscription, { ...facts, hasCard });
  return { plan, target, asked, cardMissing };
}

/**
 * A change that the end of the period would drop is not scheduled. A page asks for one where it was opened for the present Product at
 * another price, and the Product was archived since (rules C6, P6).
 */
function requirePossible(account: Account, subscription: Subscription, plan: Exclude<ChangePlan, { refusal: unknown }>): void {
  if ("unchanged" in plan || !plan.set.pendingChange) return;
  if (!isChangePossible(account, { ...subscription, ...plan.set })) throw archived("/productId");
}

const archived = (pointer: string) => invalid(pointer, "product_archived", "The Product is archived.");

function refusalError(refusal: ChangeRefusal): AppError {
  return refusal === "change_in_progress" ? changeInProgress() : new AppError(refusal);
}

/** A plan with what it comes to: the part that the balance settles is fixed with it. Null: the change changes nothing. */
export function freezePlan(account: Account, subscription: Subscription, { plan, asked, target }: DecidedChange): FrozenPlan | null {
  if ("unchanged" in plan) return null;
  const lines = plan.bill === "now" ? [...waitingLines(account, subscription.id), ...plan.lines] : [];
  const totals = quote(account, subscription.currency, lines);
  const { set, restarted, bill } = plan;
  return { set, lines: plan.lines, restarted, bill, totals, currency: subscription.currency, asked, target };
}

/** An intent that is not written yet: the plan as of `now`, and the group that it reserves (rules C4, P1). */
export function newIntent(
  { organization, customer }: Account,
  { id: subscriptionId, groupKey: present }: Subscription,
  plan: FrozenPlan,
  now: Instant,
  from: Pick<Change, "checkoutId" | "requestId" | "idempotency">,
): Change {
  const { groupKey } = plan.target;
  return {
    organizationId: organization.id,
    id: newId("chg"),
    subscriptionId,
    customerId: customer.id,
    ...from,
    pageId: null,
    status: "pending",
    plan,
    groupKey: groupKey === present ? null : groupKey,
    decidedAt: now,
    settledAt: null,
    createdAt: now,
  };
}
