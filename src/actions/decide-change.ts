import { planChange, type ChangePlan, type ChangeRefusal, type ChangeTarget } from "../domain/change.ts";
import type { AskedChange } from "../domain/checkout.ts";
import { periodOf, priceIn, type Product } from "../domain/product.ts";
import type { Subscription } from "../domain/subscription.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import type { UpdateSubscriptionParams } from "../resources/subscription.ts";
import type { Change, FrozenPlan } from "../domain/frozen-plan.ts";
import { isRateAtStake } from "../store/disputes.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { isRateLowered } from "../store/refunds.ts";
import { products, findProductByKey } from "../store/products.ts";
import { cardOf } from "./collect-invoice.ts";
import { findBilledLine } from "./given-back.ts";
import { requireFreeGroup } from "./group.ts";
import { quote, taxOn } from "./issue-invoice.ts";
import { changeInProgress, refundInProgress, type SubscriptionWork } from "./subscription-work.ts";

/** The Product that a body names, as a target for this Subscription; 422 at the pointer when it can't be one. */
async function findTarget(work: SubscriptionWork, params: UpdateSubscriptionParams): Promise<ChangeTarget> {
  const { tx, organization, subscription } = work;
  const { productId, productKey } = params;
  const pointer = productId === undefined ? "/productKey" : "/productId";
  const product =
    productId === undefined
      ? await findProductByKey(tx, organization.id, productKey!)
      : await products.find(tx, organization.id, productId);
  if (!product) throw invalid(pointer, "unknown_product", "No such Product exists.");
  const present = product.id === subscription.productId;
  // What is sold already stays sold: an archived present Product may be named, to clear a pending change.
  if (product.archived && !present) throw invalid(pointer, "product_archived", "The Product is archived.");
  return targetOf(product, subscription, pointer);
}

function targetOf(product: Product, subscription: Subscription, pointer: string): ChangeTarget {
  const period = periodOf(product);
  if (!period) throw invalid(pointer, "product_not_recurring", "The Product is sold once; a Subscription needs a recurring one.");
  const price = product.archived ? subscription.amount : priceIn(product, subscription.currency);
  if (price === null) throw invalid(pointer, "currency_missing", `The Product has no price in ${subscription.currency}.`);
  return { productId: product.id, productName: product.name, groupKey: product.groupKey, amount: price, ...period };
}

type AgreedPrice = Pick<ChangeTarget, "amount" | "interval" | "intervalCount">;

/** `cardMissing`: with anything to pay, now or later, there is no card that could be charged (rule P9); nothing else is in the way. */
export type DecidedChange = {
  plan: Exclude<ChangePlan, { refusal: unknown }>;
  target: ChangeTarget;
  asked: AskedChange;
  cardMissing: boolean;
};

/**
 * Loads what a change needs to know and decides; nothing is written, so a preview is the same (rule P8). `now` of the work: as of when it
 * is decided. `agreed`: the price of a Checkout, whatever the catalogue says by now (rule C3). @throws AppError 409, 422
 */
export async function decideChange(
  work: SubscriptionWork,
  params: UpdateSubscriptionParams,
  agreed: Partial<AgreedPrice> = {},
): Promise<DecidedChange> {
  const { tx, organization, subscription, now } = work;
  const target = { ...(await findTarget(work, params)), ...agreed };
  const [present, openInvoices, isLowered, isAtStake, billed] = await Promise.all([
    products.find(tx, organization.id, subscription.productId),
    openInvoicesOf(tx, organization.id, subscription.id),
    isRateLowered(tx, subscription),
    isRateAtStake(tx, subscription),
    subscription.paidRate > 0 ? findBilledLine(tx, subscription) : null,
  ]);
  const asked = { behavior: params.prorationBehavior ?? organization.defaultProration, undo: params.cancelAtPeriodEnd === false };
  const facts = {
    target,
    productName: present?.name ?? "",
    billed,
    ...asked,
    hasOpenInvoice: openInvoices.length > 0,
    tax: taxOn(work, subscription.billing),
    timeZone: organization.timeZone,
    now,
  };
  const plan = planChange(subscription, { ...facts, hasCard: true });
  if ("refusal" in plan) throw refusalError(plan.refusal);
  // A new period without a credit for the old one (`none`) takes nothing of it.
  if (!("unchanged" in plan) && plan.set.paidRate !== undefined && asked.behavior !== "none") {
    if (isLowered) throw refundInProgress();
    if (isAtStake) throw new AppError("payment_disputed");
  }
  if (!("unchanged" in plan) && target.groupKey !== subscription.groupKey) await requireFreeGroup(work, target.groupKey);
  const hasCard = (await cardOf(work, subscription)) !== null;
  const cardMissing = !hasCard && "refusal" in planChange(subscription, { ...facts, hasCard });
  return { plan, target, asked, cardMissing };
}

function refusalError(refusal: ChangeRefusal): AppError {
  return refusal === "change_in_progress" ? changeInProgress() : new AppError(refusal);
}

/** A plan with what it comes to: what the balance settles of it is fixed with it. */
export async function freezePlan(work: SubscriptionWork, { plan, asked, target }: DecidedChange): Promise<FrozenPlan | null> {
  if ("unchanged" in plan) return null;
  const { tx, organization, subscription } = work;
  const waiting = plan.bill === "now" ? await waitingLines(tx, organization.id, subscription.id) : [];
  const totals = await quote(work, subscription.currency, plan.bill === "now" ? [...waiting, ...plan.lines] : []);
  const { set, lines, restarted, bill } = plan;
  return { set, lines, restarted, bill, totals, currency: subscription.currency, asked, target };
}

/** An intent that is not written yet: the plan as of now, and the group that it reserves (rules C4, P1). */
export function newIntent(
  work: SubscriptionWork,
  plan: FrozenPlan,
  from: Pick<Change, "checkoutId" | "requestId" | "idempotency">,
): Change {
  const { organization, subscription, now } = work;
  const { groupKey } = plan.target;
  return {
    organizationId: organization.id,
    id: newId("chg"),
    subscriptionId: subscription.id,
    customerId: subscription.customerId,
    ...from,
    pageId: null,
    status: "pending",
    plan,
    groupKey: groupKey === subscription.groupKey ? null : groupKey,
    decidedAt: now,
    settledAt: null,
    createdAt: now,
  };
}
