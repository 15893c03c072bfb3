import type { Account } from "../account/account.ts";
import { recordCheckout, recordSubscription } from "../account/record.ts";
import { cardNeed, dueToday, type Checkout } from "../checkout.ts";
import { keepMethod } from "../payment/new-card.ts";
import type { GivenCard } from "../payment/outcome.ts";
import { newIntent } from "../subscription/decide-change.ts";
import type { Subscription } from "../subscription.ts";
import { AppError } from "../../errors.ts";
import { recordCheckoutAttempt } from "./attempt.ts";
import { decideCheckout, reckoned, type CheckoutDecision } from "./change-page.ts";
import { MAX_FAILED_ATTEMPTS, Refused } from "./refused.ts";
import { completeChange } from "./settle.ts";
import type { BuyerSaid, Submitted } from "./submit.ts";
import { findProduct } from "../catalogue/product.ts";

/** Submits a Checkout that changes a Subscription (rules C1, C6): the intent is recorded with its attempt (rule P1). @throws Refused */
export function submitChange(
  account: Account,
  subscription: Subscription,
  id: string,
  said: BuyerSaid,
  card: GivenCard | null,
): Submitted {
  const { now } = account;
  const checkout = requireOpen(account, subscription, id);
  const { plan, at } = decide(account, subscription, checkout, said);
  if (!plan) throw new Refused({ refused: "change_refused", error: new AppError("already_subscribed") });
  const shown = reckoned(account, subscription, checkout, plan);
  if (said.expectedAmount !== null && said.expectedAmount !== dueToday(shown)) throw new Refused({ refused: "amount_changed" });
  const isNeeded = cardNeed(shown) !== "none";
  if (!card && isNeeded) throw new Refused({ refused: "card_missing" });
  const intent = newIntent(account, subscription, plan, at, { checkoutId: checkout.id, requestId: null, idempotency: null });
  const submitted = { submittedAt: now, dueAt: null, lastPaymentError: null, version: shown.version + 1, updatedAt: now };
  const processing = recordCheckout(account, { ...shown, ...submitted, status: "processing" }, null, now);
  account.changes.put(intent);
  recordSubscription(account, { ...subscription, changeId: intent.id }, null, now);
  if (!card || !isNeeded) return { checkout: completeChange(account, processing, null), payment: null };
  const method = keepMethod(account, card);
  return { checkout: processing, payment: recordCheckoutAttempt(account, processing, method, subscription.id) };
}

function decide(account: Account, subscription: Subscription, checkout: Checkout, said: BuyerSaid): CheckoutDecision {
  try {
    return decideCheckout(account, subscription, checkout, said.shownAt);
  } catch (error) {
    throw error instanceof AppError && error.status < 500 ? new Refused({ refused: "change_refused", error }) : error;
  }
}

function requireOpen(account: Account, subscription: Subscription, id: string): Checkout {
  account.need({ part: "checkout", id });
  const checkout = account.checkouts.get(id);
  if (!checkout || checkout.status !== "open" || checkout.expiresAt <= account.now) throw new Refused({ refused: "not_open" });
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) throw new Refused({ refused: "too_many_attempts" });
  const product = findProduct(account, checkout.productId);
  // A Product that is sold already stays sold: the present one may be kept, to clear a pending change.
  const isPresent = checkout.productId === subscription.productId;
  if (!product || (product.archived && !isPresent)) throw new Refused({ refused: "product_archived" });
  return checkout;
}
