import type { Context } from "../context.ts";
import { cardNeed, dueToday, type Checkout } from "../domain/checkout.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { changes } from "../store/changes.ts";
import { checkouts } from "../store/checkouts.ts";
import type { Tx } from "../store/db.ts";
import { products } from "../store/products.ts";
import { decideCheckout, reckoned } from "./change-checkout.ts";
import { newIntent } from "./decide-change.ts";
import { keepMethod, recordCheckoutAttempt, type GivenCard } from "./given-card.ts";
import { recordCheckout, recordSubscription } from "./record.ts";
import { completeChange } from "./settle-checkout-change.ts";
import { MAX_FAILED_ATTEMPTS, Refused, type Submission } from "./submission.ts";
import { workOnSubscription, type SubscriptionWork } from "./subscription-work.ts";

/** Submits a Checkout that changes a Subscription (rules C1, C6): the intent of the change is committed with its attempt (rule P1). */
export async function submitChange(
  ctx: Context,
  tx: Tx,
  seen: Checkout,
  submission: Submission,
  card: GivenCard | null,
): Promise<{ checkout: Checkout; payment: Payment | null }> {
  const found = await workOnSubscription(ctx, tx, seen.organizationId, seen.subscriptionId!);
  const checkout = await requireOpen(found, seen);
  const { work, plan } = await decideCheckout(found, checkout, submission.shownAt).catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? new Refused({ refused: "change_refused", error }) : error;
  });
  if (!plan) throw new Refused({ refused: "change_refused", error: new AppError("already_subscribed") });
  const shown = reckoned(work, checkout, plan);
  if (submission.expectedAmount !== null && submission.expectedAmount !== dueToday(shown)) throw new Refused({ refused: "amount_changed" });
  const isNeeded = cardNeed(shown) !== "none";
  if (!card && isNeeded) throw new Refused({ refused: "card_missing" });
  const { now } = found;
  const intent = newIntent(work, plan, { checkoutId: checkout.id, requestId: null, idempotency: null });
  const submitted = { submittedAt: now, dueAt: null, lastPaymentError: null, version: shown.version + 1, updatedAt: now };
  const processing = await recordCheckout(found, { ...shown, ...submitted, status: "processing" }, null, now);
  changes.insert(tx, intent);
  await recordSubscription(found, { ...found.subscription, changeId: intent.id }, null, now);
  if (!card || !isNeeded) return { checkout: await completeChange(found, processing, null), payment: null };
  const method = keepMethod(found, card);
  return { checkout: processing, payment: await recordCheckoutAttempt(found, processing, method, found.subscription.id) };
}

async function requireOpen({ tx, organization, subscription, now }: SubscriptionWork, seen: Checkout): Promise<Checkout> {
  const checkout = await checkouts.lock(tx, organization.id, seen.id);
  if (!checkout || checkout.status !== "open" || checkout.expiresAt <= now) throw new Refused({ refused: "not_open" });
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = await products.find(tx, organization.id, checkout.productId);
  // What is sold already stays sold: the present Product may be kept, to clear a pending change.
  const isPresent = checkout.productId === subscription.productId;
  if (!product || (product.archived && !isPresent)) throw new Refused({ refused: "product_archived" });
  return checkout;
}
