import type { CustomerBilling } from "../billing/customer-billing.ts";
import { findProduct } from "../catalogue/find-product.ts";
import type { Instant } from "../calendar.ts";
import { type Checkout, MAX_FAILED_ATTEMPTS } from "../model/checkout.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import { taxOn } from "../invoice/order.ts";
import { decideChange, quotedAt, type DecidedChange, freezePlan } from "./decide-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { Refused } from "../checkout/refusal.ts";
import { nextPeriodOf } from "../collection/next-period.ts";
import { Refusal } from "../refusal.ts";

/** The change of a Checkout as of `at`. `plan` null: the change has no effect any more. */
export type CheckoutDecision = { at: Instant; decided: DecidedChange; plan: FrozenPlan | null };

/**
 * Decides the change of a Checkout as of the instant at which its page showed the change. If that instant is too long
 * ago, or the Subscription has changed since, the change is decided as of now (rule C6).
 * @throws Refusal 409 if the Subscription can't be changed this way, 422 for its Product
 */
export function decideCheckout(
  billing: CustomerBilling,
  subscription: Subscription,
  checkout: Checkout,
  shownAt: Instant | null,
): CheckoutDecision {
  const at = quotedAt(billing, subscription, shownAt);
  const { behavior: prorationBehavior, price, undo } = checkout.change!;
  const { productId, quantity } = checkout;
  const asked = { productId, quantity, price, prorationBehavior, ...(undo && { cancelAtPeriodEnd: false }) };
  const agreed = { amount: checkout.amount, interval: checkout.interval!, intervalCount: checkout.intervalCount! };
  const decided = decideChange(billing, subscription, asked, at, agreed);
  return { at, decided, plan: freezePlan(billing, subscription, decided) };
}

/** The Checkout with the amounts of its decided change, and with the price from the next period on. */
export function reckoned(
  billing: CustomerBilling,
  subscription: Subscription,
  checkout: Checkout,
  { set, totals }: FrozenPlan,
): Checkout {
  const after = { ...subscription, ...set };
  const { discount } = after;
  const { amount, quantity, interval, intervalCount } = nextPeriodOf(billing, after).plan.subscription;
  const tax = { rate: taxOn(billing, subscription.billing) };
  const sold = { amount, quantity, interval, intervalCount, discount, tax };
  return { ...checkout, ...sold, change: { ...checkout.change!, totals } };
}

/** As `decideCheckout`, for a submitted page. @throws Refused if the change is not possible, or has no effect */
export function decideSubmitted(
  billing: CustomerBilling,
  subscription: Subscription,
  checkout: Checkout,
  shownAt: Instant | null,
): { at: Instant; plan: FrozenPlan } {
  try {
    const { at, plan } = decideCheckout(billing, subscription, checkout, shownAt);
    if (!plan) throw new Refusal("no_change", { subscriptionId: null });
    return { at, plan };
  } catch (error) {
    throw error instanceof Refusal ? new Refused({ refused: "change_refused", error }) : error;
  }
}

/** The Checkout of a change, if its page can be submitted. @throws Refused */
export function requireOpenChange(
  billing: Pick<CustomerBilling, "checkouts" | "need" | "now" | "products">,
  subscription: Subscription,
  id: string,
): Checkout {
  billing.need({ part: "checkout", id });
  const checkout = billing.checkouts.get(id);
  if (!checkout || checkout.status !== "open" || checkout.expiresAt <= billing.now)
    throw new Refused({ refused: "not_open" });
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = findProduct(billing, checkout.productId);
  // The current Product may be archived: the buyer may keep that Product, to clear a pending change.
  const isCurrent = checkout.productId === subscription.productId;
  if (!product || (product.archived && !isCurrent)) throw new Refused({ refused: "product_archived" });
  return checkout;
}
