import { HTTPException } from "hono/http-exception";
import type { Product } from "../../../domain/model/product.ts";
import type { Subscription } from "../../../domain/model/subscription.ts";
import type { ErrorCode } from "../../../errors.ts";
import { isId } from "../../../ids.ts";
import { products } from "../../../store/products.ts";
import { subscriptions } from "../../../store/subscriptions.ts";
import type { PageContext } from "../../environment.ts";
import { CUSTOMER, pageDataOf, type Scene } from "../customer/part.ts";
import type { Visit } from "../request.ts";

/** The path of the deeds on a Subscription. */
export const SUBSCRIPTION = `${CUSTOMER}/subscriptions/:subscriptionId`;

/** A visit to one Subscription. `path`: the path of its deeds in a browser. */
export type Held = Scene & { subscription: Subscription; product: Product; path: string };

/** @throws HTTPException 404 unless the Customer of the path has the Subscription of the path */
export async function heldOf(c: PageContext, visit: Visit): Promise<Held> {
  const scene = await pageDataOf(c, visit);
  const { ctx } = scene;
  const { id: organizationId } = visit.organization;
  const id = c.req.param("subscriptionId") ?? "";
  const subscription = isId("sub", id) ? await subscriptions.find(ctx.db.read, organizationId, id) : null;
  if (subscription?.customerId !== scene.customer.id) throw new HTTPException(404);
  const product = (await products.find(ctx.db.read, organizationId, subscription.productId))!;
  return { ...scene, subscription, product, path: `${scene.self}/subscriptions/${id}` };
}

/** The page of the Customer, at this Subscription. `done`: a word of `customer/done.ts`. */
export const afterOperation = (
  { self, subscription: { id } }: Pick<Held, "self" | "subscription">,
  done?: string,
): string => `${self}${done === undefined ? "" : `?done=${done}`}#${id}`;

/** Own words for the refusals of deeds on a Subscription. */
export const WORDS: Partial<Record<ErrorCode, string>> = {
  already_subscribed:
    "The Customer has another Subscription of this group, or already has this plan. Check the page of the Customer.",
  catch_up_pending:
    "Billing was interrupted, and the missed billing of this Subscription is held. An operator has to approve the " +
    "missed billing first.",
  change_in_progress: "A change of the Subscription is being paid. Wait for the outcome, then try again.",
  invoice_open:
    "An invoice of the Subscription is open. Until the invoice is paid, the plan can change only at the end of the " +
    "period.",
  payment_disputed:
    "The payment of this period is disputed. Until the bank has decided, choose “At the end of the period” or " +
    "“Now, without proration”.",
  payment_provider_missing: "No payment provider is connected, so no charge is possible.",
  payment_refused:
    "The payment provider refused the charge, and the buyer is not at fault. No change was made. An operator has to " +
    "remove the cause.",
  precondition_failed:
    "The Subscription or an amount has changed since you opened this page. The page now shows the present state. " +
    "Check the page, then confirm again.",
  refund_in_progress:
    "A refund is in progress, and the credit of the change depends on its outcome. Try again in a minute.",
  subscription_canceled: "The Subscription has ended. A Subscription that has ended can't be changed.",
  subscription_past_due:
    "The Subscription is past due. Until the owed amount is paid, the plan can change only at the end of the period.",
};
