import type { Account } from "../billing/customer-billing.ts";
import { BOOKS, type Part } from "../billing/parts.ts";
import { partNaming } from "../catalogue/find-product.ts";
import type { AgreedChange } from "./agreed-change.ts";
import { changeCancellation } from "../subscription/cancel.ts";
import { claim } from "../collection/claim.ts";
import type { CancellationWhy } from "../model/cancellation.ts";
import { changeProduct, type ChangeOutcome } from "./change.ts";
import type { AskedProduct } from "./change-target.ts";
import type { AskedBy } from "./intent.ts";
import type { Subscription } from "../model/subscription.ts";

/** A request for another Product, or for a cancellation to be scheduled or undone. */
export type AskedUpdate = AskedProduct & {
  cancellationReason?: CancellationWhy["reason"];
  cancellationComment?: CancellationWhy["comment"];
};

/** The figures of a page to which a person agreed; null: the change is decided as of now. */
export type Agreed = AgreedChange | null;

const asksForProduct = ({ productId, productKey }: AskedUpdate) => productId !== undefined || productKey !== undefined;

/**
 * Changes the Product (rules P), or schedules or undoes a cancellation (rule S1). The request claims the Subscription
 * (rules C12b, P12). `agreed`: as for `changeProduct`.
 * @throws AppError 402, 409, 412, 422
 */
export function updateSubscription(
  account: Account,
  subscription: Subscription,
  asked: AskedUpdate,
  from: AskedBy,
  agreed: Agreed = null,
): ChangeOutcome {
  if (asksForProduct(asked)) return changeProduct(account, claim(account, subscription), asked, from, agreed);
  const why = { reason: asked.cancellationReason, comment: asked.cancellationComment };
  return { changed: changeCancellation(account, subscription, asked.cancelAtPeriodEnd === true, why) };
}

/**
 * The parts for an update: a change needs all parts of a proration. A cancellation needs only the books, because it
 * decides whether a card's expiry is announced (rule D11).
 */
export function partsToUpdate(id: string, asked: AskedUpdate): Part[] {
  if (!asksForProduct(asked)) return [BOOKS];
  return [BOOKS, partNaming(asked), { part: "period", subscriptionId: id, end: null }, { part: "unsettled_refunds" }];
}

/** The parts for the settlement of a change's charge. The period has the line that the change credits. */
export const partsToSettleChange = (subscriptionId: string, productId: string): Part[] => [
  BOOKS,
  { part: "period", subscriptionId, end: null },
  { part: "grants", sourceId: subscriptionId },
  { part: "product_benefits", productId },
];
