import type { CustomerBilling } from "../domain/billing/customer-billing.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/model/checkout.ts";
import { shownNow } from "../domain/checkout/settlement.ts";
import type { Bill } from "../domain/invoice/bills.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { Tx } from "../store/driver/db.ts";
import type { IdempotencyRef } from "../store/idempotency.ts";
import type { Site } from "./links.ts";

/** A Subscription with the values that its presenter needs. */
export type SubscriptionView = { subscription: Subscription; externalCustomerId: string | null };

/** A Checkout with the values that its presenter needs. `now`: the time of the answer. */
export type CheckoutView = { checkout: Checkout; externalCustomerId: string | null; now: Instant };

/** A Checkout of the Customer with the values that its presenter needs. */
export function checkoutView(billing: CustomerBilling, checkout: Checkout): CheckoutView {
  return { checkout: shownNow(billing, checkout), externalCustomerId: billing.customer.externalId, now: billing.now };
}

/** The outcome of a charge that was requested with an Idempotency-Key. */
export type Outcome =
  | ({ kind: "subscription" } & SubscriptionView)
  | ({ kind: "invoice" } & Bill)
  | { kind: "refused"; error: Refusal; requestId: string };

/**
 * Stores the answer to a request in the transaction that settles its charge, so that a repeated request gets this
 * answer even after a crash.
 */
export type Answers = { record(site: Site, tx: Tx, ref: IdempotencyRef, outcome: Outcome): void };
