import type { CustomerBilling } from "../billing/customer-billing.ts";
import { OPEN_ITEMS, type Part } from "../billing/parts.ts";
import { partNaming } from "../catalogue/find-product.ts";
import type { Checkout } from "../model/checkout.ts";
import type { Payment } from "../model/payment.ts";
import { cardOf } from "../payment/card.ts";
import { Refusal } from "../refusal.ts";
import { type AgreedChange, decideAgreed } from "./agreed-change.ts";
import { changeCancellation } from "../subscription/cancel.ts";
import { claim } from "../collection/claim.ts";
import type { CancellationWhy } from "../model/cancellation.ts";
import { applyChange } from "./apply-change.ts";
import { openFinishingPage } from "./change-page.ts";
import { asksForChange, type AskedProduct } from "./change-target.ts";
import { type AskedBy, newIntent, recordChangeAttempt, recordIntent } from "./intent.ts";
import type { Subscription } from "../model/subscription.ts";

/** A request for another Product or quantity, or for a cancellation to be scheduled or undone. */
export type AskedUpdate = AskedProduct & {
  cancellationReason?: CancellationWhy["reason"];
  cancellationComment?: CancellationWhy["comment"];
};

/** The figures of a page to which a person agreed; null: the change is decided as of now. */
export type Agreed = AgreedChange | null;

/**
 * The outcome of a request to change the Product: done, to be charged first, or left to the buyer on a page (402).
 */
type ChangeOutcome = { changed: Subscription } | { pending: Payment; productId: string } | { page: Checkout };

/**
 * Changes the Product of a Subscription (rules P), or records the intent and the attempt that pays for the change
 * (rule P1). `agreed`: a person agreed to the figures on a page.
 * @throws Refusal
 */
export function changeProduct(
  billing: CustomerBilling,
  subscription: Subscription,
  params: AskedProduct,
  from: AskedBy,
  agreed: AgreedChange | null = null,
): ChangeOutcome {
  const { at, decided, plan } = decideAgreed(billing, subscription, params, agreed);
  if (!plan) return { changed: subscription };
  const isCovered = plan.totals.amountDue === 0;
  if (!decided.cardMissing && isCovered)
    return { changed: applyChange(billing, subscription, plan, null, at).subscription };
  const method = decided.cardMissing ? null : cardOf(billing, subscription);
  if (!method) {
    if (!billing.loaded.hasProvider) throw new Refusal("payment_provider_missing");
    return { page: openFinishingPage(billing, subscription, plan, null) };
  }
  const intent = newIntent(billing, subscription, plan, at, { checkoutId: null, ...from });
  recordIntent(billing, subscription, intent);
  return { pending: recordChangeAttempt(billing, intent, method), productId: plan.target.productId };
}

/**
 * Changes the Product (rules P), or schedules or undoes a cancellation (rule S1). The request claims the Subscription
 * (rules C12b, P12). `agreed`: as for `changeProduct`.
 * @throws Refusal 402, 409, 412, 422
 */
export function updateSubscription(
  billing: CustomerBilling,
  subscription: Subscription,
  asked: AskedUpdate,
  from: AskedBy,
  agreed: Agreed = null,
): ChangeOutcome {
  if (asksForChange(asked)) return changeProduct(billing, claim(billing, subscription), asked, from, agreed);
  const why = { reason: asked.cancellationReason, comment: asked.cancellationComment };
  return { changed: changeCancellation(billing, subscription, asked.cancelAtPeriodEnd === true, why) };
}

/**
 * The parts for an update: a change needs all parts of a proration. A cancellation needs only the open items, because
 * it decides whether a card's expiry is announced (rule D11).
 */
export function partsToUpdate(id: string, asked: AskedUpdate): Part[] {
  if (!asksForChange(asked)) return [OPEN_ITEMS];
  const isNamed = asked.productId !== undefined || asked.productKey !== undefined;
  return [
    OPEN_ITEMS,
    ...(isNamed ? [partNaming(asked)] : []),
    { part: "period", subscriptionId: id, end: null },
    { part: "unsettled_refunds" },
  ];
}

/** The parts for the settlement of a change's charge. The period has the line that the change credits. */
export const partsToSettleChange = (subscriptionId: string, productId: string): Part[] => [
  OPEN_ITEMS,
  { part: "period", subscriptionId, end: null },
  { part: "grants", sourceId: subscriptionId },
  { part: "product_benefits", productId },
];
