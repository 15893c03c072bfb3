import { findProduct } from "../catalogue/find-product.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import type { Checkout } from "../model/checkout.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import type { LineDraft } from "../model/invoice.ts";
import { waitingLines } from "../invoice/bills.ts";
import type { Anchor } from "../model/period.ts";
import type { Units } from "../model/quantity.ts";
import { nextPeriodOf } from "../collection/next-period.ts";
import { changesAt, type Subscription } from "../model/subscription.ts";
import { decideCheckout, reckoned } from "./change-decision.ts";
import { Refusal } from "../refusal.ts";

/** The change of a Checkout as its page shows it. */
export type CheckoutQuote = {
  checkout: Checkout;
  currentProductName: string;
  /** The units of the Subscription before the change. */
  currentUnits: Units;
  lines: readonly LineDraft[];
  /** Whether the lines are billed now or wait for the next invoice. */
  bill: FrozenPlan["bill"];
  /** The instant at which the quote was computed. */
  at: Instant;
  /** When the Product changes; null: at once. */
  scheduledFor: Instant | null;
  /** Whether the change undoes a cancellation that is scheduled now. */
  undoes: boolean;
  /** The Subscription's next charge after the change: at the end of the period, or at the planned resume. */
  nextChargeAt: Instant;
  /** The anchor of the periods from `nextChargeAt` on. */
  anchor: Anchor;
};

/**
 * Quotes the change of an open Checkout, by the same decision that makes the change (rule P8).
 * @throws Refusal 409, 422
 */
export function quoteCheckout(billing: CustomerBilling, subscription: Subscription, checkout: Checkout): CheckoutQuote {
  const { plan } = decideCheckout(billing, subscription, checkout, null);
  if (!plan) throw new Refusal("no_change", { subscriptionId: null });
  const waiting = plan.bill === "now" ? waitingLines(billing, subscription.id) : [];
  const after = { ...subscription, ...plan.set };
  const nextChargeAt = changesAt(after);
  const { anchorAt, anchorTimeZone } = nextPeriodOf(billing, after, nextChargeAt).plan.subscription;
  const current = findProduct(billing, subscription.productId);
  return {
    checkout: reckoned(billing, subscription, checkout, plan),
    currentProductName: current?.name ?? "",
    currentUnits: { quantity: subscription.quantity, unitName: current?.unitName ?? null },
    lines: [...waiting, ...plan.lines],
    bill: plan.bill,
    at: billing.now,
    scheduledFor: after.pendingChange?.effectiveAt ?? null,
    undoes: checkout.change!.undo && subscription.cancelAtPeriodEnd,
    nextChargeAt,
    anchor: { anchorAt, anchorTimeZone },
  };
}
