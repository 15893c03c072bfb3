import type { Account } from "../account/account.ts";
import type { Instant } from "../calendar.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { AppError } from "../../errors.ts";
import type { Submitted } from "./attempt.ts";
import { decideSubmitted, reckoned } from "./change-decision.ts";
import { cardNeed, dueToday, type Checkout } from "./checkout.ts";
import { draftInPortal, type AskedInPortal } from "./portal-draft.ts";
import { recordCheckout } from "./record.ts";
import { Refused } from "./refused.ts";
import { submitOpenChange } from "./submit-change.ts";

/**
 * The figures on the page on which the Customer clicked, in minor units: the amount due at once, and the price of the
 * new Product. `shownAt`: the instant of the figures.
 */
export type SeenInPortal = { expectedAmount: number; expectedPrice: number; shownAt: Instant | null };

/**
 * Changes the Product for a Customer in the portal (rule P11). The change is a Checkout that is submitted at once with
 * the card on file. If a card is needed and there is none that may be charged, the Checkout is left to its page.
 * @throws Refused; AppError 409, 422
 */
export function changeInPortal(
  account: Account,
  subscription: Subscription,
  asked: AskedInPortal,
  { expectedAmount, expectedPrice, shownAt }: SeenInPortal,
): Submitted | { page: Checkout } {
  const draft = draftInPortal(account, subscription, asked);
  const { plan } = decideSubmitted(account, subscription, draft, shownAt);
  const due = reckoned(account, subscription, draft, plan);
  if (dueToday(due) !== expectedAmount || due.amount !== expectedPrice)
    throw new Refused({ refused: "amount_changed" });
  const card = unhinderedCardOf(account, subscription);
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
