import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import * as portal from "../../domain/change/portal-change.ts";
import type { AskedInPortal } from "../../domain/change/portal-draft.ts";
import { quoteInPortal as quote, type PortalQuote } from "../../domain/change/portal-quote.ts";
import { Refused } from "../../domain/checkout/refusal.ts";
import { claimedAtHand } from "../../domain/subscription/requested-subscription.ts";
import type { ChangeTarget } from "../../domain/model/plan-change.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { isRefusal, Refusal } from "../../domain/refusal.ts";
import { inBilling, readCustomerBilling } from "../customer-billing.ts";
import { checkoutUrl, portalUrl } from "../links.ts";
import { sendPayment } from "../payment/carry-out.ts";

/**
 * The outcome of a change in the portal. `checkout`: the URL of the page on which the buyer goes on: to the bank, with
 * another card, or to wait. `amount_changed`: the page has to show the present figures first.
 */
export type ChangedInPortal =
  | { done: true }
  | { checkout: string }
  | { refused: "amount_changed" }
  | { refusal: Refusal };

/**
 * The page of the portal with the Products to choose from; with `productId`, the page of the change to that Product.
 */
export function planUrl(ctx: Context, { organizationId, id }: Subscription, productId?: string): string {
  const page = `${portalUrl(ctx, organizationId)}/subscriptions/${id}/plan`;
  return productId === undefined ? page : `${page}/${productId}`;
}

/** The page of the portal with the quantity to choose; with `quantity`, the page of the change to this quantity. */
export function quantityUrl(ctx: Context, { organizationId, id }: Subscription, quantity?: number): string {
  const page = `${portalUrl(ctx, organizationId)}/subscriptions/${id}/quantity`;
  return quantity === undefined ? page : `${page}?quantity=${quantity}`;
}

/** The Product that a Customer chose, the current one or another one. `quantity` absent: the present quantity. */
export type ChosenInPortal = { productId: string; quantity?: number };

function askedOf(ctx: Context, subscription: Subscription, { productId, quantity }: ChosenInPortal): AskedInPortal {
  if (productId === subscription.productId) {
    const [successUrl, cancelUrl] = [quantityUrl(ctx, subscription, quantity), quantityUrl(ctx, subscription)];
    return { productId, ...(quantity !== undefined && { quantity }), successUrl, cancelUrl };
  }
  const [successUrl, cancelUrl] = [planUrl(ctx, subscription, productId), planUrl(ctx, subscription)];
  return { productId, ...(quantity !== undefined && { quantity }), successUrl, cancelUrl };
}

/** Whether a change that is being paid is the chosen one. */
const isTarget = ({ productId, quantity }: ChosenInPortal, target: ChangeTarget): boolean =>
  target.productId === productId && (quantity === undefined || target.quantity === quantity);

const keyOf = ({ organizationId, id }: Subscription) => ({ by: "subscription", organizationId, id }) as const;

/** @throws the error, if it does not say why this Subscription can't be changed to this Product now */
function refusalOf(error: unknown): { refusal: Refusal } {
  if (error instanceof Refusal && error.code !== "not_found") return { refusal: error };
  throw error;
}

/** A change in the portal as of now, by the decision that makes the change (rules P8, P11). */
export function quoteInPortal(
  ctx: Context,
  subscription: Subscription,
  chosen: ChosenInPortal,
): Promise<PortalQuote | { refusal: Refusal }> {
  const asked = askedOf(ctx, subscription, chosen);
  const decide = (billing: CustomerBilling) => quote(billing, claimedAtHand(billing, subscription.id), asked);
  return readCustomerBilling(ctx, keyOf(subscription), decide).catch(refusalOf);
}

/**
 * Changes the Product or the quantity for a Customer in the portal (rules P11, Q9), and charges the card on file if an
 * amount is due. A second click finds the change of the first one: made, or under way.
 */
export async function changeInPortal(
  ctx: Context,
  subscription: Subscription,
  chosen: ChosenInPortal,
  agreed: portal.AgreedInPortal,
): Promise<ChangedInPortal> {
  const asked = askedOf(ctx, subscription, chosen);
  const decide = (billing: CustomerBilling) => {
    const claimed = claimedAtHand(billing, subscription.id);
    const underWay = claimed.changeId === null ? null : billing.changes.get(claimed.changeId);
    if (underWay?.checkoutId && isTarget(chosen, underWay.plan.target)) return { underWay: underWay.checkoutId };
    return portal.changeInPortal(billing, claimed, asked, agreed);
  };
  const { organizationId } = subscription;
  try {
    const decided = await ctx.db.tx((tx) => inBilling(ctx, tx, keyOf(subscription), decide));
    if ("underWay" in decided) return { checkout: checkoutUrl(ctx, { organizationId, id: decided.underWay }) };
    if ("page" in decided) return { checkout: checkoutUrl(ctx, decided.page) };
    if (!decided.payment) return { done: true };
    const payment = await sendPayment(ctx, organizationId, decided.payment.id);
    return payment.status === "succeeded" ? { done: true } : { checkout: checkoutUrl(ctx, decided.checkout) };
  } catch (error) {
    if (!(error instanceof Refused)) return alreadyDone(error);
    const { refusal } = error;
    if (refusal.refused === "amount_changed") return { refused: refusal.refused };
    if (refusal.refused === "change_refused") return alreadyDone(refusal.error);
    throw error;
  }
}

/** The change has no effect if it is made or scheduled already. */
const alreadyDone = (error: unknown): ChangedInPortal =>
  isRefusal(error, "no_change") ? { done: true } : refusalOf(error);
