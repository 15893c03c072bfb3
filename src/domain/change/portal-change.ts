import type { Account } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import { scheduledEnd, type Subscription } from "../model/subscription.ts";
import { AppError } from "../../errors.ts";
import type { Submitted } from "../checkout/attempt.ts";
import { decideSubmitted, reckoned } from "./change-decision.ts";
import { cardNeed, dueToday, type Checkout } from "../model/checkout.ts";
import { draftInPortal, type AskedInPortal } from "./portal-draft.ts";
import { recordCheckout } from "../checkout/record.ts";
import { Refused } from "../checkout/refused.ts";
import { submitOpenChange } from "./submit-change.ts";

/**
 * The page on which the Customer clicked. The figures are in minor units: the amount due at once, and the price of the
 * new Product. `cardId`: the named card; null: the page named none. `endsAt`: the scheduled end that the change undoes,
 * as the page said; null: no end was scheduled. `startsAt`: the day of the change; null: at once. `shownAt`: the
 * instant of the figures.
 */
export type SeenInPortal = {
  expectedAmount: number;
  expectedPrice: number;
  cardId: string | null;
  endsAt: Instant | null;
  startsAt: Instant | null;
  shownAt: Instant | null;
};

/** A named card must still be the one on file. A card that the page did not name is charged nothing now. */
function isCardSeen({ cardId }: SeenInPortal, due: Checkout, card: { id: string } | null): boolean {
  if (cardId !== null) return cardId === card?.id;
  return card === null || cardNeed(due) === "none";
}

/**
 * Changes the Product for a Customer in the portal (rule P11). The change is a Checkout that is submitted at once with
 * the card on file. If a card is needed and there is none that may be charged, the Checkout is left to its page. If
 * the page said something else than what holds now, `amount_changed` is thrown: the Customer has to agree again.
 * @throws Refused; AppError 409, 422
 */
export function changeInPortal(
  account: Account,
  subscription: Subscription,
  asked: AskedInPortal,
  seen: SeenInPortal,
): Submitted | { page: Checkout } {
  const { expectedAmount, expectedPrice, shownAt } = seen;
  if (scheduledEnd(subscription) !== seen.endsAt) throw new Refused({ refused: "amount_changed" });
  const draft = draftInPortal(account, subscription, asked);
  const { plan } = decideSubmitted(account, subscription, draft, shownAt);
  const due = reckoned(account, subscription, draft, plan);
  const startsAt = plan.set.pendingChange?.effectiveAt ?? null;
  if (dueToday(due) !== expectedAmount || due.amount !== expectedPrice || startsAt !== seen.startsAt)
    throw new Refused({ refused: "amount_changed" });
  const card = unhinderedCardOf(account, subscription);
  if (!isCardSeen(seen, due, card)) throw new Refused({ refused: "amount_changed" });
  const isLeft = cardNeed(due) !== "none" && card === null;
  if (isLeft && !account.loaded.hasProvider) throw new AppError("payment_provider_missing");
  const opened = recordCheckout(account, draft, "checkout.created", account.now);
  if (isLeft) return { page: opened };
  return submitOpenChange(
    account,
    subscription,
    opened,
    { billing: null, locale: null, expectedAmount, shownAt },
    card,
  );
}
