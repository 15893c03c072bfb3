import type { Account } from "../account/account.ts";
import { cardNeed, dueToday, type Checkout } from "./checkout.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import { isKept, keepEntered, type EnteredOrKept } from "../payment/new-card.ts";
import type { EnteredCard } from "../payment/outcome.ts";
import type { PaymentMethod } from "../payment/payment.ts";
import { newIntent, recordIntent } from "../subscription/intent.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { recordCheckoutAttempt, type Submitted } from "./attempt.ts";
import { keepLocale, type BuyerSaid } from "./buyer.ts";
import { decideSubmitted, reckoned, requireOpenChange } from "./change-decision.ts";
import { Refused } from "./refused.ts";
import { completeChange } from "./settle.ts";
import { recordCheckout } from "./record.ts";

/** The card on file, if its id is among these: a bank asked about the card when it was charged for this change. */
export type OnFile = { challenged: readonly string[] };

/** A card that the buyer has just given, or the card on file. */
export type ChangeCard = EnteredCard | OnFile;

/**
 * Submits a Checkout that changes a Subscription (rules C1, C6). The intent is recorded together with its attempt
 * (rule P1).
 * @throws Refused
 */
export function submitChange(
  account: Account,
  subscription: Subscription,
  id: string,
  said: BuyerSaid,
  card: ChangeCard | null,
): Submitted {
  const payWith = card && "challenged" in card ? challengedCard(account, subscription, card) : card;
  return submitOpenChange(account, subscription, requireOpenChange(account, subscription, id), said, payWith);
}

function challengedCard(account: Account, subscription: Subscription, { challenged }: OnFile): PaymentMethod | null {
  const card = unhinderedCardOf(account, subscription);
  return card && challenged.includes(card.id) ? card : null;
}

/**
 * As `submitChange`, for an open Checkout at hand. A card on file pays, too, and need not be saved again (rule P11).
 * @throws Refused
 */
export function submitOpenChange(
  account: Account,
  subscription: Subscription,
  checkout: Checkout,
  said: BuyerSaid,
  card: EnteredOrKept | null,
): Submitted {
  const { now } = account;
  keepLocale(account, checkout, said);
  const { plan, at } = decideSubmitted(account, subscription, checkout, said.shownAt);
  const reckonedNow = reckoned(account, subscription, checkout, plan);
  if (said.expectedAmount !== null && said.expectedAmount !== dueToday(reckonedNow))
    throw new Refused({ refused: "amount_changed" });
  const need = cardNeed(reckonedNow);
  if (!card && need !== "none") throw new Refused({ refused: "card_missing" });
  const isUsed = card !== null && need !== "none" && !(need === "save" && isKept(card));
  const intent = newIntent(account, subscription, plan, at, {
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
  const processing = recordCheckout(account, { ...reckonedNow, ...submitted, status: "processing" }, null, now);
  recordIntent(account, subscription, intent);
  if (!isUsed) return { checkout: completeChange(account, processing, null), payment: null };
  const payWith = keepEntered(account, card);
  return { checkout: processing, payment: recordCheckoutAttempt(account, processing, payWith, subscription.id) };
}
