import type { CustomerBilling } from "../billing/customer-billing.ts";
import { cardNeed, dueToday, type Checkout } from "../model/checkout.ts";
import { isCardOnFile, recordEntered, type EnteredOrOnFile } from "../collection/new-card.ts";
import { newIntent, recordIntent } from "./intent.ts";
import type { Subscription } from "../model/subscription.ts";
import { recordCheckoutAttempt, type Submitted } from "../checkout/attempt.ts";
import { recordLocale, type BuyerSaid } from "../checkout/buyer.ts";
import { cardForChange, type ChangeCard } from "./change-card.ts";
import { decideSubmitted, reckoned, requireOpenChange } from "./change-decision.ts";
import { isAgreed } from "../model/agreement.ts";
import { Refused } from "../checkout/refusal.ts";
import { completeChange } from "./settle-change.ts";
import { recordCheckout } from "../checkout/record.ts";

/**
 * Submits a Checkout that changes a Subscription (rules C1, C6). The intent is recorded together with its attempt
 * (rule P1).
 * @throws Refused
 */
export function submitChange(
  billing: CustomerBilling,
  subscription: Subscription,
  id: string,
  said: BuyerSaid,
  card: ChangeCard | null,
): Submitted {
  const payWith = cardForChange(billing, subscription, card);
  return submitOpenChange(billing, subscription, requireOpenChange(billing, subscription, id), said, payWith);
}

/**
 * As `submitChange`, for an open Checkout at hand. A card on file pays, too, and need not be saved again (rule P11).
 * @throws Refused
 */
export function submitOpenChange(
  billing: CustomerBilling,
  subscription: Subscription,
  checkout: Checkout,
  said: BuyerSaid,
  card: EnteredOrOnFile | null,
): Submitted {
  const { now } = billing;
  recordLocale(billing, checkout, said);
  const { plan, at } = decideSubmitted(billing, subscription, checkout, said.agreed?.shownAt ?? null);
  const reckonedNow = reckoned(billing, subscription, checkout, plan);
  if (!isAgreed({ amountDue: dueToday(reckonedNow), quantity: reckonedNow.quantity }, said.agreed))
    throw new Refused({ refused: "amount_changed" });
  const need = cardNeed(reckonedNow);
  if (!card && need !== "none") throw new Refused({ refused: "card_missing" });
  const isUsed = card !== null && need !== "none" && !(need === "save" && isCardOnFile(card));
  const intent = newIntent(billing, subscription, plan, at, {
    checkoutId: checkout.id,
    requestId: null,
    idempotency: null,
  });
  const submitted = {
    submittedAt: now,
    dueAt: null,
    lastPaymentError: null,
    version: reckonedNow.version + 1,
    updatedAt: now,
  };
  const processing = recordCheckout(billing, { ...reckonedNow, ...submitted, status: "processing" }, null, now);
  recordIntent(billing, subscription, intent);
  if (!isUsed) return { checkout: completeChange(billing, processing, null), payment: null };
  const payWith = recordEntered(billing, card);
  return { checkout: processing, payment: recordCheckoutAttempt(billing, processing, payWith, subscription.id) };
}
